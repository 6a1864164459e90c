import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runOf, type SampleRun, sampleCase, sampleSuite, sampleTrial } from '../../test/support/sample-run.ts'
import type { CaseResult, RunResult, Status, TrialResult } from '../core/results.ts'
import { compareGates } from './compare-gates.ts'
import { compareRuns } from './compare-runs.ts'

const whole = ({ head, suites }: SampleRun): RunResult => ({
  ...head,
  suites: suites.map((suite) => {
    const { models: _, ...rest } = suite.head
    return { ...rest, cases: [...suite.cases] }
  }),
})
const run = (id: string, cases: readonly CaseResult[], suite = 's'): RunResult =>
  whole(runOf([sampleSuite(suite, cases)], { id }))
const trials = (statuses: readonly Status[], more: Partial<TrialResult> = {}): TrialResult[] =>
  statuses.map((status, i) =>
    sampleTrial({ n: i + 1, status, score: status === 'passed' ? 1 : status === 'failed' ? 0 : null, ...more }),
  )
const p = 'passed'
const f = 'failed'
const e = 'error'
const caseOf = (id: string, statuses: readonly Status[], more: Partial<CaseResult> = {}): CaseResult => {
  const status = statuses.includes('error') ? 'error' : statuses.includes('failed') ? 'failed' : 'passed'
  return sampleCase({ id, status, trials: trials(statuses), ...more })
}
const many = (count: number, statuses: readonly Status[], from = 0): CaseResult[] =>
  Array.from({ length: count }, (_, i) => caseOf(`c${from + i}`, statuses))
const options = { delta: 0.05, seed: 1 }
const compare = (base: readonly CaseResult[], head: readonly CaseResult[]) =>
  compareRuns(run('a', base), run('b', head), options)

describe('the verdict', () => {
  test('is worse where cases broke that chance would not have broken', () => {
    const compared = compare(many(20, [p]), [...many(6, [f]), ...many(14, [p], 6)])
    expect(compared.verdict).toBe('worse')
    expect(compared.paired).toMatchObject({ cases: 20, trials: 20, base: 1, head: 0.7, p: 0.03125 })
    expect(compared.tests.verdicts).toEqual({ fixed: 0, broken: 6, p: 0.03125 })
  })

  test('is inconclusive where as many could have broken by chance, with what could have been shown', () => {
    const compared = compare(many(20, [p]), [...many(5, [f]), ...many(15, [p], 5)])
    expect(compared.verdict).toBe('inconclusive')
    expect(compared.paired.p).toBe(0.0625)
    expect(compared.paired.detectable).toBeCloseTo(0.348, 3)
  })

  test('is inconclusive for few cases that did not change, no change for as many as ±delta needs', () => {
    expect(compare(many(72, [p]), many(72, [p])).verdict).toBe('inconclusive')
    expect(compare(many(73, [p]), many(73, [p])).verdict).toBe('no_change')
  })

  test('is no change where a difference is sure, but within ±delta', () => {
    const compared = compare(many(1000, [p]), [...many(12, [f]), ...many(988, [p], 12)])
    expect(compared.paired.p).toBeLessThan(0.001)
    expect(compared.verdict).toBe('no_change')
  })

  test('counts cases, not their trials: thirty trials of one case say nothing of others', () => {
    const compared = compare([caseOf('a', Array(30).fill(p))], [caseOf('a', Array(30).fill(f))])
    expect(compared.verdict).toBe('inconclusive')
    expect(compared.paired).toMatchObject({ cases: 1, trials: 30, difference: -1, detectable: null })
    expect(compared.cases[0]).toMatchObject({ change: 'broken', pairs: 30, difference: -1 })
    expect(compared.cases[0]!.p).toBeCloseTo(2 ** -29, 15)
  })

  test('is inconclusive where nothing was judged in both', () => {
    const compared = compare([caseOf('a', [p])], [caseOf('b', [p])])
    expect(compared.verdict).toBe('inconclusive')
    expect(compared.paired).toMatchObject({ cases: 0, difference: null, interval: null, p: null, detectable: null })
    expect(compared.counts).toMatchObject({ new: 1, gone: 1 })
  })

  test('believes an id that is the same only where nothing has changed', () => {
    expect(compareRuns(run('a', many(3, [p])), run('a', many(3, [p])), options).verdict).toBe('no_change')
    expect(compareRuns(run('a', many(20, [p])), run('a', many(20, [f])), options).verdict).toBe('worse')
  })
})

