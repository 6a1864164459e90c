import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { histogram, quantileOf } from './histogram.ts'

describe('a histogram', () => {
  test('has round bins from 0 to the highest number', () => {
    const bins = histogram([0, 1, 4, 4.9, 11])
    expect(bins.length).toBe(23)
    expect(bins.filter(({ count }) => count > 0)).toEqual([
      { from: 0, to: 0.5, count: 1 },
      { from: 1, to: 1.5, count: 1 },
      { from: 4, to: 4.5, count: 1 },
      { from: 4.5, to: 5, count: 1 },
      { from: 11, to: 11.5, count: 1 },
    ])
  })

  test('counts every number once, in its bin, in at most 25 bins', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1e12, noNaN: true }), { maxLength: 60 }), (values) => {
        const bins = histogram(values)
        expect(bins.length).toBeLessThanOrEqual(25)
        expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(values.length)
        for (const [i, bin] of bins.entries()) expect(bin.from).toBe(i === 0 ? 0 : (bins[i - 1]?.to ?? 0))
      }),
    )
  })

  test('of zeros is one bin, of nothing none', () => {
    expect(histogram([0, 0])).toEqual([{ from: 0, to: 0, count: 2 }])
    expect(histogram([])).toEqual([])
  })
})

test('a quantile is one of the numbers', () => {
  expect([0.5, 0.95, 0, 1].map((share) => quantileOf([5, 1, 4, 2, 3], share))).toEqual([3, 5, 1, 5])
  expect(quantileOf([], 0.5)).toBeNull()
})
