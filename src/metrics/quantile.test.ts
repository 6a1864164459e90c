import fc from 'fast-check'
import { expect, test } from 'vitest'
import { quantile } from './quantile.ts'

test.each([
  // NumPy's default method.
  [[10, 20, 30, 40], 0.5, 25],
  [[10, 20, 30, 40], 0.95, 38.5],
  [[1, 1, 2, 3, 3, 4, 5, 5, 6, 9], 0.1, 1],
  [[1, 1, 2, 3, 3, 4, 5, 5, 6, 9], 0.25, 2.25],
  [[1, 1, 2, 3, 3, 4, 5, 5, 6, 9], 0.95, 7.65],
  [[15, 20, 35, 40, 50], 0.4, 29],
  [[7], 0.95, 7],
])('of %j at %d is %d', (sorted, p, expected) => {
  expect(quantile(sorted, p)).toBeCloseTo(expected, 12)
})

test('is null without numbers', () => {
  expect(quantile([], 0.5)).toBeNull()
})

test('lies between the smallest and the largest and rises with p', () => {
  const values = fc.array(fc.integer({ min: -1_000_000, max: 1_000_000 }), { minLength: 1 })
  fc.assert(
    fc.property(values, fc.integer({ min: 0, max: 100 }), (unsorted, percent) => {
      const sorted = Float64Array.from(unsorted).sort()
      const value = quantile(sorted, percent / 100)!
      expect(value).toBeGreaterThanOrEqual(sorted[0]!)
      expect(value).toBeLessThanOrEqual(sorted.at(-1)!)
      expect(quantile(sorted, Math.min(1, (percent + 1) / 100))!).toBeGreaterThanOrEqual(value - 1e-9)
    }),
  )
})
