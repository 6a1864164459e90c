import { describe, expect, test } from 'vitest'
import { formatCost, formatDuration, formatNumber, formatShare, plural } from './format-number.ts'

test.each([
  [0, '0'],
  [999, '999'],
  [1000, '1,000'],
  [-1234567, '-1,234,567'],
])('formatNumber(%d) is %s', (value, text) => {
  expect(formatNumber(value)).toBe(text)
})

test('plural takes the word for one only for one', () => {
  expect([0, 1, 1200].map((n) => plural(n, 'case'))).toEqual(['0 cases', '1 case', '1,200 cases'])
})

test.each([
  [0, '0 ms'],
  [99.6, '100 ms'],
  [340, '0.3 s'],
  [59_949, '59.9 s'],
  [59_950, '1 min 0 s'],
  [125_000, '2 min 5 s'],
  [3_599_600, '1 h 0 min'],
  [7_320_000, '2 h 2 min'],
  [Number.NaN, '–'],
])('formatDuration(%d) is %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text)
})

describe('formatShare', () => {
  test.each([
    [null, '–'],
    [0, '0%'],
    [1, '100%'],
    [0.5, '50%'],
    [2 / 3, '66.7%'],
    [0.99999, '99.9%'],
    [0.00001, '0.1%'],
  ])('%d is %s', (share, text) => {
    expect(formatShare(share)).toBe(text)
  })
})

test.each([
  [null, '–'],
  [0, '$0'],
  [0.00001, '<$0.0001'],
  [0.0123, '$0.0123'],
  [12.345, '$12.35'],
])('formatCost(%d) is %s', (usd, text) => {
  expect(formatCost(usd)).toBe(text)
})
