import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Cassette } from '../schema/cassette.ts'
import { cassettePath, cassetteText, fingerprintsOf, readCassette, withoutNoise } from './cassette-file.ts'

describe('where a cassette lies', () => {
  const at = (suite: string, id = 'c', profile = 'p') => cassettePath({ suite, case: id, profile })

  test.each([
    ['sales', 'top/months', 'mock', 'sales/top/months/mock.json'],
    ['..', '../..', '..', '%2E%2E/%2E%2E/%2E%2E/%2E%2E.json'],
    ['a/b', 'c', 'd\\e', 'a%2Fb/c/d%5Ce.json'],
    ['.git', ' x ', '', '%2Egit/%20x%20/%.json'],
    ['CON', 'nul.txt', 'com1', 'CON%/nul.txt%/com1%.json'],
    ['Übung 1', 'größe', 'p', 'Übung 1/größe/p.json'],
    ['a\u0000b', 'c:d', 'e*', 'a%00b/c%3Ad/e%2A.json'],
    ['a', 'b.json', 'p', 'a/b%2Ejson/p.json'],
  ])('%j, %j, %j: %s', (suite, id, profile, path) => {
    expect(cassettePath({ suite, case: id, profile })).toBe(path)
  })

  test('a long name is cut, and two that begin alike stay two', () => {
    const [one, two] = [at(`${'ä'.repeat(300)}1`), at(`${'ä'.repeat(300)}2`)]
    expect(one).not.toBe(two)
    for (const path of [one, two, at('𝒜'.repeat(300)), at('字'.repeat(300))]) {
      expect(path.isWellFormed()).toBe(true)
      for (const part of path.split('/')) expect(Buffer.byteLength(part)).toBeLessThan(250)
    }
  })

  test('no name leads out of its folder, and no two names lie in one place', () => {
    const name = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 8 }),
      fc.constantFrom('..', '.', '', '%', 'con', 'con%', 'con.', '%2E', 'a.json', 'a%2Ejson', 'a'),
    )
    fc.assert(
      fc.property(name, name, name, name, (suite, profile, otherSuite, otherProfile) => {
        const path = at(suite, 'c', profile)
        const parts = path.split('/')
        expect(parts).toHaveLength(3)
        for (const part of parts) expect(part).not.toMatch(/^\.|^$|[\\:\0]|^ | $/)
        // A lone surrogate is no text: a path can't tell two of them apart.
        if (![suite, profile, otherSuite, otherProfile].every((text) => text.isWellFormed())) return
        if (suite !== otherSuite || profile !== otherProfile) expect(at(otherSuite, 'c', otherProfile)).not.toBe(path)
      }),
      { numRuns: 1000 },
    )
  })
})

const name = { suite: 's', case: 'c', profile: 'p' }
const print = '0123456789abcdef'
const cassette: Cassette = {
  format: 'skills-eval/cassette@1',
  ...name,
  recorded: '2026-11-21',
  parts: { system: { [print]: 'You…' }, index: {}, tools: {}, params: {}, body: {} },
  trials: [
    {
      turns: [
        {
          request: { system: print },
          messages: [{ part: 'input', text: 'x' }],
          answer: {
            text: 'ok',
            actions: [{ name: 'a', input: { z: 1, a: 2 } }],
            stop: 'end',
            usage: { input_tokens: 1, output_tokens: 2, cached_input_tokens: 0, reasoning_tokens: null },
            model: 'm',
            latency_ms: 100,
          },
        },
      ],
      outside: [],
    },
  ],
}

const slower = (latency: number, text = 'ok'): Cassette => {
  const copy = structuredClone(cassette)
  const turn = copy.trials[0]?.turns[0]
  if (turn) turn.answer = { ...turn.answer, latency_ms: latency, text }
  return { ...copy, recorded: '2026-11-22' }
}

describe('a cassette as text', () => {
  test('what is written is read again as it was', () => {
    expect(readCassette(cassetteText(cassette), name)).toEqual({ cassette })
  })

  test('the order of keys is that of the schema, whatever it was', () => {
    const reversed = (value: unknown): unknown =>
      typeof value !== 'object' || value === null || Array.isArray(value)
        ? Array.isArray(value)
          ? value.map(reversed)
          : value
        : Object.fromEntries(
            Object.entries(value)
              .toReversed()
              // What a model gave keeps its order.
              .map(([key, member]) => [key, key === 'input' ? member : reversed(member)]),
          )
    const read = readCassette(JSON.stringify(reversed(cassette)), name)
    expect('cassette' in read && cassetteText(read.cassette)).toBe(cassetteText(cassette))
  })

  test.each([
    ['{"format": "skills', 'it is not JSON'],
    ['[]', 'it is no skills-eval/cassette@1'],
    [JSON.stringify({ ...cassette, format: 'skills-eval/cassette@2' }), 'it is no skills-eval/cassette@1 at format'],
    [JSON.stringify({ ...cassette, trials: [] }), 'it is no skills-eval/cassette@1 at trials'],
    [JSON.stringify({ ...cassette, case: 'd' }), 'it is the recording of s/d on p'],
    ['null', 'it is no skills-eval/cassette@1'],
  ])('%.40s is none: %s', (text, problem) => {
    expect(readCassette(text, name)).toEqual({ problem })
  })

  test('times alone are no news, an answer is', () => {
    expect(withoutNoise(slower(900), cassette)).toEqual({ ...cassette, recorded: '2026-11-22' })
    expect(withoutNoise(slower(900, 'no'), cassette)).toEqual(slower(900, 'no'))
    expect(withoutNoise(slower(900), undefined)).toEqual(slower(900))
  })

  test('knows every fingerprint that its trials speak of', () => {
    expect(fingerprintsOf(cassette.trials)).toEqual(new Set([print]))
  })
})
