import { describe, expect, test } from 'vitest'
import { countTokens } from './tokens.ts'

describe('countTokens', () => {
  test.each([
    ['', 0],
    ['hello', 1],
    ['The quick brown fox jumps over the lazy dog.', 10],
  ])('estimates %j as %i', (text, tokens) => {
    expect(countTokens(text)).toBe(tokens)
  })

  test('comes near a quarter of the characters of English prose', () => {
    const prose = 'Read the table, find the month with the highest revenue, and report both in one sentence. '.repeat(
      50,
    )
    expect(countTokens(prose) / (prose.length / 4)).toBeGreaterThan(0.6)
    expect(countTokens(prose) / (prose.length / 4)).toBeLessThan(1.4)
  })

  test('counts a long text that it has seen without reading it again', () => {
    const prompt = 'You may use these skills: csv-analyzer, pdf-filler. '.repeat(2_000)
    const first = countTokens(prompt)
    const started = performance.now()
    for (let i = 0; i < 10_000; i += 1) expect(countTokens(prompt) === first).toBe(true)
    expect(performance.now() - started).toBeLessThan(2_000)
  })

  test.each(['a', ' ', '漢', '.', '1,', '\u0301', '\n'])('counts a megabyte of %j in time', (unit) => {
    const started = performance.now()
    expect(countTokens(unit.repeat(1_000_000 / unit.length))).toBeGreaterThanOrEqual(0)
    expect(performance.now() - started).toBeLessThan(2_000)
  })
})
