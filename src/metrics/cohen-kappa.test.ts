import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cohenKappa } from './cohen-kappa.ts'

// Cohen (1960), table 1: two judges, three categories, 200 subjects (as percentages); κ = -.09. The others are the worked
// examples of the encyclopedias: 50 grant applications, and two tables of the same agreement (60 %).
test.each([
  [
    'Cohen 1960',
    [
      [25, 13, 12],
      [12, 2, 16],
      [3, 15, 2],
    ],
    -0.0923076923,
  ],
  [
    'the two grant readers',
    [
      [20, 5],
      [10, 15],
    ],
    0.4,
  ],
  [
    'the same agreement, other shares (1)',
    [
      [45, 15],
      [25, 15],
    ],
    0.1304347826,
  ],
  [
    'the same agreement, other shares (2)',
    [
      [25, 35],
      [5, 35],
    ],
    0.2592592593,
  ],
])('%s', (_, table, kappa) => {
  expect(cohenKappa(table)).toBeCloseTo(kappa, 9)
})

test.each([
  [
    'nothing rated',
    [
      [0, 0],
      [0, 0],
    ],
  ],
  [
    'both always say the same',
    [
      [7, 0],
      [0, 0],
    ],
  ],
  ['no category', []],
])('is not defined: %s', (_, table) => {
  expect(cohenKappa(table)).toBeNull()
})

test('is exactly 1 for full agreement, exactly 0 for that of chance, and -1 where two halves are swapped', () => {
  expect(
    cohenKappa([
      [3, 0],
      [0, 9],
    ]),
  ).toBe(1)
  expect(
    cohenKappa([
      [1, 3],
      [3, 9],
    ]),
  ).toBe(0)
  expect(
    cohenKappa([
      [0, 4],
      [4, 0],
    ]),
  ).toBe(-1)
  // One rater who always says the same agrees by chance alone.
  expect(
    cohenKappa([
      [8, 0],
      [2, 0],
    ]),
  ).toBe(0)
})

test('does not depend on who is the first rater, nor on how the categories are called, nor on the size', () => {
  const count = fc.integer({ min: 0, max: 50 })
  fc.assert(
    fc.property(count, count, count, count, fc.integer({ min: 1, max: 9 }), (a, b, c, d, times) => {
      const kappa = cohenKappa([
        [a, b],
        [c, d],
      ])
      expect(
        cohenKappa([
          [a, c],
          [b, d],
        ]),
      ).toBe(kappa)
      expect(
        cohenKappa([
          [d, c],
          [b, a],
        ]),
      ).toBe(kappa)
      const larger = cohenKappa([
        [a * times, b * times],
        [c * times, d * times],
      ])
      if (kappa === null) expect(larger).toBeNull()
      else expect(larger).toBeCloseTo(kappa, 12)
      if (kappa !== null) expect(Math.abs(kappa)).toBeLessThanOrEqual(1)
    }),
  )
})
