import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sampleTrial } from '../../test/support/sample-run.ts'
import type { PlannedCase } from '../core/plan.ts'
import type { CaseResult, Summary, TrialRow } from '../core/results.ts'
import type { Grade } from '../grading/grade.ts'
import { caseResult } from './case-result.ts'
import { runTotals } from './run-totals.ts'
import { aCase, aSuite } from './runner.test-support.ts'

// Every number of a summary, counted a second time from the raw trials, in the plainest way that there is.

const universe = ['a', 'b', 'c']
type Trial = { readonly row: TrialRow; readonly trigger: Grade['trigger'] }
type Case = { readonly planned: PlannedCase; readonly trials: readonly Trial[] }

const suite = aSuite()
const status = fc.constantFrom('passed', 'passed', 'failed', 'error', 'stale' as const)
const count = fc.option(fc.nat(1000), { freq: 30 })
const usageOf = fc.record({
  input_tokens: count,
  output_tokens: count,
  cached_input_tokens: count,
  reasoning_tokens: count,
})
const names = fc.subarray(universe)
const trialOf = fc.record({
  status,
  usage: usageOf,
  cost_usd: fc.option(
    fc.integer({ min: 1, max: 64 }).map((n) => n / 64),
    { freq: 30 },
  ),
  latency_ms: fc.integer({ min: 0, max: 4096 }),
  actions: fc.array(fc.constantFrom('grep', 'read_file'), { maxLength: 3 }),
  selected: names,
})
const labels = fc.oneof(
  fc.constant(undefined),
  names.map((expected) => ({ expected, labelled: 'all' as const })),
  fc.tuple(names, names).map(([expected, more]) => ({ expected, labelled: [...new Set([...expected, ...more])] })),
)
const caseOf = fc.record({
  label: labels,
  xfail: fc.boolean(),
  threshold: fc.constantFrom(0.5, 1),
  trials: fc.array(trialOf, { minLength: 1, maxLength: 5 }),
})

type Spec = typeof caseOf extends fc.Arbitrary<infer T> ? T : never

const madeOf = (specs: readonly Spec[]): Case[] =>
  specs.map(({ label, xfail, threshold, trials }, i) => ({
    planned: {
      ...{ suite, model: 'mock', trials: trials.length, at: 0 },
      evalCase: aCase({ id: `c${i}`, pass_threshold: threshold, trials: trials.length, ...(xfail ? { xfail } : {}) }),
    },
    trials: trials.map(({ selected, actions, ...trial }, k) => ({
      row: {
        ...{ suite: suite.name, case: `c${i}`, model: 'mock' },
        ...sampleTrial({
          ...trial,
          n: k + 1,
          skills_selected: selected,
          actions: actions.map((action) => ({
            ...{ turn: 1, action, params: {}, status: 'ok' as const, observation: '', duration_ms: 1 },
          })),
        }),
      },
      trigger:
        label === undefined || trial.status === 'error' || trial.status === 'stale'
          ? undefined
          : { expected: label.expected, selected, labelled: label.labelled, universe },
    })),
  }))

const folded = (cases: readonly Case[]): { readonly summary: Summary; readonly results: readonly CaseResult[] } => {
  const totals = runTotals([suite], 1)
  const results = cases.map(({ planned, trials }) => {
    for (const trial of trials) totals.addTrial(planned, trial)
    const result = caseResult(
      planned,
      trials.map(({ row }) => row),
      (value) => value,
    )
    totals.addCase(planned, result)
    return result
  })
  return { summary: totals.summary(), results }
}

const share = (part: number, all: number): number | null => (all === 0 ? null : part / all)
const sumOrNull = (values: readonly (number | null)[]): number | null =>
  values.reduce((sum, value) => (sum === null || value === null ? null : sum + value), 0 as number | null)
const isUsable = ({ row }: Trial): boolean => row.status === 'passed' || row.status === 'failed'
const hasPassed = ({ row }: Trial): boolean => row.status === 'passed'

