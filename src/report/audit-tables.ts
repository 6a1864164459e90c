import type { AuditGroup, CaseResult, RunHead, SuiteAudit } from '../core/results.ts'
import { foreignLine } from './foreign-text.ts'
import { formatNumber, plural } from './format-number.ts'
import type { Room, Rows } from './summary-tables.ts'
import type { Cell } from './table.ts'

/** Whether there are cases that pass for an agent that does nothing, and that was to be a failure. */
export const isAuditMissed = ({ audit }: Pick<RunHead, 'audit'>): boolean =>
  audit?.mode === 'fail' && audit.vacuous_cases > 0

/** What agents pass that do not do the work: cases without any other check first, then vacuous checks, then weak ones. */
export const auditRows = ({ audit }: Pick<RunHead, 'audit'>, { limit }: Room): Rows => {
  const every = Object.keys(audit?.agents ?? {}).length
  const rows = (audit?.groups ?? []).flatMap((group) => groupRows(group, every)).sort((a, b) => a.rank - b.rank)
  return {
    columns: [
      { title: 'audit', align: 'left' },
      { title: 'case', align: 'left', shrinks: 'middle' },
      { title: 'check', align: 'left', shrinks: 'end' },
      { title: 'holds for', align: 'left' },
    ],
    rows: rows.slice(0, limit).map(({ cells }) => cells),
    left: Math.max(0, rows.length - limit),
  }
}

type RankedRow = { readonly rank: number; readonly cells: readonly Cell[] }

const groupRows = (group: AuditGroup, every: number): RankedRow[] => {
  const label = labelOf(group)
  const rows: RankedRow[] = []
  if (group.vacuous_cases > 0) {
    const what = group.checks.length === 0 ? '(no check asks for anything)' : '(all of its checks)'
    const rest = group.vacuous_cases < group.cases ? ` in ${formatNumber(group.vacuous_cases)}` : ''
    rows.push({ rank: 0, cells: [{ text: 'vacuous', tone: 'bad' }, label, `${what}${rest}`, 'idle'] })
  }
  if (group.unjudged_cases > 0) {
    rows.push({ rank: 3, cells: ['unjudged', label, '(could not be judged)', 'idle'] })
  }
  for (const { name, passed_by } of group.checks) {
    const isVacuous = passed_by.idle !== undefined
    const word: Cell = isVacuous ? { text: 'vacuous', tone: 'warn' } : 'weak'
    rows.push({
      rank: isVacuous ? 1 : 2,
      cells: [word, label, foreignLine(name), holders(passed_by, group.cases, every)],
    })
  }
  return rows
}

const labelOf = ({ suite, case: id, cases }: AuditGroup): string =>
  foreignLine(`${suite}/${id}${cases > 1 ? ` and ${formatNumber(cases - 1)} more` : ''}`)

const holders = (passedBy: Readonly<Record<string, number>>, cases: number, every: number): string => {
  const all = Object.entries(passedBy)
  if (all.length === every && all.every(([, count]) => count === cases)) return 'every agent'
  return all
    .map(([agent, count]) => foreignLine(count < cases ? `${agent} (${formatNumber(count)})` : agent))
    .join(', ')
}

/** The audit in a line; '' without one. */
export const auditLine = ({ audit }: Pick<RunHead, 'audit'>): string =>
  audit === undefined ? '' : `audit: ${parts(audit).join(', ')}`

const parts = (audit: SuiteAudit): readonly string[] => [
  `${formatNumber(audit.vacuous_checks)} of ${plural(audit.checks, 'check')} vacuous`,
  `${formatNumber(audit.weak_checks)} weak`,
  `${formatNumber(audit.vacuous_cases)} of ${plural(audit.cases, 'case')} vacuous`,
  `${formatNumber(audit.negative_cases)} negative`,
  ...(audit.unjudged_cases === 0 ? [] : [`${formatNumber(audit.unjudged_cases)} not judged`]),
]

/**
 * What the audit says of a case, for a machine to read: `vacuous: all`, or the vacuous checks of the entry of its suite
 * that it comes from; undefined where there are none.
 */
export const vacuousIn = ({
  audit,
}: Pick<RunHead, 'audit'>): ((suite: string, result: Pick<CaseResult, 'line'>) => string | undefined) => {
  const told = new Map<string, string>()
  for (const group of audit?.groups ?? []) {
    const checks = group.checks.filter(({ passed_by }) => passed_by.idle !== undefined).map(({ name }) => name)
    const isWhole = group.cases > 0 && group.vacuous_cases === group.cases
    if (isWhole || checks.length > 0)
      told.set(JSON.stringify([group.suite, group.line]), `vacuous: ${isWhole ? 'all' : checks.join('; ')}`)
  }
  return (suite, { line }) => told.get(JSON.stringify([suite, line]))
}
