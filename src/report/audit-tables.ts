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
  const groups = audit?.groups ?? []
  const rows = [...groups.flatMap((group) => groupRows(group, every)), ...triggerRow(groups)].sort(
    (a, b) => a.rank - b.rank,
  )
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
  for (const check of group.checks) {
    if (isOfTriggers(group, check)) continue
    const { name, passed_by } = check
    const isVacuous = passed_by.idle !== undefined
    const word: Cell = isVacuous ? { text: 'vacuous', tone: 'warn' } : 'weak'
    rows.push({
      rank: isVacuous ? 1 : 2,
      cells: [word, label, foreignLine(name), holders(passed_by, group.cases, every)],
    })
  }
  return rows
}

type AuditedCheck = AuditGroup['checks'][number]

/** Every query that should select a skill is passed by the agent that selects all of them: that says nothing of the query. */
const isOfTriggers = ({ trigger_only }: AuditGroup, { passed_by }: AuditedCheck): boolean =>
  trigger_only === true && Object.keys(passed_by).every((agent) => agent === 'all_skills')

/** All of them in one row: skill by skill they would crowd out the rest. */
const triggerRow = (groups: readonly AuditGroup[]): RankedRow[] => {
  const held = groups.flatMap((group) => group.checks.filter((check) => isOfTriggers(group, check)))
  if (held.length === 0) return []
  const cases = held.reduce((sum, { passed_by }) => sum + (passed_by.all_skills ?? 0), 0)
  const cells = ['weak', `${plural(cases, 'query', 'queries')} of triggers`, '(--json names them)', 'all_skills']
  return [{ rank: 2.5, cells }]
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

/** What the audit says of a case, for a machine to read; of a part of which there is nothing to say there is none. */
export type AuditOfCase = { readonly vacuous?: string; readonly weak?: string }
type AuditedCase = Pick<CaseResult, 'id' | 'line' | 'trials'>

/**
 * What the audit says of a case, by the entry of its suite that it comes from: `vacuous: all`, or the vacuous checks, and
 * the weak ones with those for whom they hold. Rows of one entry say different things with the same check: each is told
 * its own, and of how many rows that is known.
 */
export const auditOfCases = ({
  audit,
}: Pick<RunHead, 'audit'>): ((suite: string, result: AuditedCase) => AuditOfCase) => {
  const groups = new Map((audit?.groups ?? []).map((group) => [keyOfGroup(group), group]))
  return (suite, result) => {
    const queries = groups.get(JSON.stringify([suite, headOf(result.id)]))
    const group = queries ?? groups.get(JSON.stringify([suite, result.line]))
    return group === undefined ? {} : toldOf(group, result)
  }
}

const keyOfGroup = ({ suite, case: id, line, trigger_only }: AuditGroup): string =>
  JSON.stringify([suite, trigger_only ? headOf(id) : line])

/** What the queries of one list of a trigger share. */
const headOf = (id: string): string => id.slice(0, id.lastIndexOf('/'))

const toldOf = (group: AuditGroup, result: AuditedCase): AuditOfCase => {
  const told = (check: AuditedCheck, count: number, more = '') => {
    const some =
      group.cases > 1 && count < group.cases ? ` (in ${formatNumber(count)} of ${plural(group.cases, 'row')})` : ''
    return `${ownName(check, group, result)}${more}${some}`
  }
  const vacuous = group.checks.filter(({ passed_by }) => passed_by.idle !== undefined)
  const weak = group.checks.filter((check) => !vacuous.includes(check) && !isOfTriggers(group, check))
  const isWhole = group.cases > 0 && group.vacuous_cases === group.cases
  const list = isWhole ? 'all' : vacuous.map((check) => told(check, check.passed_by.idle ?? 0)).join('; ')
  const others = weak.map((check) => {
    const { passed_by } = check
    return told(check, Math.max(...Object.values(passed_by)), ` (${Object.keys(passed_by).join(', ')})`)
  })
  return {
    ...(list === '' ? {} : { vacuous: `vacuous: ${list}` }),
    ...(others.length === 0 ? {} : { weak: `weak: ${others.join('; ')}` }),
  }
}

/** What a check is called in this row: as in the first one, or the check that has its place among those of its kind. */
const ownName = ({ name, kind, place }: AuditedCheck, { cases }: AuditGroup, { trials }: AuditedCase): string => {
  const checks = trials[0]?.checks ?? []
  if (cases === 1 || checks.some((check) => check.name === name)) return name
  const alike = checks.filter((check) => check.kind === kind && check.weight > 0)
  const [nth, of] = place ?? [1, 1]
  // What only forbids is not audited: where there is some of this kind, the places are others.
  return (alike.length === of ? alike[nth - 1]?.name : undefined) ?? `a check of the kind ${kind}`
}