const naiveTrigger = (trials: readonly Trial[]) => {
  const counts = new Map<string, { tp: number; fp: number; fn: number; tn: number }>()
  for (const { trigger } of trials.filter(isUsable)) {
    if (!trigger) continue
    for (const skill of trigger.labelled === 'all' ? universe : trigger.labelled) {
      const known = counts.get(skill) ?? { tp: 0, fp: 0, fn: 0, tn: 0 }
      counts.set(skill, known)
      const [isExpected, isSelected] = [trigger.expected.includes(skill), trigger.selected.includes(skill)]
      known[isExpected ? (isSelected ? 'tp' : 'fn') : isSelected ? 'fp' : 'tn']++
    }
  }
  const ratesOf = ({ tp, fp, fn, tn }: { tp: number; fp: number; fn: number; tn: number }) => {
    const [precision, recall] = [share(tp, tp + fp), share(tp, tp + fn)]
    return { precision, recall, f1: share(2 * tp, 2 * tp + fp + fn), specificity: share(tn, tn + fp) }
  }
  const total = { tp: 0, fp: 0, fn: 0, tn: 0 }
  for (const one of counts.values()) for (const key of ['tp', 'fp', 'fn', 'tn'] as const) total[key] += one[key]
  const skills = [...counts].sort().map(([name, one]) => [name, { ...one, ...ratesOf(one) }] as const)
  const macro = (key: 'precision' | 'recall' | 'f1' | 'specificity') => {
    const known = skills.flatMap(([, rates]) => rates[key] ?? [])
    return share(
      known.reduce((sum, rate) => sum + rate, 0),
      known.length,
    )
  }
  return {
    ...{ ...total, ...ratesOf(total), skills: Object.fromEntries(skills) },
    macro: {
      ...{ precision: macro('precision'), recall: macro('recall') },
      ...{ f1: macro('f1'), specificity: macro('specificity') },
    },
  }
}

/** Definition 7: the ranks are 0..n-1, and what lies between two is taken from the line between them. */
const naiveQuantile = (values: readonly number[], p: number): number | null => {
  if (values.length === 0) return null
  const sorted = values.toSorted((a, b) => a - b)
  const at = p * (sorted.length - 1)
  const [low = 0, high = 0] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]]
  return low * (1 - (at % 1)) + high * (at % 1)
}

const naiveStatus = ({ planned, trials }: Case): string => {
  const usable = trials.filter(isUsable).length
  const passed = trials.filter(hasPassed).length
  const needs = planned.evalCase.pass_threshold * trials.length
  const verdict =
    usable === 0
      ? 'undecided'
      : passed >= needs
        ? 'passed'
        : passed + trials.length - usable >= needs
          ? 'undecided'
          : 'failed'
  if (verdict === 'undecided') return trials.some(({ row }) => row.status === 'error') ? 'error' : 'stale'
  if (planned.evalCase.xfail !== true) return verdict
  return verdict === 'passed' ? 'failed' : 'passed'
}

