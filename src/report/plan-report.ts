import { type PlannedCase, type RunPlan, reasonOf } from '../core/plan.ts'
import type { RecordMode } from '../core/record-mode.ts'
import { foreignLine } from './foreign-text.ts'
import { formatCost, formatNumber, plural, UNKNOWN } from './format-number.ts'
import { loadTable } from './table.ts'
import { painter } from './tone.ts'

/** What `--list` prints, a line for each case as it is asked for: `suite/case-id  [tags]  model`. */
export function* listPlan(plan: RunPlan): Generator<string> {
  for (const planned of plan.cases()) yield `${listed(planned)}\n`
}

const listed = ({ suite, evalCase, model }: PlannedCase): string => {
  const { id, tags, skip } = evalCase
  const reason = reasonOf(skip)
  const parts = [
    `${foreignLine(suite.name)}/${foreignLine(id)}`,
    ...(tags.length === 0 ? [] : [`[${tags.map((tag) => foreignLine(tag)).join(', ')}]`]),
    foreignLine(model),
    ...(reason === undefined ? [] : [`skipped: ${foreignLine(reason)}`]),
  ]
  return parts.join('  ')
}

export type PlannedPart = {
  readonly suite: string
  readonly path: string
  readonly model: string
  readonly cases: number
  readonly trials: number
  /** So many at most: of a case whose trials end once they decide, fewer may run. Absent where it is exact. */
  readonly at_most?: true
  readonly skipped: number
}

/** What `--dry-run --json` prints. */
export type PlanTotals = {
  readonly cases: number
  readonly trials: number
  /** As for a part. */
  readonly at_most?: true
  readonly skipped: number
  readonly parts: readonly PlannedPart[]
  /** Whom the run would contact, for each model that would run: null is nobody. */
  readonly contacts: Readonly<Record<string, string | null>>
  /** What would be done with the recordings of each model that would run, and for how many cases there is none. */
  readonly recordings: Readonly<Record<string, PlannedRecordings>>
  /** Who would judge rubrics, by the judge's profile; absent where there are none. */
  readonly judges?: Readonly<Record<string, PlannedJudge>>
}

export type PlannedJudge = { readonly contact: string | null; readonly mode: RecordMode; readonly trials: number }
/** What a live model would probably use and cost. */
export type CostEstimate = {
  /** Trials in which it would be asked. */
  readonly trials: number
  readonly input_tokens: number | null
  readonly output_tokens: number | null
  readonly cost_usd: number | null
  /** Why the cost is null. */
  readonly reason?: string
  /** What it was made from. */
  readonly from: readonly ('recordings' | 'tokens')[]
  /** What skills that run on their own would take is not in it: there are some, and nothing recorded tells. */
  readonly without_subagents?: true
}

export type PlannedArm = PlanTotals & {
  /** `without_skills`, `without:NAME` or `version:PATH`. */
  readonly arm: string
  readonly estimates: Readonly<Record<string, CostEstimate>>
  /** An earlier run has it: nothing of it would be run. */
  readonly reused: boolean
}

/** The plan with its cost, and the other arm where one was asked for. */
export type DryRun = PlanTotals & {
  readonly estimates: Readonly<Record<string, CostEstimate>>
  readonly baseline?: PlannedArm
}

export type PlannedRecordings = { readonly mode: RecordMode; readonly missing: number }

/**
 * Counts a run plan by suite and model, without holding its cases. `contactOf` says for a model profile whom a run
 * would contact (a provider, an address), or null: a scripted model contacts nobody, nor does a replay.
 */
export const planTotals = (
  plan: RunPlan,
  contactOf: (model: string) => string | null,
  { modeOf, isThere }: { modeOf(model: string): RecordMode; isThere(planned: PlannedCase): boolean },
  judgeFor: (planned: PlannedCase) => (Omit<PlannedJudge, 'trials'> & { readonly profile: string }) | undefined = () =>
    undefined,
): PlanTotals => {
  const judges = new Map<string, PlannedJudge>()
  const recordings = new Map<string, { readonly mode: RecordMode; missing: number }>()
  const parts: { -readonly [K in keyof PlannedPart]: PlannedPart[K] }[] = []
  for (const planned of plan.cases()) {
    const { suite, model, trials } = planned
    let part = parts.at(-1)
    // The plan keeps the cases of a suite and model together, so only the last part can go on.
    if (part === undefined || part.suite !== suite.name || part.model !== model) {
      part = { suite: suite.name, path: suite.path, model, cases: 0, trials: 0, skipped: 0 }
      parts.push(part)
    }
    part.cases++
    part.trials += trials
    if (stopsEarly(planned)) part.at_most = true
    if (trials === 0) {
      part.skipped++
      continue
    }
    const recorded = recordings.get(model) ?? { mode: modeOf(model), missing: 0 }
    recordings.set(model, recorded)
    if (recorded.mode !== 'off' && !isThere(planned)) recorded.missing++
    const judge = judgeFor(planned)
    if (judge === undefined) continue
    const { profile, contact, mode } = judge
    judges.set(profile, { contact, mode, trials: (judges.get(profile)?.trials ?? 0) + trials })
  }
  const { cases, trials, skipped } = plan.counts
  const contacts = Object.fromEntries([...recordings.keys()].map((model) => [model, contactOf(model)]))
  return {
    cases,
    trials,
    ...(parts.some(({ at_most }) => at_most) ? { at_most: true as const } : {}),
    skipped,
    parts,
    contacts,
    recordings: Object.fromEntries(recordings),
    ...(judges.size === 0 ? {} : { judges: Object.fromEntries(judges) }),
  }
}

