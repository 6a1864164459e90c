import type { CaseResult, SuiteHead } from '../core/results.ts'
import { caseLabel } from './explain-case.ts'
import { foreignLine } from './foreign-text.ts'
import { formatNumber } from './format-number.ts'

const MAX_NAMED = 5

/** Why a case counts as passed though it failed; undefined for any other. */
export const expectedFailure = ({ status, reason }: Pick<CaseResult, 'status' | 'reason'>): string | undefined =>
  status === 'passed' ? reason : undefined

/** Collects the cases that failed as they should: in the counts they are among those that passed. */
export const expectedFailures = () => {
  let count = 0
  const named: string[] = []
  return {
    add: (suite: Pick<SuiteHead, 'name' | 'models'>, result: CaseResult): void => {
      const reason = expectedFailure(result)
      if (reason === undefined) return
      count += 1
      if (named.length < MAX_NAMED) named.push(`${caseLabel(suite, result)}: ${foreignLine(reason)}`)
    },
    /** The lines, without their ends; none where there are none. */
    lines: (): readonly string[] => [
      ...named.map((line) => `xfail ${line}`),
      ...(count > MAX_NAMED ? [`… and ${formatNumber(count - MAX_NAMED)} more failed as expected`] : []),
    ],
  }
}
