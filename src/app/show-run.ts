import type { Reporter } from '../core/ports.ts'
import type { RunHead, RunResult, SuiteHead } from '../core/results.ts'
import { modelSummaries } from './model-summaries.ts'

/** A stored run as a report, told to the reporter as if it had just ended. */
export const renderRun = (run: RunResult, reporter: Reporter): string => {
  const suites = run.suites.map((suite): SuiteHead => {
    const models = modelSummaries(run.seed)
    for (const result of suite.cases) models.add(result)
    return { ...suite, models: models.result(suite.summary) }
  })
  const head: RunHead = { ...run, suites }
  const pieces = [reporter.start(head)]
  for (const [i, suite] of suites.entries()) {
    pieces.push(reporter.suite(suite))
    for (const result of run.suites[i]?.cases ?? []) pieces.push(reporter.result(result))
  }
  pieces.push(reporter.end())
  return pieces.join('')
}
