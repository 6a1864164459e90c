import type { CaseResult, ModelSummary, Summary } from '../core/results.ts'
import { isExpectedFailure, usableTrials } from '../metrics/pair-cases.ts'
import { type SummaryFold, summary } from '../metrics/summarize.ts'
import { numbersOf, savedTrials } from '../runner/run-totals.ts'

/** What run.json has no summary of: each model of a suite, made again from its cases but for the trigger metrics. */
export const modelSummaries = (seed: number) => {
  const folds = new Map<string, { readonly sums: SummaryFold; spentMs: number }>()
  return {
    add: (result: CaseResult): void => {
      const { model, status, trials } = result
      const fold = folds.get(model) ?? { sums: summary({ seed }), spentMs: 0 }
      folds.set(model, fold)
      for (const trial of trials) {
        fold.spentMs += trial.duration_ms
        fold.sums.addTrial(numbersOf(trial))
      }
      const usable = usableTrials(result)
      const passed = usable.filter((trial) => trial.status === 'passed').length
      const xfail = isExpectedFailure(result)
      fold.sums.addCase({ status, passed, usable: usable.length, xfail, saved: savedTrials(result) })
    },
    /** `whole` is the summary of the suite: that of its model, where it has one. */
    result: (whole: Summary): ModelSummary[] =>
      [...folds].map(([model, { sums, spentMs }]) => ({
        model,
        summary: folds.size === 1 ? whole : { ...sums.result(), thresholds: [] },
        duration_ms: spentMs,
      })),
  }
}
