import type { PlannedCase, PlannedSuite } from '../core/plan.ts'
import type { CaseResult, SuiteHead, Summary, TrialResult } from '../core/results.ts'
import { withNested } from '../core/trajectory.ts'
import { type SummaryFold, summary } from '../metrics/summarize.ts'
import { checkThresholds } from '../metrics/thresholds.ts'
import type { Thresholds } from '../schema/suite.ts'
import type { FinishedTrial } from './run-trial.ts'

/** The running sums of a whole run: no trial or case is held. */
export type RunTotals = {
  addTrial(planned: PlannedCase, trial: FinishedTrial): void
  addCase(planned: PlannedCase, result: CaseResult): void
  summary(): Summary
  suites(): SuiteHead[]
  /** How often each error code ended a case. */
  errorCodes(): Readonly<Record<string, number>>
}

/** `isGated`: whether the thresholds of the suites are looked at. */
export const runTotals = (suites: readonly PlannedSuite[], seed: number, isGated = true): RunTotals => {
  const whole = summary({ seed })
  const perSuite = new Map(suites.map((suite) => [suite, suiteFolds(suite, seed)]))
  const codes = new Map<string, number>()
  const foldsOf = (planned: PlannedCase): readonly SummaryFold[] => {
    const folds = perSuite.get(planned.suite)
    const model = folds?.models.get(planned.model)
    return folds ? [whole, folds.all, ...(model && model !== folds.all ? [model] : [])] : [whole]
  }
  const heads = (): SuiteHead[] =>
    suites.map((suite) => {
      const folds = perSuite.get(suite)
      const all = folds ? closed(folds.all, isGated ? suite.thresholds : undefined) : emptySummary(seed)
      const models = [...(folds?.models ?? [])].map(([model, fold]) => ({
        model,
        summary: folds && fold === folds.all ? all : { ...fold.result(), thresholds: [] },
        duration_ms: folds?.durations.get(model) ?? 0,
      }))
      const { name, path, description } = suite
      return {
        ...{ name, path, ...(description === undefined ? {} : { description }), summary: all, models },
        ...(isGated || models.length < 2 ? {} : { model_triggers: triggersOf(models) }),
      }
    })

  return {
    addTrial: (planned, { row, trigger }) => {
      const trial = { ...numbersOf(row), trigger }
      for (const fold of foldsOf(planned)) fold.addTrial(trial)
      const durations = perSuite.get(planned.suite)?.durations
      durations?.set(planned.model, (durations.get(planned.model) ?? 0) + row.duration_ms)
    },
    addCase: (planned, result) => {
      const done = {
        saved: savedTrials(result),
        status: result.status,
        passed: result.trials.filter((trial) => trial.status === 'passed').length,
        usable: result.trials.filter((trial) => trial.status === 'passed' || trial.status === 'failed').length,
        xfail: planned.evalCase.xfail !== undefined && planned.evalCase.xfail !== false,
      }
      for (const fold of foldsOf(planned)) fold.addCase(done)
      const code = result.status === 'error' ? result.trials.find((trial) => trial.error)?.error?.code : undefined
      if (code !== undefined) codes.set(code, (codes.get(code) ?? 0) + 1)
    },
    summary: () => ({ ...whole.result(), thresholds: allThresholds(heads()) }),
    suites: heads,
    errorCodes: () => Object.fromEntries(codes),
  }
}

/** What is merged from run.json alone needs them there: the labels of the cases are not in it. */
const triggersOf = (models: SuiteHead['models']): Record<string, Summary['trigger']> =>
  Object.fromEntries(models.map(({ model, summary: { trigger } }) => [model, trigger]))

/** A case that the end of the run cut short has saved nothing. */
export const savedTrials = ({ status, trials_planned, trials }: CaseResult): number | undefined => {
  if (trials_planned === undefined) return undefined
  return status === 'skipped' ? 0 : trials_planned - trials.length
}

/** The thresholds of all suites, with the suite's name where several have some. */
export const allThresholds = (heads: readonly SuiteHead[]): Summary['thresholds'] => {
  const gated = heads.filter((head) => head.summary.thresholds.length > 0)
  return gated.flatMap((head) =>
    head.summary.thresholds.map((result) =>
      gated.length === 1 ? result : { ...result, name: `${head.name}/${result.name}` },
    ),
  )
}

const suiteFolds = (suite: PlannedSuite, seed: number) => {
  const all = summary({ seed })
  const isMatrix = suite.models.length > 1
  const models = new Map(suite.models.map((model) => [model, isMatrix ? summary({ seed }) : all]))
  return { all, models, durations: new Map<string, number>() }
}

const closed = (fold: SummaryFold, limits: Thresholds | undefined): Summary => {
  const numbers = fold.result()
  return { ...numbers, thresholds: limits ? checkThresholds(limits, { ...numbers, unusable: fold.unusable() }) : [] }
}

const emptySummary = (seed: number): Summary => ({ ...summary({ seed }).result(), thresholds: [] })

export const numbersOf = (row: TrialResult) => ({
  status: row.status,
  usage: row.usage,
  cost_usd: row.cost_usd,
  latency_ms: row.latency_ms,
  judge: row.judge,
  actions: withNested(row.actions).map((action) => action.action),
})
