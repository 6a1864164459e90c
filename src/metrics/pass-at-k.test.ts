import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { passAtK, passCurve, passPowK, reportedKs } from './pass-at-k.ts'

// Goes through every way to choose k of n trials, of which the first c passed.
const enumerate = (n: number, c: number, k: number): { readonly some: number; readonly all: number } => {
  let chosen = 0
  let some = 0
  let all = 0
  for (let mask = 0; mask < 2 ** n; mask++) {
    const picks = Array.from({ length: n }, (_, i) => i).filter((i) => mask & (1 << i))
    if (picks.length !== k) continue
    chosen++
    if (picks.some((i) => i < c)) some++
    if (picks.every((i) => i < c)) all++
  }
  return { some: some / chosen, all: all / chosen }
}

describe('passAtK and passPowK', () => {
  test('equal the count over all choices of k trials', () => {
    for (let n = 1; n <= 8; n++) {
      for (let c = 0; c <= n; c++) {
        for (let k = 1; k <= n; k++) {
          const { some, all } = enumerate(n, c, k)
          expect(passAtK(n, c, k)).toBeCloseTo(some, 13)
          expect(passPowK(n, c, k)).toBeCloseTo(all, 13)
        }
      }
    }
  })

  test.each([
    // Exact binomial coefficients, divided in 40 digits.
    [10, 3, 3, 0.7083333333333333, 0.008333333333333333],
    [10, 3, 5, 0.9166666666666667, 0],
    [200, 20, 100, 0.9999996678312922, 0],
    [1000, 1, 500, 0.5, 0],
    [8, 4, 3, 0.9285714285714286, 0.07142857142857142],
  ])('of %d trials, %d passed, k %d', (n, c, k, some, all) => {
    expect(passAtK(n, c, k)).toBeCloseTo(some, 13)
    expect(passPowK(n, c, k)).toBeCloseTo(all, 13)
  })

  const trials = fc
    .integer({ min: 1, max: 2000 })
    .chain((n) => fc.tuple(fc.constant(n), fc.nat(n), fc.integer({ min: 1, max: n })))

  test('both are the pass rate at k = 1, and stay within 0..1', () => {
    fc.assert(
      fc.property(trials, ([n, c, k]) => {
        expect(passAtK(n, c, 1)).toBe(c / n)
        expect(passPowK(n, c, 1)).toBe(c / n)
        const some = passAtK(n, c, k)!
        const all = passPowK(n, c, k)!
        expect(all).toBeGreaterThanOrEqual(0)
        expect(some).toBeLessThanOrEqual(1)
        expect(some).toBeGreaterThanOrEqual(all - 1e-12)
        expect(all).toBeCloseTo(1 - passAtK(n, n - c, k)!, 10)
      }),
    )
  })

  test('are exactly certain of what the trials leave no room for', () => {
    for (let n = 1; n <= 40; n++) {
      for (let c = 0; c < n; c++) {
        expect(passAtK(n, c, n)).toBe(c === 0 ? 0 : 1)
        expect(passAtK(n, n - c, c + 1)).toBe(1)
        for (let k = c + 1; k <= n; k++) expect(passPowK(n, c, k)).toBe(0)
        expect(passPowK(n, n, n - c)).toBe(1)
      }
    }
  })

  test('with k the chance of some grows and the chance of all shrinks', () => {
    fc.assert(
      fc.property(trials, ([n, c, k]) => {
        if (k === n) return
        expect(passAtK(n, c, k + 1)!).toBeGreaterThanOrEqual(passAtK(n, c, k)! - 1e-12)
        expect(passPowK(n, c, k + 1)!).toBeLessThanOrEqual(passPowK(n, c, k)!)
      }),
    )
  })

  test.each([
    [3, 2, 4],
    [0, 0, 1],
    [3, 2, 0],
  ])('are null where nothing can be said: n %d, c %d, k %d', (n, c, k) => {
    expect([passAtK(n, c, k), passPowK(n, c, k)]).toEqual([null, null])
  })

  test('refuse more passed trials than trials', () => {
    expect(() => passAtK(3, 4, 1)).toThrow(RangeError)
    expect(() => passPowK(3, -1, 1)).toThrow(RangeError)
  })
})

describe('passCurve', () => {
  test('maps each k to its estimate', () => {
    expect(passCurve(4, 2, [1, 2, 5])).toEqual({ '1': 1 / 2, '2': expect.closeTo(5 / 6, 13), '5': null })
    expect(passCurve(4, 2, [1, 2, 5], passPowK)).toEqual({ '1': 1 / 2, '2': expect.closeTo(1 / 6, 13), '5': null })
  })

  test('shows a null for a case without a usable trial', () => {
    expect(passCurve(0, 0)).toEqual({ '1': null })
  })

  test.each([
    [0, [1]],
    [1, [1]],
    [2, [1, 2]],
    [4, [1, 2, 3, 4]],
    [10, [1, 2, 3, 5, 10]],
    [60, [1, 2, 3, 5, 10, 20, 50, 60]],
    [500, [1, 2, 3, 5, 10, 20, 50, 100, 200, 500]],
  ])('of %d trials shows k %j', (n, ks) => {
    expect(reportedKs(n)).toEqual(ks)
  })
})