describe('cases', () => {
  test('are fixed, broken, unchanged, new, gone or unjudged', () => {
    const base = [caseOf('a', [f]), caseOf('b', [p]), caseOf('c', [f]), caseOf('d', [p]), caseOf('e', [p])]
    const head = [caseOf('a', [p]), caseOf('b', [f]), caseOf('c', [f]), caseOf('e', [e]), caseOf('f', [f])]
    const changes = compare(base, head).cases.map(({ id, change }) => [id, change])
    expect(Object.fromEntries(changes)).toEqual({
      a: 'fixed',
      b: 'broken',
      c: 'unchanged',
      d: 'gone',
      e: 'unjudged',
      f: 'new',
    })
  })

  test('are paired trial by trial, and by their rates where no trial is usable in both', () => {
    const compared = compare(
      [caseOf('a', [p, e, f]), caseOf('b', [e, p, p])],
      [caseOf('a', [f, p, e]), caseOf('b', [f, e])],
    )
    expect(compared.cases.map(({ pairs, difference }) => [pairs, difference])).toEqual([
      [1, -1],
      [0, -1],
    ])
  })

  test('that are expected to fail are in no rate', () => {
    const expected = caseOf('x', [f], { status: 'passed' })
    const fixed = caseOf('x', [p], { status: 'failed' })
    const compared = compare([caseOf('a', [p]), expected], [caseOf('a', [p]), fixed])
    expect(compared.paired).toMatchObject({ cases: 1, base: 1, head: 1 })
    expect(compared.counts).toMatchObject({ broken: 1 })
  })

  test('are tested from six pairs on, and held to Holm together', () => {
    const six = (id: string, status: Status) => caseOf(id, Array(6).fill(status))
    const compared = compare(
      [six('a', p), six('b', p), caseOf('c', Array(5).fill(p))],
      [six('a', f), six('b', p), caseOf('c', Array(5).fill(f))],
    )
    expect(compared.cases.map((one) => [one.p, one.p_adjusted])).toEqual([
      [0.03125, 0.0625],
      [1, 1],
      [null, null],
    ])
  })

  test('of another model pair where each run has but one', () => {
    const on = (model: string) => [caseOf('a', [p], { model })]
    expect(compare(on('x'), on('y')).counts).toMatchObject({ unchanged: 1, new: 0, gone: 0 })
    const both = [...on('x'), ...on('y')]
    expect(compare(on('x'), both).counts).toMatchObject({ unchanged: 1, new: 1 })
    expect(compare(on('x'), both.toReversed()).counts).toMatchObject({ unchanged: 1, new: 1 })
  })
})

test('cost and tokens are of one trial of each case in both, and null where one is not known', () => {
  const cost = (id: string, n: number, cost_usd: number | null) =>
    caseOf(id, [], { trials: trials(Array(n).fill(p), { cost_usd }) })
  const { numbers } = compare([cost('a', 1, 0.02), cost('b', 1, 0.01)], [cost('a', 3, 0.03), cost('c', 9, 5)])
  expect(numbers.cost_usd.base).toBeCloseTo(0.02, 12)
  expect(numbers.cost_usd.relative).toBeCloseTo(0.5, 12)
  expect(numbers.input_tokens).toEqual({ base: 100, head: 100, difference: 0, relative: 0 })
  expect(compare([cost('a', 1, 0.02)], [cost('a', 1, null)]).numbers.cost_usd).toMatchObject({
    head: null,
    difference: null,
    relative: null,
  })
})

describe('gates', () => {
  const lax = { new: 'warn', gone: 'warn' } as const
  const missed = (
    base: readonly CaseResult[],
    head: readonly CaseResult[],
    gates: Parameters<typeof compareGates>[1],
  ) => compareGates(compare(base, head), gates).flatMap(({ name, passed }) => (passed ? [] : [name]))
  const worse = [...many(20, [f]), ...many(80, [p], 20)]
  const golden = (status: Status) => caseOf('g', [status], { golden: true })

  test('without a limit the verdict is the gate; a limit decides by what was seen', () => {
    expect(missed(many(100, [p]), worse, lax)).toEqual(['verdict'])
    expect(missed(many(100, [p]), worse, { ...lax, maxRegression: 0.2 })).toEqual([])
    expect(missed(many(100, [p]), worse, { ...lax, maxRegression: 0.199 })).toEqual(['max_regression'])
  })

  test('rounding misses no limit', () => {
    const tenths = (id: string, passed: number) => caseOf(id, [...Array(passed).fill(p), ...Array(10 - passed).fill(f)])
    // 0.3 - 0.4 + 0.9 - 0.8 is a hair below 0.
    const [base, head] = [
      [tenths('a', 4), tenths('b', 8)],
      [tenths('a', 3), tenths('b', 9)],
    ]
    expect(compare(base, head).paired.difference).toBeLessThan(0)
    expect(missed(base, head, { ...lax, maxRegression: 0 })).toEqual([])
  })

  test('what is not known meets no limit', () => {
    expect(missed([], [], { ...lax, maxRegression: 1, maxCost: 1 })).toEqual(['max_regression', 'max_cost'])
  })

  test('new and gone cases are missed gates where that is asked for', () => {
    const both = [[caseOf('a', [p])], [caseOf('b', [p])]] as const
    expect(missed(...both, lax)).toEqual([])
    expect(missed(...both, { new: 'fail', gone: 'fail' })).toEqual(['new', 'gone'])
  })

  test.each([
    ['broken', [golden(p)], [golden(f)]],
    ['failed before as well', [golden(f)], [golden(f)]],
    ['not judged', [golden(p)], [golden(e)]],
    ['gone', [golden(p)], []],
    ['new and failed', [], [golden(f)]],
    ['golden no more', [golden(p)], [caseOf('g', [f])]],
  ])('a golden case must pass, whatever is allowed: %s', (_, base, head) => {
    const fill = many(1, [p])
    expect(missed([...base, ...fill], [...head, ...fill], { ...lax, maxRegression: 1 })).toEqual(['golden'])
  })
})

