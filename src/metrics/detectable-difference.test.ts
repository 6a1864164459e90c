import { expect, test } from 'vitest'
import { detectableDifference } from './detectable-difference.ts'

// Connor's power function solved with scipy.optimize.brentq, SciPy 1.17.
test.each([
  [20, 0, 0.3483160924343242],
  [20, 0.1, 0.3483160924343242],
  [50, 0.2, 0.17304170018350126],
  [100, 0.3, 0.1516470912146709],
  [400, 0.2, 0.06246089439426606],
  [1000, 0.1, 0.027982836304546867],
])('of %d pairs, of which %d differ, solves the power function', (pairs, spread, difference) => {
  expect(detectableDifference(pairs, spread)).toBeCloseTo(difference, 10)
})

test('falls with more pairs and rises with the spread and the power', () => {
  expect(detectableDifference(200, 0.3)!).toBeLessThan(detectableDifference(100, 0.3)!)
  expect(detectableDifference(100, 0.4)!).toBeGreaterThan(detectableDifference(100, 0.3)!)
  expect(detectableDifference(100, 0.3, 0.9)!).toBeGreaterThan(detectableDifference(100, 0.3, 0.8)!)
})

test('is null where no outcome could be significant', () => {
  expect(detectableDifference(5, 1)).toBeNull()
  expect(detectableDifference(6, 0)).not.toBeNull()
})
