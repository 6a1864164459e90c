import type { RunResult } from '../core/results.ts'
import type { Comparison } from '../schema/compare.ts'
import { builtHtmlReporter } from './html-reporter.ts'
import { renderRun } from './show-run.ts'

/** The HTML report of `head` with the comparison in it, and its cases beside those of `base`. */
export const comparedHtml = (comparison: Comparison, base: RunResult, head: RunResult): string => {
  const cases = base.suites.flatMap((suite) => suite.cases.map((result) => ({ suite: suite.name, result })))
  return renderRun(head, builtHtmlReporter({ base: { comparison, cases } }))
}
