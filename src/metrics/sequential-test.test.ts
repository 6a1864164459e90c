import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { caseRate } from './case-rate.ts'
import { seededRandom } from './random.ts'
import { counted, decidedAfter, excludes, isDecided, type StopRule, sequentialInterval } from './sequential-test.ts'
import { type Interval, wilson } from './wilson.ts'

const repeat = (status: string, count: number): string[] => Array.from({ length: count }, () => status)
const decided = (statuses: readonly string[], rule: Partial<StopRule>) =>
  decidedAfter(statuses, { threshold: 0.8, max: 30, min: 1, ...rule })

/** ∫ p^s (1−p)^f over the Beta(1/2, 1/2) law by p = sin² θ, where it is the mean over θ: no gamma function is needed. */
const mixture = (s: number, f: number): number => {
  const steps = 4096
  let sum = 0
  for (let i = 0; i < steps; i++) {
    const p = Math.sin(((i + 0.5) / steps) * (Math.PI / 2)) ** 2
    sum += p ** s * (1 - p) ** f
  }
  return sum / steps
}

describe('the confidence sequence', () => {
  test('excludes a rate exactly where the likelihood ratio, integrated numerically, comes to 20', () => {
    for (const rate of [0.1, 0.5, 0.8, 0.95]) {
      for (let s = 0; s <= 40; s += 1) {
        for (let f = 0; f <= 12; f += 1) {
          if (s + f === 0) continue
          const ratio = mixture(s, f) / (rate ** s * (1 - rate) ** f)
          const side = s / (s + f) > rate ? 'above' : 'below'
          expect([s, f, rate, excludes(s, f, rate)]).toEqual([s, f, rate, ratio >= 20 ? side : undefined])
        }
      }
    }
  })

  test('comes to 20 by the factors (s + 1/2)/(n + 1) of Krichevsky and Trofimov, too', () => {
    let ratio = 1
    const sides: unknown[] = []
    for (let s = 0; s < 8; s += 1) {
      ratio *= (s + 0.5) / (s + 1) / 0.5
      sides.push(excludes(s + 1, 0, 0.5))
      expect(sides.at(-1)).toBe(ratio >= 20 ? 'above' : undefined)
    }
    expect(sides.indexOf('above')).toBe(6)
  })

  test.each([0.05, 0.5, 0.8, 0.95])(
    'is wrong about the true rate %d at any of 300 looks in at most 5 % of 4,000 runs',
    (rate) => {
      const random = seededRandom(42)
      let wrong = 0
      for (let run = 0; run < 4000; run++) {
        let s = 0
        for (let n = 1; n <= 300; n++) {
          if (random() < rate) s += 1
          if (excludes(s, n - s, rate) === undefined) continue
          wrong += 1
          break
        }
      }
      // Above zero, or nothing was measured; 3.3 standard errors above 5 % would be 6.1 %.
      expect(wrong / 4000).toBeGreaterThan(0.005)
      expect(wrong / 4000).toBeLessThan(0.05)
    },
  )

  test('excludes 1 with the first failure, 0 with the first pass, and nothing without a trial', () => {
    expect(excludes(5, 1, 1)).toBe('below')
    expect(excludes(1, 5, 0)).toBe('above')
    expect(excludes(50, 0, 1)).toBeUndefined()
    expect(excludes(0, 0, 0.5)).toBeUndefined()
  })
})

