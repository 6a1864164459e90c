import type { Status, Summary } from '../core/results.ts'
import { clusterBootstrap } from './cluster-bootstrap.ts'
import { quantiles } from './latency.ts'
import { numberList } from './number-list.ts'
import { type TriggerObservation, triggerMetrics } from './trigger.ts'
import { type Spending, usageSum } from './usage.ts'

export type FinishedTrial = Spending & {
  readonly status: Status
  /** Null when no model was called or its answer never came. */
  readonly latency_ms: number | null
  /** The types of the actions, in any order. */
  readonly actions: readonly string[]
  /** Absent when the case labels no skill. */
  readonly trigger?: TriggerObservation | undefined
  /** What a judge used up for this trial; absent without one. */
  readonly judge?: Spending | undefined
}

export type FinishedCase = {
  readonly status: Status
  /** Trials that passed, and trials that could be judged. */
  readonly passed: number
  readonly usable: number
  readonly xfail: boolean
  /** Trials that were not needed, of a case that ends as soon as it is decided. */
  readonly saved?: number | undefined
}

/** The `summary` of run.json but for `thresholds`, which only a suite has. */
export type SummaryNumbers = Omit<Summary, 'thresholds'>

export type SummaryFold = {
  readonly addTrial: (trial: FinishedTrial) => void
  readonly addCase: (done: FinishedCase) => void
  readonly result: () => SummaryNumbers
  /** How many of the trials ended in error or stale: they stand beside the rates, in none of them. */
  readonly unusable: () => number
}

/**
 * Folds finished trials and cases, in any order, into the summary of a suite or a run. `passed` to `skipped` count
 * cases. Pass rate and interval are over the usable trials of cases that are not `xfail` (an expected failure says
 * nothing of quality); trigger metrics and latency over usable trials; tokens, cost and actions over all trials,
 * for they were spent. A skipped trial did not happen. Holds three numbers a case or trial, and no objects.
 */
export const summary = ({ seed }: { readonly seed: number }): SummaryFold => {
  const cases = { passed: 0, failed: 0, error: 0, stale: 0, skipped: 0 }
  const trials = { passed: 0, failed: 0, error: 0, stale: 0, skipped: 0 }
  const passed = numberList()
  const usable = numberList()
  const trigger = triggerMetrics()
  const spent = usageSum()
  const judge = usageSum()
  const latency = quantiles()
  const actions = new Map<string, number>()
  let saved: number | undefined
  return {
    addTrial: (trial) => {
      trials[trial.status]++
      if (trial.status === 'skipped') return
      spent.add(trial)
      if (trial.judge !== undefined) judge.add(trial.judge)
      for (const type of trial.actions) actions.set(type, (actions.get(type) ?? 0) + 1)
      if (trial.status !== 'passed' && trial.status !== 'failed') return
      if (trial.latency_ms !== null) latency.add(trial.latency_ms)
      if (trial.trigger !== undefined) trigger.add(trial.trigger)
    },
    addCase: (done) => {
      cases[done.status]++
      if (done.saved !== undefined) saved = (saved ?? 0) + done.saved
      if (done.status === 'skipped' || done.xfail || done.usable === 0) return
      // A case that was decided early weighs as much as if all its trials had run: its rate would else count for more the
      // longer it took to decide.
      const weight = 1 + (done.saved ?? 0) / done.usable
      passed.push(done.passed * weight)
      usable.push(done.usable * weight)
    },
    result: () => {
      const clusters = { passed: passed.values(), usable: usable.values(), length: usable.values().length }
      return {
        cases: total(cases),
        trials: total(trials) - trials.skipped,
        ...(saved === undefined ? {} : { trials_saved: saved }),
        passed: cases.passed,
        failed: cases.failed,
        errors: cases.error,
        stale: cases.stale,
        skipped: cases.skipped,
        pass_rate: clusters.length === 0 ? null : sum(clusters.passed) / sum(clusters.usable),
        interval: clusterBootstrap(clusters, { seed }),
        trigger: trigger.result(),
        ...spent.result(),
        judge: judge.result(),
        latency_ms: latency.result(),
        actions: Object.fromEntries([...actions].sort(([a], [b]) => (a < b ? -1 : 1))),
      }
    },
    unusable: () => trials.error + trials.stale,
  }
}

const sum = (values: Float64Array): number => values.reduce((all, value) => all + value, 0)

const total = (counts: Readonly<Record<Status, number>>): number =>
  Object.values(counts).reduce((all, count) => all + count, 0)
