import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pairedInterval, tango } from './paired-interval.ts'

const times = (count: number, value: number): number[] => Array.from({ length: count }, () => value)

// The constrained likelihood maximised and the score solved numerically, with SciPy 1.17.
test.each([
  [12, 2, 50, 0.06111240683267293, 0.34470874774605853],
  [9, 3, 100, -0.009115601720809607, 0.1376930091164513],
  [4, 0, 20, 0.006649810292982194, 0.4160174322519073],
  [1, 0, 20, -0.11918141673621538, 0.2361311934467847],
  [0, 5, 14, -0.6123557835410712, -0.06493533829352169],
  [0, 0, 30, -0.11351339317396868, 0.11351339317396868],
])("Tango's limits for %d up and %d down of %d", (up, down, n, low, high) => {
  const limits = tango(up, down, n)
  expect(limits[0]).toBeCloseTo(low, 6)
  expect(limits[1]).toBeCloseTo(high, 6)
})

describe('pairedInterval', () => {
  test('is null without cases and says little of a single one', () => {
    expect(pairedInterval([], { seed: 1 })).toBeNull()
    const [low, high] = pairedInterval([0], { seed: 1 })!
    expect(high).toBeCloseTo(3.841458820694124 / 4.841458820694124, 10)
    expect(low).toBe(-high)
  })

  test('is the score interval while few cases differ, else a bootstrap over cases', () => {
    const few = [...times(91, 0), ...times(9, -1)]
    expect(pairedInterval(few, { seed: 1 })).toEqual(tango(0, 9, 100))
    // 20 down and 10 up of 100: mean -0.1, standard error sqrt((0.3 - 0.01) / 100) = 0.0539.
    const many = pairedInterval([...times(70, 0), ...times(20, -1), ...times(10, 1)], { seed: 1 })!
    expect(many[0]).toBeCloseTo(-0.1 - 1.96 * 0.0539, 1)
    expect(many[1]).toBeCloseTo(-0.1 + 1.96 * 0.0539, 1)
  })

  test('mirrors exactly when the sides are swapped, in whatever order the cases come', () => {
    const difference = fc.integer({ min: -4, max: 4 }).map((quarters) => quarters / 4)
    fc.assert(
      fc.property(fc.array(difference, { minLength: 1, maxLength: 40 }), fc.nat(), (all, seed) => {
        const [low, high] = pairedInterval(all, { seed })!
        const swapped = pairedInterval(
          [...all].reverse().map((d) => -d),
          { seed },
        )!
        expect(swapped[0] + high).toBe(0)
        expect(swapped[1] + low).toBe(0)
        expect(low).toBeLessThan(high)
        expect(low).toBeGreaterThanOrEqual(-1)
        expect(high).toBeLessThanOrEqual(1)
      }),
      { numRuns: 60 },
    )
  })
})