describe('of any two runs', () => {
  const status = fc.constantFrom<Status>('passed', 'passed', 'failed', 'error', 'stale')
  const cases = fc
    .array(fc.array(status, { maxLength: 8 }), { maxLength: 14 })
    .map((all) => all.map((statuses, i) => caseOf(`c${i}`, statuses)))
  const mirrored = { better: 'worse', worse: 'better', no_change: 'no_change', inconclusive: 'inconclusive' }
  const delta = fc.constantFrom(0.05, 0.3, 0.6)

  test('one against its like is never better or worse, and no change exactly within ±delta', () => {
    fc.assert(
      fc.property(cases, delta, (all, within) => {
        const {
          verdict,
          paired,
          cases: compared,
        } = compareRuns(run('a', all), run('b', all), { delta: within, seed: 1 })
        const isNarrow = paired.interval !== null && paired.interval[1] <= within
        expect(verdict).toBe(isNarrow ? 'no_change' : 'inconclusive')
        expect(compared.every(({ change }) => change === 'unchanged')).toBe(true)
        expect(compareRuns(run('a', all), run('a', all), { delta: within, seed: 1 }).verdict).toBe('no_change')
      }),
    )
  })

  test('the order of cases and trials changes nothing', () => {
    fc.assert(
      fc.property(cases, cases, (base, head) => {
        const turned = (all: readonly CaseResult[]) =>
          [...all].reverse().map((one) => ({ ...one, trials: [...one.trials].reverse() }))
        expect(compare(turned(base), turned(head))).toEqual(compare(base, head))
      }),
    )
  })

  test('swapping them mirrors all of it', () => {
    fc.assert(
      fc.property(cases, cases, delta, fc.nat(), (base, head, within, seed) => {
        const there = compareRuns(run('a', base), run('b', head), { delta: within, seed })
        const back = compareRuns(run('b', head), run('a', base), { delta: within, seed })
        expect(back.verdict).toBe(mirrored[there.verdict])
        expect(back.paired.p).toBe(there.paired.p)
        expect(back.paired.detectable).toBe(there.paired.detectable)
        expect((back.paired.difference ?? 0) + (there.paired.difference ?? 0)).toBe(0)
        expect((back.paired.interval?.[0] ?? 0) + (there.paired.interval?.[1] ?? 0)).toBe(0)
        const { fixed, broken, new: added, gone } = there.counts
        expect(back.counts).toMatchObject({ fixed: broken, broken: fixed, new: gone, gone: added })
        expect(back.cases.map(({ p_adjusted }) => p_adjusted)).toEqual(there.cases.map((one) => one.p_adjusted))
      }),
    )
  })

  test('errors and stale trials move no rate, and the rates are those of a naive count', () => {
    fc.assert(
      fc.property(cases, cases, (base, head) => {
        const noisy = (all: readonly CaseResult[]) =>
          all.map((one) => ({
            ...one,
            trials: [...one.trials, sampleTrial({ n: 98, status: 'error' }), sampleTrial({ n: 99, status: 'stale' })],
          }))
        const { paired } = compare(base, head)
        expect(compare(noisy(base), noisy(head)).paired).toEqual(paired)
        const differences: number[] = []
        for (const [i, before] of base.entries()) {
          const after = head[i]
          if (!after) continue
          let both = before.trials.filter(({ n, status: s }) => {
            const other = after.trials.find((trial) => trial.n === n)?.status
            return (s === p || s === f) && (other === p || other === f)
          })
          const rate = (all: readonly TrialResult[], of: readonly TrialResult[]) =>
            of.filter(({ n }) => all.find((trial) => trial.n === n)!.status === p).length / of.length
          let others = both
          if (both.length === 0) {
            both = before.trials.filter(({ status: s }) => s === p || s === f)
            others = after.trials.filter(({ status: s }) => s === p || s === f)
          }
          if (both.length > 0 && others.length > 0)
            differences.push(rate(after.trials, others) - rate(before.trials, both))
        }
        expect(paired.cases).toBe(differences.length)
        if (differences.length > 0)
          expect(paired.difference).toBeCloseTo(differences.reduce((sum, d) => sum + d, 0) / differences.length, 12)
      }),
    )
  })
})

test('counts the judged cases whose trials end as soon as they decide, on either side', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((id) => caseOf(id, [p]))
  if (!a || !b || !c) throw new Error('three were made')
  const early = { trials_planned: 30 }
  expect(compare([{ ...a, ...early }, b, c], [a, { ...b, ...early }, c]).paired).toMatchObject({
    cases: 3,
    adaptive: 2,
  })
  expect(compare([a, b, c], [a, b, c]).paired).not.toHaveProperty('adaptive')
})
