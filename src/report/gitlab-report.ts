import type { Reporter } from '../core/ports.ts'
import type { CaseResult, SuiteHead } from '../core/results.ts'
import { sha256 } from '../lib/hash.ts'
import { caseLabel, shortReason } from './explain-case.ts'
import { foreignLine } from './foreign-text.ts'
import { jsonText } from './json-text.ts'
import { isProblem } from './worst-first.ts'

/**
 * A Code Quality report for GitLab: each case that did not pass as a finding on its line of the suite, shown in the
 * changes of a merge request. A finding is the same one from run to run.
 * https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
 */
export const gitlabReporter = (): Reporter => {
  let suite: SuiteHead | undefined
  let findings = 0
  return {
    start: () => '[',
    suite: (head) => {
      suite = head
      return ''
    },
    result: (result) => {
      if (suite === undefined || !isProblem(result)) return ''
      return `${findings++ === 0 ? '' : ','}\n${jsonText(finding(suite, result))}`
    },
    end: () => '\n]\n',
  }
}

const finding = (suite: SuiteHead, result: CaseResult) => {
  const { status, id, model, line, golden } = result
  const reason = shortReason(result, 500)
  return {
    description: `${caseLabel(suite, result)} ${status}${reason === '' ? '' : `: ${reason}`}`,
    check_name: `skills-eval/${status}`,
    fingerprint: sha256(JSON.stringify([suite.path, suite.name, id, model])),
    severity: golden === true && status === 'failed' ? 'blocker' : severities[status],
    location: { path: foreignLine(suite.path, 1000), lines: { begin: line ?? 1 } },
  }
}

const severities = { failed: 'critical', error: 'major', stale: 'minor', skipped: 'info', passed: 'info' } as const
