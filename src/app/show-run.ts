import type { Reporter } from '../core/ports.ts'
import type { CaseResult, ModelSummary, RunHead, RunResult, SuiteHead } from '../core/results.ts'
import { isExpectedFailure, usableTrials } from '../metrics/pair-cases.ts'
import { summary } from '../metrics/summarize.ts'

/** A stored run as a report, told to the reporter as if it had just ended. */
export const renderRun = (run: RunResult, reporter: Reporter): string => {
  const suites = run.suites.map((suite): SuiteHead => ({ ...suite, models: modelSummaries(suite, run.seed) }))
  const head: RunHead = { ...run, suites }
  const pieces = [reporter.start(head)]
  for (const [i, suite] of suites.entries()) {
    pieces.push(reporter.suite(suite))
    for (const result of run.suites[i]?.cases ?? []) pieces.push(reporter.result(result))
  }
  pieces.push(reporter.end())
  return pieces.join('')
}

/** run.json has no summary of each model: counts and rates are made again from its cases. */
const modelSummaries = (suite: RunResult['suites'][number], seed: number): readonly ModelSummary[] => {
  const byModel = new Map<string, CaseResult[]>()
  for (const result of suite.cases) {
    const same = byModel.get(result.model) ?? []
    byModel.set(result.model, same)
    same.push(result)
  }
  return [...byModel].map(([model, cases]) => {
    const fold = summary({ seed })
    let spent = 0
    for (const result of cases) {
      const usable = usableTrials(result)
      for (const { duration_ms } of result.trials) spent += duration_ms
      const passed = usable.filter(({ status }) => status === 'passed').length
      fold.addCase({ status: result.status, passed, usable: usable.length, xfail: isExpectedFailure(result) })
    }
    return { model, summary: { ...fold.result(), thresholds: [] }, duration_ms: spent }
  })
}
