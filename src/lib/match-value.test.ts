import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileMatcher, deepEqual, textLength } from './match-value.ts'

const matches = async (pattern: unknown, value: unknown): Promise<boolean> => (await compileMatcher(pattern))(value)

describe('a pattern that is no check', () => {
  test.each([
    ['a string', 'csv', 'csv', true],
    ['a string is exact', 'csv', 'csv2', false],
    ['a string is no glob', '*', 'csv', false],
    ['a number', 3, 3, true],
    ['a number is not its digits', 3, '3', false],
    ['a boolean', false, false, true],
    ['a boolean is not a number', true, 1, false],
    ['null', null, null, true],
    ['null is what is absent too', { a: null }, {}, true],
    ['null is not empty text', null, '', false],
    ['a map in part', { a: 1 }, { a: 1, b: 2 }, true],
    ['a map that asks for more', { a: 1, b: 2 }, { a: 1 }, false],
    ['maps in maps in part', { a: { b: 1 } }, { a: { b: 1, c: 2 }, d: 3 }, true],
    ['an empty map is any map', {}, { a: 1 }, true],
    ['a map is no list', {}, [], false],
    ['a map is no string', { a: 1 }, 'a', false],
    ['a list', [1, 'a'], [1, 'a'], true],
    ['a list of another order', [1, 2], [2, 1], false],
    ['a longer list', [1], [1, 2], false],
    ['a shorter list', [1, 2], [1], false],
    ['maps in a list in part', [{ a: 1 }], [{ a: 1, b: 2 }], true],
    ['checks in a list', [{ contains: 'x' }, 2], ['axb', 2], true],
    ['null for what only the prototype has', { toString: null }, {}, true],
    ['what only the prototype has', { toString: { contains: 'native' } }, {}, false],
    [
      'a key named like the prototype',
      JSON.parse('{"__proto__": {"a": 1}}'),
      JSON.parse('{"__proto__": {"a": 1}}'),
      true,
    ],
    ['a key named like the prototype that is absent', JSON.parse('{"__proto__": {"a": 1}}'), {}, false],
  ])('%s', async (_, pattern, value, expected) => {
    expect(await matches(pattern, value)).toBe(expected)
  })
})

describe('path and url', () => {
  test.each([
    [{ path: 'data/*.csv' }, { path: 'data/a.csv' }, true],
    [{ path: 'data/*.csv' }, { path: './data//a.csv' }, true],
    [{ path: './data/*.csv' }, { path: 'data/a.csv' }, true],
    [{ path: 'data/' }, { path: 'data' }, true],
    [{ path: '.' }, { path: './' }, true],
    [{ path: '.' }, { path: 'data' }, false],
    [{ path: 'data/*.csv' }, { path: 'data/x/a.csv' }, false],
    [{ path: 'data/**' }, { path: 'data/x/.a' }, true],
    [{ path: 'data[1].csv' }, { path: 'data[1].csv' }, true],
    [{ path: '../x' }, { path: '../x' }, true],
    [{ path: 'app/\\[id\\]/page.tsx' }, { path: 'app/[id]/page.tsx' }, true],
    [{ path: './app//\\[id\\]/*.tsx' }, { path: 'app/[id]/page.tsx' }, true],
    [{ path: 'st\\*r.txt' }, { path: 'star.txt' }, false],
    [{ url: 'https://a.b/\\?q=1' }, { url: 'https://a.b/?q=1' }, true],
    [{ path: 'x' }, { path: 3 }, false],
    [{ path: 'x' }, {}, false],
    [{ path: { contains: 'a' } }, { path: 'data' }, true],
    [{ url: 'https://example.com/**' }, { url: 'https://example.com/a/b' }, true],
    [{ url: 'https://example.com/*' }, { url: 'https://example.org/a' }, false],
    [{ url: 'https://example.com/?q=1' }, { url: 'https://example.com/?q=1' }, true],
    [{ in: { path: '*.md' } }, { in: { path: 'a.md' } }, true],
  ])('%j of %j: %j', async (pattern, value, expected) => {
    expect(await matches(pattern, value)).toBe(expected)
  })
})

