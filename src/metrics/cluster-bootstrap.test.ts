import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Clusters, clusterBootstrap } from './cluster-bootstrap.ts'

type Pair = readonly [passed: number, usable: number]

const clusters = (pairs: readonly Pair[]): Clusters => ({
  passed: Int32Array.from(pairs, ([passed]) => passed),
  usable: Int32Array.from(pairs, ([, usable]) => usable),
  length: pairs.length,
})

const times = (count: number, pair: Pair): readonly Pair[] => Array.from({ length: count }, () => pair)

describe('clusterBootstrap', () => {
  test('gives binomial quantiles for cases of one trial each', () => {
    // 35 of 50: the 10 % and 90 % points of Binomial(50, 0.7) are 31 and 39.
    const cases = clusters([...times(35, [1, 1]), ...times(15, [0, 1])])
    expect(clusterBootstrap(cases, { seed: 1, resamples: 50_000, confidence: 0.8 })).toEqual([31 / 50, 39 / 50])
  })

  test('gives the quantiles of all 256 resamples of four cases', () => {
    const cases = clusters([
      [1, 1],
      [0, 1],
      [5, 5],
      [3, 10],
    ])
    expect(clusterBootstrap(cases, { seed: 1, resamples: 50_000 })).toEqual([0.25, 1])
  })

  test('agrees with an independent bootstrap of 400,000 resamples, drawn case by case', () => {
    const eight: readonly Pair[] = [
      [3, 3],
      [0, 2],
      [5, 5],
      [2, 5],
      [1, 1],
      [4, 4],
      [5, 6],
      [0, 1],
    ]
    const cases = clusters([...eight, ...eight, ...eight, ...eight, ...eight])
    const [low, high] = clusterBootstrap(cases, { seed: 1, resamples: 100_000 })!
    expect(Math.abs(low - 0.63415)).toBeLessThan(0.002)
    expect(Math.abs(high - 0.83453)).toBeLessThan(0.002)
  })

  test('is wider than trials taken for independent would make it', () => {
    const cases = clusters([...times(10, [10, 10]), ...times(10, [0, 10])])
    const [low, high] = clusterBootstrap(cases, { seed: 1 })!
    // Wilson for 100 of 200 is [0.431, 0.569].
    expect(low).toBeLessThan(0.35)
    expect(high).toBeGreaterThan(0.65)
  })

  test.each([
    ['all passed', times(3, [2, 2]), [0.4385029682449545, 1]],
    ['none passed', times(20, [0, 5]), [0, 0.16112515805281938]],
    [
      'half of each passed',
      [
        [1, 2],
        [2, 4],
        [3, 6],
      ] as const,
      [0.12533447191026317, 0.8746655280897369],
    ],
    ['a single case', [[7, 7]] as const, [0.2065493143772374, 1]],
  ] as const)('is Wilson over cases when their rates agree: %s', (_, pairs, [low, high]) => {
    const actual = clusterBootstrap(clusters(pairs), { seed: 1 })!
    expect(actual[0]).toBeCloseTo(low, 12)
    expect(actual[1]).toBeCloseTo(high, 12)
  })

  test('leaves out cases without a usable trial, and is null when none is left', () => {
    const judged: readonly Pair[] = [
      [1, 2],
      [3, 3],
      [0, 1],
    ]
    expect(clusterBootstrap(clusters([...judged, ...times(50, [0, 0])]), { seed: 3 })).toEqual(
      clusterBootstrap(clusters(judged), { seed: 3 }),
    )
    expect(clusterBootstrap(clusters(times(5, [0, 0])), { seed: 3 })).toBeNull()
    expect(clusterBootstrap(clusters([]), { seed: 3 })).toBeNull()
  })

  const pair = fc.integer({ min: 0, max: 6 }).chain((usable) => fc.tuple(fc.nat(usable), fc.constant(usable)))

  test('depends on the seed and the cases alone, not on their order', () => {
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 30 }), fc.maxSafeInteger(), (pairs, seed) => {
        const interval = clusterBootstrap(clusters(pairs), { seed, resamples: 200 })
        expect(clusterBootstrap(clusters(pairs), { seed, resamples: 200 })).toEqual(interval)
        expect(clusterBootstrap(clusters([...pairs].reverse()), { seed, resamples: 200 })).toEqual(interval)
      }),
    )
    const mixed = clusters([...times(30, [1, 3]), ...times(30, [3, 4]), ...times(31, [2, 7])])
    expect(clusterBootstrap(mixed, { seed: 1 })).not.toEqual(clusterBootstrap(mixed, { seed: 2 }))
  })

  test('is within 0..1 and never without width', () => {
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 30 }), fc.nat(), (pairs, seed) => {
        const interval = clusterBootstrap(clusters(pairs), { seed, resamples: 500 })
        expect(interval === null).toBe(pairs.every(([, usable]) => usable === 0))
        if (interval === null) return
        const [low, high] = interval
        expect(low).toBeGreaterThanOrEqual(0)
        expect(high).toBeLessThanOrEqual(1)
        expect(high).toBeGreaterThan(low)
      }),
    )
  })

  test('takes 100,000 cases in a fraction of a second', () => {
    const pairs = Array.from({ length: 100_000 }, (_, i): Pair => [Math.min(1 + (i % 10), i % 7), 1 + (i % 10)])
    const cases = clusters(pairs)
    const before = process.cpuUsage()
    const [low, high] = clusterBootstrap(cases, { seed: 1 })!
    const { user } = process.cpuUsage(before)
    expect(high - low).toBeLessThan(0.01)
    expect(user / 1e6).toBeLessThan(1)
  })
})
