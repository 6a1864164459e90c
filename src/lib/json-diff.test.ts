import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalJson } from './hash.ts'
import { jsonDiff } from './json-diff.ts'

describe('jsonDiff', () => {
  test('shows what was added, removed and changed', async () => {
    const before = { month: 'March', total: 1200, rows: [1, 2, { c: 3 }], same: true, gone: null }
    const after = { same: true, month: 'May', total: 1200, rows: [1, 3, { c: 4 }], fresh: 'x' }
    expect(await jsonDiff(before, after)).toBe(
      [
        ' {',
        '-  gone: null',
        '+  fresh: "x"',
        '-  month: "March"',
        '+  month: "May"',
        '   rows: [',
        '     ...',
        '-    2',
        '+    3',
        '     {',
        '-      c: 3',
        '+      c: 4',
        '     }',
        '   ]',
        ' }',
      ].join('\n'),
    )
  })

  test.each<[unknown, unknown]>([
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
    [{ a: undefined }, {}],
    [undefined, null],
    [Number.NaN, null],
  ])('says nothing about %j and %j', async (before, after) => {
    expect(await jsonDiff(before, after)).toBe('')
  })

  test('colours lines when asked, and only then', async () => {
    expect(await jsonDiff(1, 2, { color: true })).toBe('\x1b[31m-1\x1b[39m\n\x1b[32m+2\x1b[39m')
    expect(await jsonDiff(1, 2)).toBe('-1\n+2')
  })

  test('makes control characters in keys and values visible', async () => {
    expect(await jsonDiff({ 'a\x1b[2J\n': 1 }, { 'a\x1b[2J\n': '\u202e' })).toBe(
      ' {\n-  a\\x1b[2J\\n: 1\n+  a\\x1b[2J\\n: "\\u202e"\n }',
    )
  })

  test.each<[string, unknown, unknown, string]>([
    ['names of Object.prototype', { toString: 'x' }, {}, '-  toString: "x"'],
    ['__proto__', JSON.parse('{"__proto__": 1}'), {}, '-  "__proto__": 1'],
    ['keys that look like marks', { a__added: 1 }, { a__added: 2 }, '-  "a__added": 1'],
    ['a list with the word constructor', ['constructor'], ['x'], '-  "constructor"'],
  ])('is not fooled by %s', async (_, before, after, line) => {
    expect((await jsonDiff(before, after)).split('\n')).toContain(line)
    expect(({} as { a?: unknown }).a).toBe(undefined)
  })

  test.each<[string, (leaf: number) => unknown]>([
    ['large lists', (leaf) => Array.from({ length: 5_000 }, (_, i) => ({ id: i * leaf, name: `n${i}` }))],
    ['deep lists', (leaf) => Array.from({ length: 45 }).reduce((inner: unknown) => [inner], leaf)],
    ['deeper lists', (leaf) => Array.from({ length: 400 }).reduce((inner: unknown) => [inner], leaf)],
  ])('compares %s in bounded time', async (_, value) => {
    const started = performance.now()
    const text = await jsonDiff(value(1), value(2))
    expect(text).toContain('\n')
    expect(text.split('\n').length).toBeLessThanOrEqual(210)
    expect(performance.now() - started).toBeLessThan(4_000)
  })

  test('is empty exactly when the values are equal as JSON', async () => {
    const value = fc.jsonValue({ maxDepth: 3 })
    await fc.assert(
      fc.asyncProperty(value, value, async (a, b) => {
        expect((await jsonDiff(a, b)) === '').toBe(canonicalJson(a) === canonicalJson(b))
        expect(await jsonDiff(a, structuredClone(a))).toBe('')
      }),
    )
  })
})