describe('a check', () => {
  test.each([
    [{ contains: 'b' }, 'abc', true],
    [{ contains: 'B' }, 'abc', false],
    [{ contains: 'B', ignore_case: true }, 'abc', true],
    [{ contains: 'b', not: true }, 'abc', false],
    [{ contains: 'x', not: true }, 'abc', true],
    [{ contains: '--months 3' }, ['--months', '3'], true],
    [{ contains: '"a":1' }, { a: 1 }, true],
    [{ contains: 4 }, 'no 4', true],
    [{ contains: 'x' }, undefined, false],
    [{ contains: 'x', not: true }, undefined, true],
    [{ contains_all: ['a', 'c'] }, 'abc', true],
    [{ contains_all: ['a', 'd'] }, 'abc', false],
    [{ contains_any: ['d', 'c'] }, 'abc', true],
    [{ contains_any: ['d', 'e'] }, 'abc', false],
    [{ starts_with: 'ab' }, 'abc', true],
    [{ starts_with: 'bc' }, 'abc', false],
    [{ ends_with: 'bc' }, 'abc', true],
    [{ ends_with: 'ab' }, 'abc', false],
    [{ regex: '^a.c$' }, 'abc', true],
    [{ regex: '/^A/i' }, 'abc', true],
    [{ regex: '^b' }, 'abc', false],
    [{ equals: 'abc' }, 'abc', true],
    [{ equals: ' ABC ', trim: true, ignore_case: true }, 'abc', true],
    [{ equals: 'ab' }, 'abc', false],
    [{ equals: 4 }, 4, true],
    [{ equals: 4 }, '4', true],
    [{ equals: { a: 1 } }, { a: 1 }, true],
    [{ equals: { a: 1 } }, { a: 1, b: 2 }, false],
    [{ length: { min: 2, max: 3 } }, 'abc', true],
    [{ length: { max: 2 } }, 'abc', false],
    [{ length: { min: 2, unit: 'words' } }, ['a', 'b'], true],
    [{ is_json: true }, '{"a": 1}', true],
    [{ is_json: true }, 'a', false],
    [{ is_json: false }, 'a', true],
  ])('%j of %j: %j', async (pattern, value, expected) => {
    expect(await matches(pattern, value)).toBe(expected)
  })

  test.each([
    ['an operand that the operator can’t have', { length: 5 }, { length: 5 }, true],
    ['another key beside it', { contains: 'a', q: 'b' }, { contains: 'a', q: 'b' }, true],
    ['two operators', { contains: 'a', regex: 'b' }, { contains: 'a', regex: 'b' }, true],
    ['only siblings', { name: 'x' }, { name: 'x' }, true],
  ])('%s makes a map to match in part', async (_, pattern, value, expected) => {
    expect(await matches(pattern, value)).toBe(expected)
  })

  test('one that this place can’t judge is refused, not taken for a map that never matches', async () => {
    await expect(compileMatcher({ script: { run: 'x.py' } })).rejects.toThrow("script can't be used in a pattern")
    await expect(compileMatcher({ json_equals: {} })).rejects.toThrow("json_equals can't be used in a pattern")
  })

  test('further checks can be given', async () => {
    const odd = await compileMatcher({ a: { json_equals: 'odd', not: true } }, async () => (v) => Number(v) % 2 === 1)
    expect([odd({ a: 1 }), odd({ a: 2 })]).toEqual([false, true])
  })

  test('a broken regular expression is refused', async () => {
    await expect(compileMatcher({ regex: '(' })).rejects.toThrow(/\(/)
  })

  test('a value that is nested too deeply to be written has no text', async () => {
    let deep: unknown = 'x'
    for (let i = 0; i < 100_000; i++) deep = [deep]
    expect(await matches({ contains: 'x' }, { deep })).toBe(false)
  })
})

test('a JSON value matches itself', async () => {
  const plainKeys = fc.dictionary(fc.stringMatching(/^[k-z]{1,3}$/), fc.jsonValue(), { maxKeys: 3 })
  await fc.assert(
    fc.asyncProperty(plainKeys, async (value) => {
      expect(await matches(value, value)).toBe(true)
      expect(await matches(value, { ...value, more: 1 })).toBe(true)
    }),
  )
})

test('a check and its inversion never agree', async () => {
  const checks = fc.oneof(
    fc.record({ contains: fc.string({ minLength: 1 }) }),
    fc.record({ starts_with: fc.string({ minLength: 1 }), ignore_case: fc.boolean() }),
    fc.record({ equals: fc.string() }),
    fc.record({ contains_any: fc.array(fc.string(), { minLength: 1 }) }),
    fc.record({ length: fc.record({ min: fc.nat(9), max: fc.nat(9) }) }),
  )
  await fc.assert(
    fc.asyncProperty(checks, fc.jsonValue(), async (check, value) => {
      expect(await matches({ ...check, not: true }, value)).toBe(!(await matches(check, value)))
    }),
  )
})

describe('the length of a text', () => {
  test.each([
    ['', 0, 0, 0],
    ['abc', 3, 1, 1],
    ['a b\u00a0c\u3000d', 7, 4, 1],
    ['👩‍💻é', 4, 1, 1],
    ['one\ntwo\n', 8, 2, 2],
    ['one\r\ntwo', 8, 2, 2],
    ['\n', 1, 0, 1],
    ['a\n\nb', 4, 2, 3],
    ['  ', 2, 0, 1],
  ])('%j has %i code points, %i words, %i lines', (text, chars, words, lines) => {
    expect([textLength(text, 'chars'), textLength(text, 'words'), textLength(text, 'lines')]).toEqual([
      chars,
      words,
      lines,
    ])
  })
})

describe('deep equality', () => {
  test.each([
    [{ a: 1, b: [1, { c: null }] }, { b: [1, { c: null }], a: 1 }, true],
    [{ a: undefined }, {}, false],
    [{ toString: 1 }, {}, false],
    [[1], { 0: 1 }, false],
    [0, -0, true],
    ['1', 1, false],
    [null, {}, false],
  ])('%j and %j: %j', (a, b, equal) => {
    expect(deepEqual(a, b)).toBe(equal)
    expect(deepEqual(b, a)).toBe(equal)
  })

  test('what is nested endlessly deep is equal to nothing and does no harm', () => {
    const nest = () => {
      let deep: unknown = 1
      for (let i = 0; i < 100_000; i++) deep = [deep]
      return deep
    }
    expect(deepEqual(nest(), nest())).toBe(false)
  })
})