describe('a summary', () => {
  const cases = fc.array(caseOf, { maxLength: 8 }).map(madeOf)

  test('equals a naive count over the raw trials', () => {
    fc.assert(
      fc.property(cases, (all) => {
        const { summary, results } = folded(all)
        const trials = all.flatMap((one) => one.trials)
        const rated = all.filter(({ planned }) => planned.evalCase.xfail !== true).flatMap((one) => one.trials)
        const statuses = all.map(naiveStatus)
        const ended = (wanted: string) => statuses.filter((one) => one === wanted).length
        expect(results.map((result) => result.status)).toEqual(statuses)
        expect(summary).toMatchObject({
          ...{ cases: all.length, trials: trials.length, skipped: 0 },
          ...{ passed: ended('passed'), failed: ended('failed'), errors: ended('error'), stale: ended('stale') },
          pass_rate: share(rated.filter(hasPassed).length, rated.filter(isUsable).length),
          usage: {
            input_tokens: sumOrNull(trials.map(({ row }) => row.usage.input_tokens)),
            output_tokens: sumOrNull(trials.map(({ row }) => row.usage.output_tokens)),
            cached_input_tokens: sumOrNull(trials.map(({ row }) => row.usage.cached_input_tokens)),
            reasoning_tokens: sumOrNull(trials.map(({ row }) => row.usage.reasoning_tokens)),
          },
          actions: Object.fromEntries(
            ['grep', 'read_file'].flatMap((type) => {
              const found = trials.flatMap(({ row }) => row.actions).filter(({ action }) => action === type).length
              return found === 0 ? [] : [[type, found]]
            }),
          ),
        })
        const { macro, skills, ...micro } = naiveTrigger(trials)
        expect(summary.trigger).toMatchObject(micro)
        expect(summary.trigger.skills).toEqual(skills)
        for (const key of ['precision', 'recall', 'f1', 'specificity'] as const)
          expect(summary.trigger.macro[key] ?? -1).toBeCloseTo(macro[key] ?? -1, 12)
        const latencies = trials.filter(isUsable).map(({ row }) => row.latency_ms)
        for (const [key, p] of [
          ['p50', 0.5],
          ['p95', 0.95],
          ['max', 1],
        ] as const)
          expect(summary.latency_ms[key] ?? -1).toBeCloseTo(naiveQuantile(latencies, p) ?? -1, 6)
      }),
    )
  })

  test('has a cost where every trial with a model call has one, in sixty-fourths exactly', () => {
    fc.assert(
      fc.property(cases, (all) => {
        const rows = all.flatMap(({ trials }) => trials.map(({ row }) => row))
        const isIdle = ({ usage }: TrialRow) => Object.values(usage).every((tokens) => tokens === 0)
        const known = rows.filter((row) => row.cost_usd !== null || !isIdle(row))
        expect(folded(all).summary.cost_usd).toBe(sumOrNull(known.map(({ cost_usd }) => cost_usd)))
      }),
    )
  })

  test('is the same in whatever order cases and parts of a run are put together', () => {
    fc.assert(
      fc.property(cases, fc.func(fc.integer({ min: 0, max: 3 })), (all, shardOf) => {
        const shards = [0, 1, 2, 3].flatMap((shard) =>
          all.filter(({ planned }) => shardOf(planned.evalCase.id) === shard),
        )
        expect(folded(shards).summary).toEqual(folded(all).summary)
        expect(folded(all.toReversed()).summary).toEqual(folded(all).summary)
      }),
    )
  })

  test('errors and stale trials beside the others move no rate', () => {
    fc.assert(
      fc.property(cases, (all) => {
        const noisy = all.map(({ planned, trials }) => ({
          planned,
          trials: [
            ...trials,
            ...(['error', 'stale'] as const).map((bad, i) => ({
              row: { ...trials[0]!.row, n: 90 + i, status: bad },
              trigger: undefined,
            })),
          ],
        }))
        const [before, after] = [folded(all).summary, folded(noisy).summary]
        expect([after.pass_rate, after.interval]).toEqual([before.pass_rate, before.interval])
        expect([after.trigger, after.latency_ms]).toEqual([before.trigger, before.latency_ms])
      }),
    )
  })

  test('of a case is its share of usable trials, and pass@k and pass^k are those of every choice of k', () => {
    fc.assert(
      fc.property(cases, (all) => {
        for (const [i, result] of folded(all).results.entries()) {
          const usable = all[i]?.trials.filter(isUsable) ?? []
          expect(result.pass_rate).toBe(share(usable.filter(hasPassed).length, usable.length))
          expect(result.flaky).toBe(usable.some(hasPassed) && !usable.every(hasPassed))
          for (const [k, value] of Object.entries(result.pass_at_k)) {
            const chosen = choices(usable.map(hasPassed), Number(k))
            expect(value ?? -1).toBeCloseTo(
              share(chosen.filter((one) => one.some(Boolean)).length, chosen.length) ?? -1,
              12,
            )
            const every = share(chosen.filter((one) => one.every(Boolean)).length, chosen.length)
            expect(result.pass_pow_k[k] ?? -1).toBeCloseTo(every ?? -1, 12)
          }
        }
      }),
    )
  })
})

const choices = <T>(from: readonly T[], k: number): T[][] => {
  if (k === 0) return [[]]
  return from.flatMap((one, i) => choices(from.slice(i + 1), k - 1).map((rest) => [one, ...rest]))
}
