import { expect, test } from 'vitest'
import { takeLines } from './take-lines.ts'

test('keeps all lines that fit', () => {
  expect(takeLines(['a', 'b'], 100)).toBe('a\nb')
})

test('cuts between lines, by bytes, and reads no further', () => {
  let read = 0
  function* endless() {
    for (;;) {
      read++
      yield '漢'.repeat(10)
    }
  }
  const text = takeLines(endless(), 100)
  expect(text).toBe(`${'漢'.repeat(10)}\n${'漢'.repeat(10)}\n… cut here`)
  expect([Buffer.byteLength(text) <= 100, read]).toEqual([true, 3])
})
