import { type Probe, probes } from '../agent/probe-model.ts'
import type { EvalCase, PlannedCase } from '../core/plan.ts'
import type { AuditGroup, CheckResult, SuiteAudit } from '../core/results.ts'
import type { ProvingPart } from './proving-part.ts'

/** What became of the checks of one case with each probe; without those for which it could not be judged. */
export type ProbedCase = {
  readonly planned: PlannedCase
  readonly part: ProvingPart
  readonly checks: ReadonlyMap<Probe, readonly CheckResult[]>
}

export type AuditFold = { add(probed: ProbedCase): void; result(mode: SuiteAudit['mode']): SuiteAudit }

/**
 * Folds probed cases into the audit of a run. All the cases that one entry of a suite makes are one group, whatever the
 * number of rows: what is held grows with what a person wrote.
 */
export const auditFold = (): AuditFold => {
  const counts = {
    cases: 0,
    checks: 0,
    vacuous_checks: 0,
    weak_checks: 0,
    vacuous_cases: 0,
    negative_cases: 0,
    unjudged_cases: 0,
  }
  const groups = new Map<string, Group>()
  return {
    add: ({ planned, part, checks }) => {
      const group = groupOf(groups, planned)
      const rows = checksOf(checks)
      const isUnjudged = !checks.has('idle')
      const isNegative = rows.length === 0 && part.judged === 0 && part.forbids
      const isVacuous =
        !isUnjudged && !isNegative && part.judged === 0 && rows.every(({ passedBy }) => passedBy.includes('idle'))
      counts.cases += 1
      counts.checks += rows.length
      if (isUnjudged) counts.unjudged_cases += 1
      else if (isNegative) counts.negative_cases += 1
      if (isVacuous) counts.vacuous_cases += 1
      group.cases += 1
      if (isUnjudged) group.unjudged_cases += 1
      if (isVacuous) group.vacuous_cases += 1
      for (const [i, { name, kind, passedBy }] of rows.entries()) {
        if (passedBy.length === 0) continue
        if (passedBy.includes('idle')) counts.vacuous_checks += 1
        else counts.weak_checks += 1
        // Rows say different things with the same check: its place is what they share.
        const key = `${i} ${kind}`
        const known = group.checks.get(key) ?? { name, kind, place: placeOf(rows, i), passed_by: {} }
        group.checks.set(key, known)
        for (const probe of passedBy) known.passed_by[probe] = (known.passed_by[probe] ?? 0) + 1
      }
    },
    result: (mode) => ({
      mode,
      agents: { ...whatTheyDo },
      ...counts,
      groups: [...groups.values()]
        .filter((group) => group.checks.size + group.vacuous_cases + group.unjudged_cases > 0)
        .map((group) => ({ ...group, checks: [...group.checks.values()].map((check) => placed(check, group.cases)) })),
    }),
  }
}

/** Which of the checks of its kind, and of how many. */
const placeOf = (rows: readonly { readonly kind: string }[], at: number): [number, number] => {
  const isAlike = ({ kind }: { readonly kind: string }) => kind === rows[at]?.kind
  return [rows.slice(0, at + 1).filter(isAlike).length, rows.filter(isAlike).length]
}

const placed = ({ place, ...check }: AuditGroup['checks'][number], cases: number): AuditGroup['checks'][number] =>
  cases === 1 || place === undefined ? check : { ...check, place }

type Group = Omit<AuditGroup, 'checks'> & { readonly checks: Map<string, AuditGroup['checks'][number]> }

const whatTheyDo: Readonly<Record<Probe, string>> = {
  idle: 'answers at once with nothing',
  echo: 'answers with the request',
  all_skills: 'selects every skill and answers nothing',
  wrong_file: 'writes nonsense to the files that are asked for and answers nothing',
}

const groupOf = (groups: Map<string, Group>, { suite, evalCase }: PlannedCase): Group => {
  const key = JSON.stringify([suite.name, entryOf(evalCase)])
  const known = groups.get(key)
  if (known !== undefined) return known
  const { id, line, triggerOnly } = evalCase
  const made: Group = {
    suite: suite.name,
    path: suite.path,
    case: id,
    line,
    ...(triggerOnly ? { trigger_only: true as const } : {}),
    cases: 0,
    vacuous_cases: 0,
    unjudged_cases: 0,
    checks: new Map(),
  }
  groups.set(key, made)
  return made
}

/** Rows share the line of their case; the queries of a trigger, which have one each, the head of their ids. */
const entryOf = ({ id, line, triggerOnly }: EvalCase): string | number =>
  triggerOnly ? id.slice(0, id.lastIndexOf('/')) : line

/** A case has the same checks for every probe for which it could be judged. */
const checksOf = (
  checks: ProbedCase['checks'],
): { readonly name: string; readonly kind: string; readonly passedBy: readonly Probe[] }[] => {
  const [first = []] = checks.values()
  return first.map(({ name, kind }, i) => ({
    name,
    kind,
    passedBy: probes.filter((probe) => checks.get(probe)?.[i]?.passed === true),
  }))
}
