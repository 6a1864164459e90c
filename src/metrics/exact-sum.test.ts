import fc from 'fast-check'
import { expect, test } from 'vitest'
import { exactSum } from './exact-sum.ts'

const sumOf = (values: readonly number[]): number => {
  const sum = exactSum()
  for (const value of values) sum.add(value)
  return sum.result()
}

test.each([
  [[], 0],
  [[0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1], 1],
  [[1e16, 1, -1e16], 1],
  [[1, 1e100, 1, -1e100], 2],
  // From the tests of Python's math.fsum: ties that partials below the last two decide.
  [[1e100, 1, -1e100, 1e-100, 1e50, -1, -1e50], 1e-100],
  [[2 ** 53, -0.5, -(2 ** -54)], 2 ** 53 - 1],
  [[2 ** 53, 1, 2 ** -100], 2 ** 53 + 2],
  [[2 ** 53 + 10, 1, 2 ** -100], 2 ** 53 + 12],
  [[2 ** 53 - 4, 0.5, 2 ** -54], 2 ** 53 - 3],
])('rounds the true sum of %j once', (values, expected) => {
  expect(sumOf(values)).toBe(expected)
})

test('does not depend on the order', () => {
  const numbers = fc.array(fc.double({ noNaN: true, min: -1e9, max: 1e9 }), { maxLength: 40 })
  fc.assert(
    fc.property(numbers, (values) => {
      const expected = sumOf(values) + 0
      expect(sumOf([...values].reverse()) + 0).toBe(expected)
      expect(sumOf([...values].sort((a, b) => a - b)) + 0).toBe(expected)
    }),
  )
})

test('equals integer arithmetic on whole numbers', () => {
  const numbers = fc.array(fc.integer({ min: -(2 ** 40), max: 2 ** 40 }), { maxLength: 40 })
  fc.assert(
    fc.property(numbers, (values) => {
      const exact = values.reduce((sum, value) => sum + BigInt(value), 0n)
      expect(sumOf(values) + 0).toBe(Number(exact))
    }),
  )
})
