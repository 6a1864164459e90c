import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { firstDifference } from './json-equality.ts'

describe('without rules', () => {
  test.each([
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, undefined],
    [{ a: 1 }, { a: 2 }, { pointer: '/a', what: 'expected 1, was 2' }],
    [{ a: 1 }, {}, { pointer: '/a', what: 'is missing, expected 1' }],
    [{}, { 'a/b~c': 1 }, { pointer: '/a~1b~0c', what: 'is not expected, was 1' }],
    [{ a: [1, 2] }, { a: [1, 3] }, { pointer: '/a/1', what: 'expected 2, was 3' }],
    [[1, 2], [1], { pointer: '/1', what: 'is missing, expected 2' }],
    [[1], [1, 2], { pointer: '/1', what: 'is not expected, was 2' }],
    [[1, 2], [2, 1], { pointer: '/0', what: 'expected 1, was 2' }],
    [{ a: { b: null } }, { a: { b: 0 } }, { pointer: '/a/b', what: 'expected null, was 0' }],
    [4, '4', { pointer: '', what: 'expected 4, was "4"' }],
    [{}, [], { pointer: '', what: 'expected {}, was []' }],
    [{ toString: 1 }, {}, { pointer: '/toString', what: 'is missing, expected 1' }],
    [0.3, 0.1 + 0.2, { pointer: '', what: 'expected 0.3, was 0.30000000000000004' }],
  ])('%j and %j', (expected, actual, difference) => {
    expect(firstDifference(expected, actual)).toEqual(difference)
  })
})

describe('ignore', () => {
  test.each([
    [['/id'], { id: 1, n: 2 }, { id: 9, n: 2 }, undefined],
    [['/id'], { n: 2 }, { id: 9, n: 2 }, undefined],
    [['/id'], { id: 1, n: 2 }, { n: 2 }, undefined],
    [['/id'], { a: { id: 1 } }, { a: { id: 2 } }, '/a/id'],
    [['/rows/0'], { rows: [1, 2] }, { rows: [9, 2] }, undefined],
    [['/rows/0'], { rows: [1, 2] }, { rows: [9, 3] }, '/rows/1'],
    [
      ['/rows/*/id'],
      {
        rows: [
          { id: 1, n: 1 },
          { id: 2, n: 2 },
        ],
      },
      { rows: [{ id: 8, n: 1 }, { n: 2 }] },
      undefined,
    ],
    [['/rows/*/id'], { rows: [{ id: 1, n: 1 }] }, { rows: [{ id: 8, n: 2 }] }, '/rows/0/n'],
    [['/a~1b'], { 'a/b': 1 }, { 'a/b': 2 }, undefined],
    [[''], 1, 2, undefined],
    [['/a/b/c'], { a: 1 }, { a: 2 }, '/a'],
  ])('%j: %j and %j', (ignore, expected, actual, pointer) => {
    expect(firstDifference(expected, actual, { ignore })?.pointer).toBe(pointer)
  })
})

describe('tolerance', () => {
  test.each([
    [0.01, { n: 1 }, { n: 1.005 }, undefined],
    [0.01, { n: 1 }, { n: 1.02 }, '/n'],
    [0.1, 1, 1.1, undefined],
    [1e-6, 0.3, 0.1 + 0.2, undefined],
    [0, 1, 1, undefined],
    [5, '1', '2', ''],
    [5, 1, '1', ''],
  ])('of %d: %j and %j', (tolerance, expected, actual, pointer) => {
    expect(firstDifference(expected, actual, { tolerance })?.pointer).toBe(pointer)
  })
})

describe('unordered', () => {
  test.each([
    [['/tags'], { tags: ['a', 'b'] }, { tags: ['b', 'a'] }, undefined],
    [[''], [{ a: 1, b: 2 }, 3], [3, { b: 2, a: 1 }], undefined],
    [[''], [1, 1, 2], [1, 2, 2], { pointer: '', what: 'has no item 1' }],
    [[''], [1, 2], [2, 1, 1], { pointer: '', what: 'expected 2 items in any order, there were 3' }],
    [
      ['/tags'],
      { tags: [1, 2], rows: [1, 2] },
      { tags: [2, 1], rows: [2, 1] },
      { pointer: '/rows/0', what: 'expected 1, was 2' },
    ],
    [['', '/*/t'], [{ t: [1, 2] }, { t: [3, 4] }], [{ t: [4, 3] }, { t: [2, 1] }], undefined],
    [['/tags'], { tags: { a: 1 } }, { tags: { a: 1 } }, undefined],
    [[''], [null, 1], [1, 2], { pointer: '', what: 'has no item null' }],
  ])('%j: %j and %j', (unordered, expected, actual, difference) => {
    expect(firstDifference(expected, actual, { unordered })).toEqual(difference)
  })

  test('with a tolerance an item is not kept from the one that needs it', () => {
    expect(firstDifference([1, 1.5], [1.4, 0.9], { unordered: [''], tolerance: 0.5 })).toBeUndefined()
    expect(firstDifference([1, 1.5], [1.4, 2], { unordered: [''], tolerance: 0.45 })).toEqual({
      pointer: '',
      what: 'has no item 1.5',
    })
  })

  test('what is ignored in the items plays no part in their order', () => {
    const rules = { unordered: ['/rows'], ignore: ['/rows/*/id'] }
    expect(
      firstDifference(
        {
          rows: [
            { id: 1, n: 1 },
            { id: 2, n: 2 },
          ],
        },
        {
          rows: [
            { id: 1, n: 2 },
            { id: 2, n: 1 },
          ],
        },
        rules,
      ),
    ).toBeUndefined()
  })
})

test('a value that is nested endlessly deep is different and does no harm', () => {
  let deep: unknown = 1
  for (let i = 0; i < 100_000; i++) deep = { a: deep }
  expect(firstDifference({ a: 1 }, deep)?.pointer).toBe('/a')
  expect(firstDifference({ a: 1 }, deep, { ignore: ['/b'] })?.pointer).toBe('/a')
})

test('any JSON value equals itself under any rules, and any shuffle of an unordered list', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.array(fc.constantFrom('', '/a', '/0', '/*', '/*/a')), (value, pointers) => {
      const copy = JSON.parse(JSON.stringify(value))
      expect(firstDifference(copy, value, { unordered: pointers })).toBeUndefined()
      expect(firstDifference(copy, value, { ignore: pointers, tolerance: 1 })).toBeUndefined()
    }),
  )
  const lists = fc
    .array(fc.jsonValue(), { maxLength: 6 })
    .chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })))
  fc.assert(
    fc.property(lists, fc.constantFrom(undefined, 0), ([list, shuffled], tolerance) => {
      const copy = JSON.parse(JSON.stringify(list))
      expect(
        firstDifference(copy, JSON.parse(JSON.stringify(shuffled)), { unordered: [''], tolerance }),
      ).toBeUndefined()
    }),
  )
})
