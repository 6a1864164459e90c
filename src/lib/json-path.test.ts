import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileJsonPath, loadJsonPath } from './json-path.ts'

const { select, check } = await loadJsonPath()

// RFC 9535, figure 1.
const bookstore = {
  store: {
    book: [
      { category: 'reference', author: 'Nigel Rees', title: 'Sayings of the Century', price: 8.95 },
      { category: 'fiction', author: 'Evelyn Waugh', title: 'Sword of Honour', price: 12.99 },
      { category: 'fiction', author: 'Herman Melville', title: 'Moby Dick', isbn: '0-553-21311-3', price: 8.99 },
      {
        category: 'fiction',
        author: 'J. R. R. Tolkien',
        title: 'The Lord of the Rings',
        isbn: '0-395-19395-8',
        price: 22.99,
      },
    ],
    bicycle: { color: 'red', price: 399 },
  },
}

describe('select', () => {
  test.each<[string, unknown[]]>([
    ['$.store.bicycle.color', ['red']],
    ['$.store.book[*].author', ['Nigel Rees', 'Evelyn Waugh', 'Herman Melville', 'J. R. R. Tolkien']],
    ['$..author', ['Nigel Rees', 'Evelyn Waugh', 'Herman Melville', 'J. R. R. Tolkien']],
    ['$.store..price', [8.95, 12.99, 8.99, 22.99, 399]],
    ['$..book[2].title', ['Moby Dick']],
    ['$..book[-1].title', ['The Lord of the Rings']],
    ['$..book[:2].price', [8.95, 12.99]],
    ['$..book[?@.isbn].title', ['Moby Dick', 'The Lord of the Rings']],
    ['$..book[?@.price<10].title', ['Sayings of the Century', 'Moby Dick']],
    ["$..book[?search(@.author, '[JK]\\\\.')].price", [22.99]],
    ["$['store']['bicycle']['price']", [399]],
    ['$.nothing', []],
  ])('%s', (path, values) => {
    expect(select(path, bookstore)).toEqual(values)
  })

  test('sees own members only', () => {
    expect(select('$.constructor', {})).toEqual([])
    expect(select("$['__proto__']", {})).toEqual([])
    expect(select("$['__proto__']", JSON.parse('{"__proto__": 1}'))).toEqual([1])
    expect(select('$.length', [1, 2])).toEqual([])
  })

  test.each<[unknown, unknown[]]>([
    [null, [null]],
    ['text', ['text']],
    [3, [3]],
  ])('takes %j as a whole', (value, values) => {
    expect(select('$', value)).toEqual(values)
    expect(select('$.a', value)).toEqual([])
  })

  test('selects every element of any list', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue({ maxDepth: 2 })), (list) => {
        expect(select('$[*]', list)).toEqual(list)
      }),
    )
  })

  test.each<[string, unknown]>([
    ['$..*..*..*..*..*[?@.z]', Array.from({ length: 12 }).reduce((inner: unknown) => [inner, inner], 1)],
    ['$[?search(@, "(a+)+$")]', ['a'.repeat(60).concat('b')]],
  ])('stops %s', (path, value) => {
    const started = performance.now()
    expect(() => select(path, value)).toThrow(expect.objectContaining({ code: 'json_path_timeout' }))
    expect(performance.now() - started).toBeLessThan(2_000)
  })
})

describe('check', () => {
  test.each(['$', '$.a', '$..a[?@.b == 1]'])('%s is a path', (path) => {
    expect(check(path)).toBe(undefined)
  })

  test.each(['', 'a.b', '$.', '$[', '$[?nothing(@)]', '$ ', `$${'.a'.repeat(1_000)}`, `$[?${'('.repeat(900)}`])(
    '%j is none',
    (path) => {
      expect(check(path)).toEqual(expect.any(String))
      expect(() => select(path, {})).toThrow(expect.objectContaining({ code: 'invalid_json_path' }))
    },
  )
})

describe('compileJsonPath', () => {
  test('gives a path to select with, or what is wrong with it', async () => {
    const good = await compileJsonPath('$.a')
    expect(good.ok && good.select({ a: 1 })).toEqual([1])
    expect(await compileJsonPath('$.')).toEqual({ ok: false, message: expect.any(String) })
  })
})
