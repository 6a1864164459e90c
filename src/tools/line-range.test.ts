import { expect, test } from 'vitest'
import { parseLineRange } from './line-range.ts'

test.each([
  ['10-40', { first: 10, last: 40 }],
  ['7', { first: 7, last: 7 }],
  ['7-', { first: 7, last: Number.POSITIVE_INFINITY }],
  ['7-7', { first: 7, last: 7 }],
  ['0', undefined],
  ['0-3', undefined],
  ['5-4', undefined],
  ['-4', undefined],
  ['a', undefined],
  ['1-2-3', undefined],
  ['1 - 2', undefined],
  ['', undefined],
])('%s', (text, range) => {
  expect(parseLineRange(text)).toEqual(range)
})
