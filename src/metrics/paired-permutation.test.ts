import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mcnemar } from './mcnemar.ts'
import { pairedPermutation } from './paired-permutation.ts'

const seeded = { seed: 1 }

/** Every way to swap, by counting in binary. */
const naive = (differences: readonly number[]): number => {
  const sumOf = (swaps: number) => differences.reduce((sum, d, i) => sum + (swaps & (1 << i) ? -d : d), 0)
  const seen = Math.abs(sumOf(0))
  let count = 0
  for (let swaps = 0; swaps < 1 << differences.length; swaps++) if (Math.abs(sumOf(swaps)) >= seen - 1e-9) count++
  return count / (1 << differences.length)
}

describe('pairedPermutation', () => {
  test("gives Fisher's 1726 of 32768 for Darwin's maize", () => {
    const maize = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]
    expect(pairedPermutation(maize, seeded)).toEqual({ p: 1726 / 32768, method: 'exact', flips: 32768 })
  })

  test('agrees with scipy.stats.permutation_test', () => {
    expect(pairedPermutation([0.5, -0.25, 0.125, 0, 1, 0.3, -0.1, 0.2], seeded).p).toBe(0.15625)
  })

  test('agrees with a naive enumeration', () => {
    const difference = fc.integer({ min: -6, max: 6 }).map((tenths) => tenths / 10)
    fc.assert(
      fc.property(fc.array(difference, { maxLength: 9 }), (differences) => {
        expect(pairedPermutation(differences, seeded).p).toBeCloseTo(naive(differences), 12)
      }),
    )
  })

  test('estimates what all 2^20 swaps give', () => {
    const many = [
      0.1, 0.3, -0.2, 0.4, 0.6, -0.1, 0.2, 0.5, -0.3, 0.7, 0.1, -0.4, 0.2, 0.3, 0.15, -0.05, 0.25, 0.35, -0.45, 0.55,
    ]
    const estimate = pairedPermutation(many, { seed: 7 })
    expect(estimate).toMatchObject({ method: 'monte_carlo', flips: 9_999 })
    expect(Math.abs(estimate.p - 0.04673957824707031)).toBeLessThan(0.008)
    expect(pairedPermutation(many, { seed: 7 })).toEqual(estimate)
    expect(pairedPermutation(many, { seed: 8 })).not.toEqual(estimate)
  })

  test('is never 0, however far out', () => {
    const far = Array.from({ length: 60 }, (_, i) => 1 + i / 100)
    expect(pairedPermutation(far, seeded).p).toBe(1 / 10_000)
  })

  test('is McNemar where all differences have one size, also with fractions that round', () => {
    const up = Array.from({ length: 40 }, () => 0.7 - 0.6)
    const down = Array.from({ length: 20 }, () => 0.2 - 0.3)
    expect(pairedPermutation([...up, 0, ...down], seeded)).toEqual({ p: mcnemar(40, 20), method: 'exact', flips: 0 })
    expect(pairedPermutation([], seeded).p).toBe(1)
  })

  test('does not depend on the order of the pairs or on which side came first', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { maxLength: 40 }), fc.nat(), (all, seed) => {
        const { p } = pairedPermutation(all, { seed })
        expect(pairedPermutation([...all].reverse(), { seed }).p).toBe(p)
        expect(
          pairedPermutation(
            all.map((d) => -d),
            { seed },
          ).p,
        ).toBe(p)
      }),
      { numRuns: 30 },
    )
  })
})
