import { expect, test } from 'vitest'
import { mcnemar } from './mcnemar.ts'

// scipy.stats.binomtest(b, b + c, 0.5), SciPy 1.17.
test.each([
  [0, 0, 1],
  [1, 0, 1],
  [6, 0, 0.03125],
  [0, 5, 0.0625],
  [10, 2, 0.03857421875],
  [25, 15, 0.1538599441628321],
  [150, 86, 3.7159361395713866e-5],
  [400, 450, 0.09276544997048893],
  [1000, 1100, 0.03072070786424249],
  [499, 501, 0.9747749818216395],
  [499, 502, 0.9496003129809606],
])('of %d against %d is the two-sided binomial test', (b, c, p) => {
  expect(mcnemar(b, c)).toBeCloseTo(p, 11)
  expect(mcnemar(c, b)).toBe(mcnemar(b, c))
})

test('keeps its digits far out', () => {
  expect(mcnemar(59, 6) / 4.964650327128616e-12).toBeCloseTo(1, 10)
})
