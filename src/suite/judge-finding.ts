import { checksOf } from './case-checks.ts'
import type { CheckEnv } from './checking.ts'
import { below, type SuiteFinding } from './finding.ts'
import { recordOr } from './record.ts'
import type { Suite } from './suite.ts'

/** Where a suite has rubrics that nobody could judge: its first one, and how many there are. */
export const judgeFinding = ({ judge, cases }: Suite, { judgeProblem }: CheckEnv): SuiteFinding | undefined => {
  const problem = judgeProblem?.(judge)
  if (problem === undefined) return undefined
  const rubrics = cases.flatMap((one, at) => {
    if (one.kind === 'case' && one.case.triggerOnly) return []
    const expected = recordOr((one.kind === 'case' ? one.case : one.template).expected)
    return checksOf(expected).flatMap(({ path, check }) => (Object.hasOwn(check, 'rubric') ? [{ at, path }] : []))
  })
  const [first] = rubrics
  if (first === undefined) return undefined
  const others = rubrics.length === 1 ? '' : ` (${rubrics.length} rubrics in this suite)`
  const path = [...first.path, 'rubric']
  const finding = { path, at: 'key', code: 'no-judge', ...problem, message: `${problem.message}${others}` } as const
  return { at: first.at, finding: below(['expected'], finding) }
}
