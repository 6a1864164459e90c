import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { clusterBootstrap } from './cluster-bootstrap.ts'
import { type FinishedCase, type FinishedTrial, summary } from './summarize.ts'

const INDEX = ['csv', 'pdf']
const zeros = { input_tokens: 0, output_tokens: 0, cached_input_tokens: 0, reasoning_tokens: 0 }

const trial = (overrides: Partial<FinishedTrial> = {}): FinishedTrial => ({
  status: 'passed',
  usage: { ...zeros, input_tokens: 10, output_tokens: 5 },
  cost_usd: 0.25,
  latency_ms: 100,
  actions: ['final_answer'],
  ...overrides,
})

const done = (overrides: Partial<FinishedCase> = {}): FinishedCase => ({
  status: 'passed',
  passed: 1,
  usable: 1,
  xfail: false,
  ...overrides,
})

const fold = (trials: readonly FinishedTrial[], cases: readonly FinishedCase[], seed = 1) => {
  const sums = summary({ seed })
  for (const each of trials) sums.addTrial(each)
  for (const each of cases) sums.addCase(each)
  return sums.result()
}

describe('summary', () => {
  test('is nothing but zeros and nulls for a run of nothing', () => {
    const none = { precision: null, recall: null, f1: null, specificity: null }
    expect(fold([], [])).toEqual({
      cases: 0,
      trials: 0,
      passed: 0,
      failed: 0,
      errors: 0,
      stale: 0,
      skipped: 0,
      pass_rate: null,
      interval: null,
      trigger: { ...none, tp: 0, fp: 0, fn: 0, tn: 0, macro: none, skills: {}, confusion: [] },
      usage: zeros,
      cost_usd: 0,
      judge: { usage: zeros, cost_usd: 0 },
      latency_ms: { mean: null, p50: null, p95: null, max: null },
      actions: {},
    })
  })

  test('folds a whole run', () => {
    const actions = ['select_skills', 'run_script', 'final_answer']
    const trigger = (expected: string[], selected: string[]) =>
      ({ expected, selected, labelled: 'all', universe: INDEX }) as const
    const result = fold(
      [
        trial({ actions, trigger: trigger(['csv'], ['csv']) }),
        trial({ status: 'failed', latency_ms: 300, actions, trigger: trigger(['csv'], ['pdf']) }),
        trial({ latency_ms: null, judge: { usage: { ...zeros, input_tokens: 7 }, cost_usd: 0.5 } }),
        trial({ status: 'error', latency_ms: 9000, actions: ['run_script'], trigger: trigger(['csv'], []) }),
        trial({
          status: 'stale',
          latency_ms: 9000,
          actions: [],
          usage: zeros,
          cost_usd: null,
          trigger: trigger([], ['csv']),
        }),
        trial({ status: 'failed', latency_ms: 200 }),
      ],
      [
        done({ status: 'failed', passed: 1, usable: 2 }),
        done(),
        done({ status: 'error', passed: 0, usable: 0 }),
        done({ status: 'stale', passed: 0, usable: 0 }),
        done({ status: 'passed', passed: 0, usable: 1, xfail: true }),
        done({ status: 'skipped', passed: 0, usable: 0 }),
      ],
    )
    expect(result).toMatchObject({
      cases: 6,
      trials: 6,
      passed: 2,
      failed: 1,
      errors: 1,
      stale: 1,
      skipped: 1,
      pass_rate: 2 / 3,
      trigger: { tp: 1, fp: 1, fn: 1, tn: 1, precision: 1 / 2, recall: 1 / 2 },
      usage: { input_tokens: 50, output_tokens: 25, cached_input_tokens: 0, reasoning_tokens: 0 },
      cost_usd: 1.25,
      judge: { usage: { ...zeros, input_tokens: 7 }, cost_usd: 0.5 },
      latency_ms: { mean: 200, p50: 200, p95: 290, max: 300 },
      actions: { final_answer: 4, run_script: 3, select_skills: 2 },
    })
    // Both cases resampled: 1 of 2 and 1 of 1, so from 2 of 4 to 2 of 2.
    expect(result.interval).toEqual([0.5, 1])
  })

  test('resamples cases from the seed that it was given', () => {
    const outcomes = Array.from({ length: 60 }, (_, i) => ({ passed: i % 4, usable: 3 + (i % 5) }))
    const cases = outcomes.map((outcome) => done(outcome))
    const column = { passed: outcomes.map((o) => o.passed), usable: outcomes.map((o) => o.usable), length: 60 }
    expect(fold([], cases, 7).interval).toEqual(clusterBootstrap(column, { seed: 7 }))
    expect(fold([], cases, 8).interval).not.toEqual(fold([], cases, 7).interval)
  })

  test('counts errors and stale cases in no rate', () => {
    const broken = [done({ status: 'error', passed: 0, usable: 0 }), done({ status: 'stale', passed: 0, usable: 0 })]
    expect(fold([], broken)).toMatchObject({ cases: 2, errors: 1, stale: 1, pass_rate: null, interval: null })
    const judged = [done(), done({ status: 'failed', passed: 0, usable: 3 })]
    expect(fold([], [...judged, ...broken]).pass_rate).toBe(1 / 4)
  })

  test('lets an expected failure say nothing about quality', () => {
    const known = done({ passed: 0, usable: 5, xfail: true })
    expect(fold([], [done(), known])).toMatchObject({ cases: 2, passed: 2, pass_rate: 1 })
    expect(fold([], [known])).toMatchObject({ cases: 1, passed: 1, pass_rate: null, interval: null })
  })

  test('counts a skipped case as that and nothing else', () => {
    const skipped = fold([trial({ status: 'skipped' })], [done({ status: 'skipped', passed: 1, usable: 1 })])
    expect(skipped).toEqual({ ...fold([], []), cases: 1, skipped: 1 })
  })

  test('says how many trials could not be judged', () => {
    const sums = summary({ seed: 1 })
    for (const status of ['passed', 'failed', 'error', 'stale', 'error', 'skipped'] as const) {
      sums.addTrial(trial({ status }))
    }
    expect([sums.unusable(), sums.result().trials]).toEqual([3, 5])
  })

  test('takes any name for an action', () => {
    expect(Object.entries(fold([trial({ actions: ['__proto__', 'b', '__proto__'] })], []).actions)).toEqual([
      ['__proto__', 2],
      ['b', 1],
    ])
  })

  test('depends on the seed and on what finished, not on the order in which it did', () => {
    const status = fc.constantFrom('passed', 'failed', 'error', 'stale', 'skipped')
    const anyTrial = fc.record({
      status,
      usage: fc.nat(1000).map((input_tokens) => ({ ...zeros, input_tokens })),
      cost_usd: fc.option(fc.double({ min: 0, max: 10, noNaN: true }), { freq: 20 }),
      latency_ms: fc.option(fc.double({ min: 0, max: 1e6, noNaN: true })),
      actions: fc.array(fc.constantFrom('a', 'b', 'c')),
    })
    const anyCase = fc
      .nat(5)
      .chain((usable) =>
        fc.record({ status, passed: fc.nat(usable), usable: fc.constant(usable), xfail: fc.boolean() }),
      )
    fc.assert(
      fc.property(fc.array(anyTrial), fc.array(anyCase), fc.nat(), (trials, cases, seed) => {
        const result = fold(trials, cases, seed)
        expect(JSON.stringify(fold([...trials].reverse(), [...cases].reverse(), seed))).toBe(JSON.stringify(result))
        const { passed, failed, errors, stale, skipped } = result
        expect(passed + failed + errors + stale + skipped).toBe(cases.length)
      }),
      { numRuns: 50 },
    )
  })

  test('holds 100,000 cases in a few bytes each', () => {
    const shared = trial()
    const sums = summary({ seed: 1 })
    const before = process.memoryUsage().arrayBuffers
    const cpu = process.cpuUsage()
    for (let i = 0; i < 100_000; i++) {
      sums.addTrial(shared)
      sums.addCase(done({ passed: i % 2, usable: 1 }))
    }
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16e6)
    expect(sums.result()).toMatchObject({ cases: 100_000, pass_rate: 0.5, cost_usd: 25_000 })
    expect(process.cpuUsage(cpu).user / 1e6).toBeLessThan(2)
  })
})