/** What `--dry-run` prints: a row for each suite and model, then whom the run would contact. */
export const dryRunText = async (
  { cases, trials, at_most, skipped, parts, contacts, recordings, judges = {}, estimates, baseline }: DryRun,
  options: { readonly color: boolean; readonly width: number },
): Promise<string> => {
  const paint = painter(options.color)
  const layTable = await loadTable(options.width, paint)
  const rows = parts.map((part) => [
    foreignLine(part.suite),
    foreignLine(part.model),
    formatNumber(part.cases),
    `${upTo(part)}${formatNumber(part.trials)}`,
    formatNumber(part.skipped),
  ])
  const contacted = Object.entries(contacts).map(
    ([model, contact]) =>
      `${foreignLine(model)} would contact ${contact === null ? 'nothing' : foreignLine(contact)}${whatIsDone(contact, recordings[model])}\n`,
  )
  const judged = Object.entries(judges).map(
    ([profile, { contact, mode, trials: count }]) =>
      `${foreignLine(profile)} would judge ${upTo({ at_most })}${plural(count, 'trial')} and contact ${contact === null ? 'nothing' : foreignLine(contact)}${whatIsDone(contact, { mode, missing: 0 })}\n`,
  )
  const total = `${plural(cases, 'case')}, ${upTo({ at_most })}${plural(trials, 'trial')}, ${formatNumber(skipped)} skipped: nothing was run`
  const other = baseline === undefined ? '' : armLine(baseline)
  const costs = [
    ...costLines(estimates, upTo({ at_most })),
    ...(baseline === undefined || baseline.reused ? [] : costLines(baseline.estimates, upTo(baseline), 'the baseline')),
  ]
  const lines = [...contacted, ...judged, other, ...costs]
  return `${layTable(columns, rows)}\n${lines.join('')}${paint(total, 'strong')}\n`
}

/** A case that runs until it is decided may take fewer trials than are planned. */
const stopsEarly = ({ adaptive, trials }: PlannedCase): boolean => adaptive !== undefined && trials > 1

const upTo = ({ at_most }: { readonly at_most?: true | undefined }): string => (at_most ? 'up to ' : '')

const armLine = ({ arm, cases, trials, reused, at_most }: PlannedArm): string =>
  reused
    ? `baseline ${foreignLine(arm)}: as an earlier run has it\n`
    : `baseline ${foreignLine(arm)}: ${plural(cases, 'case')}, ${upTo({ at_most })}${plural(trials, 'trial')} more\n`

/** A line for each model that would be asked. */
const costLines = (estimates: DryRun['estimates'], most: string, whose = ''): readonly string[] =>
  Object.entries(estimates).flatMap(([model, one]) => {
    if (one.trials === 0) return []
    const { input_tokens: input, output_tokens: output, cost_usd: cost, from, reason, without_subagents } = one
    const tokens = (count: number | null) => (count === null ? UNKNOWN : formatNumber(count))
    const money =
      cost === null
        ? `not known: ${foreignLine(reason ?? '')}`
        : `${most === '' ? 'about' : 'up to about'} ${formatCost(cost)}`
    const basis = from.map((source) => (source === 'recordings' ? 'recordings' : 'counted tokens')).join(' and ')
    const name = `${foreignLine(model)}${whose === '' ? '' : ` in ${whose}`}`
    return [
      `${name} would cost ${money} (${most}${plural(one.trials, 'trial')}, ${tokens(input)} tokens in, ${tokens(output)} out, by ${basis}${without_subagents ? ', without what skills that run on their own cost' : ''})\n`,
    ]
  })

const whatIsDone = (contact: string | null, planned: PlannedRecordings | undefined): string => {
  if (planned === undefined) return ''
  const { mode, missing } = planned
  const absent = missing === 0 ? '' : `, ${plural(missing, 'recording')} missing`
  switch (mode) {
    case 'off':
      return contact === null ? '' : ': asked live, nothing kept'
    case 'all':
      return ': recorded anew'
    case 'replay':
      return `: replayed${absent}`
    case 'missing':
      return `: replayed, and recorded where nothing is${absent}`
    case 'stale':
      return `: replayed, and recorded anew where stale${absent}`
  }
}

const columns = [
  { title: 'suite', align: 'left', shrinks: 'middle' },
  { title: 'model', align: 'left' },
  { title: 'cases' },
  { title: 'trials' },
  { title: 'skipped' },
] as const