describe('the interval of a case that may be decided early', () => {
  test('has what is not excluded inside, and what is outside', () => {
    fc.assert(
      fc.property(
        fc.nat({ max: 60 }),
        fc.nat({ max: 60 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (s, f, rate) => {
          const interval = sequentialInterval(s, f)
          if (interval === null) {
            expect(s + f).toBe(0)
            return
          }
          const [low, high] = interval
          expect(low).toBeLessThanOrEqual(s / (s + f))
          expect(high).toBeGreaterThanOrEqual(s / (s + f))
          const isAtEdge = Math.min(Math.abs(rate - low), Math.abs(rate - high)) < 1e-12
          if (!isAtEdge) expect(excludes(s, f, rate) === undefined).toBe(low < rate && rate < high)
        },
      ),
      { numRuns: 2000 },
    )
  })

  test('mirrors, and ends at 0 and 1 exactly where nothing or all passed', () => {
    const [low, high] = sequentialInterval(3, 7) ?? []
    const [mirroredLow = Number.NaN, mirroredHigh = Number.NaN] = sequentialInterval(7, 3) ?? []
    expect([low, high]).toEqual([expect.closeTo(1 - mirroredHigh, 12), expect.closeTo(1 - mirroredLow, 12)])
    expect([sequentialInterval(0, 5)?.[0], sequentialInterval(5, 0)?.[1]]).toEqual([0, 1])
    // All of five passed: 0.25 (2s)!/(4^s s!^2) r^-s comes to 20 at r = (0.24609375/20)^(1/5).
    expect(sequentialInterval(5, 0)?.[0]).toBeCloseTo((0.24609375 / 20) ** 0.2, 10)
  })

  const rules: readonly StopRule[] = [
    { threshold: 1, max: 100, min: 1 },
    { threshold: 0.8, max: 100, min: 1 },
    { threshold: 0.5, max: 30, min: 3 },
  ]
  /** How often the interval of a case that stopped has its true rate inside. */
  const coverage = (rate: number, rule: StopRule, of: (passed: number, failed: number) => Interval | null): number => {
    const random = seededRandom(7)
    const runs = 1500
    let held = 0
    for (let run = 0; run < runs; run++) {
      let tally = { passed: 0, failed: 0, unusable: 0 }
      do tally = counted(tally, random() < rate ? 'passed' : 'failed')
      while (!isDecided(tally, rule))
      const [low, high] = of(tally.passed, tally.failed) ?? [Number.NaN, Number.NaN]
      if (low <= rate && rate <= high) held += 1
    }
    return held / runs
  }

  test.each(rules)('has the true rate inside in 95 % of the cases that end by %o', (rule) => {
    for (const rate of [0.02, 0.3, 0.5, 0.75, 0.9, 0.95, 0.99]) {
      expect(coverage(rate, rule, sequentialInterval)).toBeGreaterThanOrEqual(0.95)
    }
  })

  test('which those of Wilson have not', () => {
    const worst = rules.map((rule) => coverage(0.95, rule, (passed, failed) => wilson(passed, passed + failed)))
    expect(Math.min(...worst)).toBeLessThan(0.9)
  })
})

describe('a case is decided', () => {
  test.each<[string, readonly string[], Partial<StopRule>, number | undefined]>([
    ['by the first failure where all must pass', ['passed', 'failed', 'passed'], { threshold: 1 }, 2],
    ['by the first pass where none must', ['passed', 'passed'], { threshold: 0 }, 1],
    ['when enough have passed whatever comes', repeat('passed', 10), { threshold: 0.5, max: 10 }, 5],
    ['when enough have failed whatever comes', repeat('failed', 10), { threshold: 0.9, max: 10 }, 2],
    ['by chance alone hardly being able to do it', repeat('passed', 30), { threshold: 0.5 }, 7],
    ['by chance hardly being able to do it, the other way', repeat('failed', 30), { threshold: 0.5, max: 100 }, 7],
    ['not before as many as are wanted', ['failed', 'failed', 'failed', 'failed'], { threshold: 1, min: 3 }, 3],
    ['at the end, whatever it is', repeat('error', 4), { max: 4 }, 4],
    ['not as long as it is open', ['passed', 'failed', 'passed'], { threshold: 0.5 }, undefined],
    ['never by trials that could not be judged', repeat('error', 29), {}, undefined],
    [
      'not by those before what could not be judged, where that could turn it',
      [...repeat('error', 4), ...repeat('passed', 7)],
      { threshold: 0.7, max: 100 },
      undefined,
    ],
    ['nor the other way round', [...repeat('error', 16), ...repeat('failed', 3)], { max: 100 }, undefined],
  ])('%s', (_what, statuses, rule, at) => {
    expect(decided(statuses, rule)).toBe(at)
  })

  const someTrials = fc.array(fc.constantFrom('passed', 'failed', 'error'), { minLength: 1, maxLength: 60 })
  const someRule = fc.record({
    threshold: fc.constantFrom(0, 0.2, 0.5, 0.8, 0.9, 1),
    max: fc.integer({ min: 1, max: 60 }),
    min: fc.constantFrom(1, 2, 5),
  })

  test('with a verdict that the case then has, and that certainty would not take back', () => {
    fc.assert(
      fc.property(someTrials, someRule, (statuses, { min, ...rest }) => {
        const rule = { ...rest, min: Math.min(min, rest.max) }
        const at = decidedAfter(statuses, rule)
        if (at === undefined || at === rule.max) return
        expect(at).toBeGreaterThanOrEqual(rule.min)
        const tally = statuses.slice(0, at).reduce(counted, { passed: 0, failed: 0, unusable: 0 })
        const { status } = caseRate({ ...tally, threshold: rule.threshold })
        expect(status).not.toBe('undecided')
        const side = excludes(tally.passed, tally.failed, rule.threshold)
        if (side !== undefined) return
        // Then it is certain: neither all passing nor all failing from here on changes it.
        const left = rule.max - at
        for (const rest of [
          { passed: tally.passed + left },
          { failed: tally.failed + left },
          { unusable: tally.unusable + left },
        ]) {
          const final = caseRate({ ...tally, ...rest, threshold: rule.threshold }).status
          if (!('unusable' in rest)) expect(final).toBe(status)
        }
      }),
      { numRuns: 2000 },
    )
  })

  test('no earlier than it is decided', () => {
    fc.assert(
      fc.property(someTrials, someRule, (statuses, { min, ...rest }) => {
        const rule = { ...rest, min: Math.min(min, rest.max) }
        const at = decidedAfter(statuses, rule)
        const tallies = statuses.map((_, i) =>
          statuses.slice(0, i + 1).reduce(counted, { passed: 0, failed: 0, unusable: 0 }),
        )
        expect(at).toBe(tallies.findIndex((tally) => isDecided(tally, rule)) + 1 || undefined)
      }),
    )
  })
})
