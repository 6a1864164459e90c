import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { wilson } from './wilson.ts'

const close = (actual: readonly number[] | null, expected: readonly number[], digits: number): void => {
  expect(actual).toHaveLength(2)
  for (const [i, value] of expected.entries()) expect(actual![i]).toBeCloseTo(value, digits)
}

describe('wilson', () => {
  test.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])('gives the limits of Newcombe 1998, table I, method 3, for %d of %d', (passed, n, low, high) => {
    close(wilson(passed, n), [low, high], 4)
  })

  test.each([
    [7, 10, 0.95, 0.3967781474611453, 0.8922087325936989],
    [7, 10, 0.99, 0.3200246792011025, 0.9204336834769342],
    [7, 10, 0.9, 0.441699795869835, 0.8731234160968021],
    [1.5, 3, 0.95, 0.12533447191026317, 0.8746655280897369],
    [50_000, 100_000, 0.95, 0.49690108435968966, 0.5030989156403103],
    [3, 3, 0.95, 0.4385029682449545, 1],
    [30, 30, 0.95, 0.8864866068260312, 1],
  ])('agrees with 40-digit arithmetic for %d of %d at %d', (passed, n, confidence, low, high) => {
    close(wilson(passed, n, confidence), [low, high], 13)
  })

  test('ends exactly at 0 when nothing passed and at 1 when all did', () => {
    for (let n = 1; n < 200; n++) {
      for (const confidence of [0.5, 0.8, 0.9, 0.95, 0.99, 0.999]) {
        expect(wilson(0, n, confidence)![0]).toBe(0)
        expect(wilson(n, n, confidence)![1]).toBe(1)
      }
    }
  })

  test('is null without trials', () => {
    expect(wilson(0, 0)).toBeNull()
  })

  test.each([
    [-1, 3],
    [4, 3],
    [NaN, 3],
  ])('refuses %d passed of %d', (passed, n) => {
    expect(() => wilson(passed, n)).toThrow(RangeError)
  })

  const counts = fc
    .integer({ min: 1, max: 1_000_000 })
    .chain((n) => fc.tuple(fc.integer({ min: 0, max: n }), fc.constant(n)))

  test('contains the estimate, stays within 0..1 and mirrors its complement', () => {
    fc.assert(
      fc.property(counts, ([passed, n]) => {
        const [low, high] = wilson(passed, n)!
        expect(low).toBeGreaterThanOrEqual(0)
        expect(low).toBeLessThanOrEqual(passed / n)
        expect(high).toBeGreaterThanOrEqual(passed / n)
        expect(high).toBeLessThanOrEqual(1)
        const [complementLow, complementHigh] = wilson(n - passed, n)!
        expect(complementLow).toBeCloseTo(1 - high, 12)
        expect(complementHigh).toBeCloseTo(1 - low, 12)
      }),
    )
  })

  test('rises with every trial that passes, narrows with more trials, widens with confidence', () => {
    fc.assert(
      fc.property(counts, ([passed, n]) => {
        const [low, high] = wilson(passed, n)!
        if (passed < n) {
          const [nextLow, nextHigh] = wilson(passed + 1, n)!
          expect(nextLow).toBeGreaterThan(low)
          expect(nextHigh).toBeGreaterThan(high)
        }
        const [moreLow, moreHigh] = wilson(passed * 4, n * 4)!
        expect(moreHigh - moreLow).toBeLessThan(high - low)
        const [sureLow, sureHigh] = wilson(passed, n, 0.99)!
        expect(sureHigh - sureLow).toBeGreaterThan(high - low)
      }),
    )
  })
})
