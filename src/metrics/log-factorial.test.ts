import { expect, test } from 'vitest'
import { logFactorial } from './log-factorial.ts'

test.each([
  [5, 4.787491742782046],
  [31, 78.0922235533153],
  [32, 81.55795945611504],
  [33, 85.05446701758152],
  [100, 363.73937555556347],
  [100_000, 1051299.2218991218],
])('agrees with 40-digit arithmetic at %d', (k, expected) => {
  expect(logFactorial(k) / expected).toBeCloseTo(1, 14)
})

test('is 0 for 0 and 1', () => {
  expect([logFactorial(0), logFactorial(1)]).toEqual([0, 0])
})
