import { expect, test } from 'vitest'
import { partBook } from './part-book.ts'

test('keeps the content of the parts that stay the same, and gives those asked for, sorted', () => {
  const book = partBook({ system: { c: 'old' }, index: {}, tools: {}, params: {}, body: {} })
  book.add([
    { name: 'system', kind: 'system', fingerprint: 'b', content: 'new' },
    { name: 'body:x', kind: 'body', fingerprint: 'a', content: 'body' },
    { name: 'input', kind: 'input', fingerprint: 'd', content: 'asked' },
    { name: 'index', kind: 'index', fingerprint: 'e', content: { x: 'about x' } },
  ])
  expect(book.find('system', 'c')).toBe('old')
  expect(book.find('index', 'e')).toEqual({ x: 'about x' })
  expect(book.find('input', 'd')).toBeUndefined()
  expect(book.find('body', 'b')).toBeUndefined()
  expect(JSON.stringify(book.only(new Set(['c', 'b', 'a', 'd'])))).toBe(
    '{"system":{"b":"new","c":"old"},"index":{},"tools":{},"params":{},"body":{"a":"body"}}',
  )
})
