import type { Reporter } from '../core/ports.ts'
import type { AuditGroup, CaseResult, RunHead, SuiteHead } from '../core/results.ts'
import { isAuditMissed } from './audit-tables.ts'
import { baselineLines } from './baseline-tables.ts'
import { caseLabel, explainCase } from './explain-case.ts'
import { foreignLine } from './foreign-text.ts'
import { plural } from './format-number.ts'
import { githubCommand } from './github-command.ts'
import { type Place, placeOf } from './place-words.ts'
import { takeLines } from './take-lines.ts'
import { isProblem, worstFirst } from './worst-first.ts'

/** GitHub shows ten errors of a step. */
const MAX_ANNOTATIONS = 10
const MAX_MESSAGE_BYTES = 4000
const DETAIL = { maxChecks: 3, maxActions: 0, maxLines: 10, maxLength: 300 }

/**
 * Annotations for GitHub's log: the ten worst cases as `::error` on the suite's file and line, then a note of how
 * many there are besides, the vacuous cases where they are to be a failure, and the lift where there is a baseline.
 * https://docs.github.com/actions/reference/workflow-commands-for-github-actions
 */
export const githubReporter = (): Reporter => {
  const worst = worstFirst<string>(MAX_ANNOTATIONS)
  let suite: SuiteHead | undefined
  let run: RunHead | undefined
  return {
    start: (head) => {
      run = head
      return ''
    },
    suite: (head) => {
      suite = head
      return ''
    },
    result: (result) => {
      const at = suite
      if (at !== undefined && isProblem(result)) worst.add(result, () => annotation(at, result, run && placeOf(run)))
      return ''
    },
    end: () => {
      const left = worst.count() - MAX_ANNOTATIONS
      const note = left > 0 ? `::notice::${plural(left, 'more case')} not passed; all are in the report\n` : ''
      return worst.list().join('') + note + (run === undefined ? '' : vacuousCases(run) + baselineNote(run))
    },
  }
}

const annotation = (suite: SuiteHead, result: CaseResult, place: Place | undefined): string =>
  githubCommand(
    'error',
    { file: suite.path, line: result.line, title: `${caseLabel(suite, result)} ${result.status}` },
    takeLines(texts(suite, result, place), MAX_MESSAGE_BYTES),
  )

/** What the skills add: an error where a gate on it is missed, a warning where nobody can say. */
const baselineNote = ({ baseline }: RunHead): string => {
  if (baseline === undefined) return ''
  const { gate } = baseline
  const levels = { met: 'notice', missed: 'error', inconclusive: 'warning' } as const
  const lines = baselineLines(baseline)
  const told = [lines[0], ...(gate === undefined ? [] : [lines.at(-1)])].flatMap((line) => line?.text ?? [])
  return githubCommand(levels[gate?.result ?? 'met'], { title: 'baseline' }, told.join('\n'))
}

const vacuousCases = (run: RunHead): string =>
  isAuditMissed(run)
    ? (run.audit?.groups ?? [])
        .filter(({ vacuous_cases }) => vacuous_cases > 0)
        .slice(0, MAX_ANNOTATIONS)
        .map(vacuousCase)
        .join('')
    : ''

const vacuousCase = ({ path, line, suite, case: id }: AuditGroup): string =>
  githubCommand(
    'error',
    { file: path, line, title: foreignLine(`${suite}/${id} vacuous`) },
    'no check of this case fails for an agent that does nothing',
  )

function* texts(suite: SuiteHead, result: CaseResult, place: Place | undefined): Generator<string> {
  for (const { text } of explainCase(suite, result, { ...DETAIL, ...(place ? { place } : {}) })) yield text
}
