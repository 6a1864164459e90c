import { describe, expect, test } from 'vitest'
import { costOf } from './cost.ts'

const usage = (
  input: number | null,
  output: number | null,
  cached: number | null = 0,
  reasoning: number | null = null,
) => ({
  input_tokens: input,
  output_tokens: output,
  cached_input_tokens: cached,
  reasoning_tokens: reasoning,
})
const price = { input: 3, output: 15, cached_input: 0.3, cache_write: 3.75 }
const million = 1_000_000

describe('costOf', () => {
  test.each([
    ['input and output', usage(million, million), price, 0, 18],
    ['what was cached at its own price', usage(0, 0, million), price, 0, 0.3],
    ['what was written to the cache at its own price', usage(million, 0), price, million, 3.75],
    ['each part once', usage(2 * million, 0, million), price, million, 0.3 + 3.75 + 3],
    ['cached input as input, where it has no price', usage(0, 0, million), { input: 3, output: 15 }, 0, 3],
    ['reasoning as output', usage(0, million, 0, million), price, 0, 30],
    ['without that price it does not matter how much was', usage(million, 0, null), { input: 3, output: 15 }, 0, 3],
    ['nothing for nothing', usage(0, 0), price, 0, 0],
    ['what is free, whatever was used', usage(null, null, null), { input: 0, output: 0 }, 0, 0],
  ])('bills %s', (_, used, at, written, usd) => {
    expect(costOf(used, at, written)).toBeCloseTo(usd, 9)
  })

  test.each([
    ['there is no price', usage(1, 1), undefined],
    ['the input is unknown', usage(null, 1), price],
    ['the output is unknown', usage(1, null), price],
    ['the cached part is unknown and has its own price', usage(1, 1, null), price],
  ])('is unknown where %s', (_, used, at) => {
    expect(costOf(used, at)).toBeNull()
  })

  test('is never negative for counts that contradict each other', () => {
    expect(costOf(usage(10, 0, 100), price, 100)).toBeGreaterThanOrEqual(0)
  })
})
