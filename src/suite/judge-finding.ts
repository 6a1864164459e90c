import { checksOf } from './case-checks.ts'
import type { CheckEnv } from './checking.ts'
import { below, type SuiteFinding } from './finding.ts'
import { recordOr } from './record.ts'
import type { Suite } from './suite.ts'

/** That the suite itself names a judge which is none: its own mistake, whether anything is to be judged or not. */
export const judgeNameFinding = (judge: string | undefined, { judgeProblem }: Pick<CheckEnv, 'judgeProblem'>) => {
  const problem = judge === undefined ? undefined : judgeProblem?.(judge)
  return problem && ({ finding: { path: ['judge'], at: 'value', code: 'no-judge', ...problem } } satisfies SuiteFinding)
}

/** Where a suite has rubrics that nobody could judge: its first one, and how many there are. */
export const judgeFinding = ({ judge, cases }: Suite, env: CheckEnv): SuiteFinding | undefined => {
  if (judge !== undefined) return judgeNameFinding(judge, env)
  const problem = env.judgeProblem?.(judge)
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
