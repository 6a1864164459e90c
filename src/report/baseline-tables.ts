import type { Arm } from '../core/arm.ts'
import type { Baseline, CaseBaseline, CaseResult, SuiteHead } from '../core/results.ts'
import { adaptiveLines, intervalText, pointsText, pText, verdictWords } from './compare-tables.ts'
import { caseLabel } from './explain-case.ts'
import { foreignLine, foreignLines } from './foreign-text.ts'
import { formatCost, formatNumber, formatShare, plural, UNKNOWN } from './format-number.ts'
import type { Rows } from './summary-tables.ts'
import type { Cell } from './table.ts'
import type { ToneLine } from './tone.ts'

/** The other arm in words: `without skills`, `without csv-analyzer`, `with old/skills`. */
export const baselineName = (arm: Arm): string => {
  switch (arm.kind) {
    case 'without_skills':
      return 'without skills'
    case 'without':
      return `without ${foreignLine(arm.skill)}`
    case 'version':
      return `with ${foreignLine(arm.path)}`
  }
}

/** What the skills add, and what it stands on, a sentence a line; the first is the verdict. */
export const baselineLines = (baseline: Baseline): readonly ToneLine[] => {
  const { arm, lift, gate, summary } = baseline
  const { base, head, difference, interval, p, detectable, verdict } = lift
  const name = baselineName(arm)
  const range = interval === null ? '' : `, 95% interval ${intervalText(interval)}`
  const title =
    lift.cases === 0
      ? `baseline ${name}: no case was judged in both arms`
      : `baseline ${name}: pass rate ${formatShare(base)} → ${formatShare(head)} (${pointsText(difference)}${range}): ${verdictWords[verdict]}`
  const smallest =
    detectable === null
      ? 'fewer than six cases show no difference'
      : `so many cases would probably (80%) show ${pointsText(detectable).slice(1)} or more`
  const spent = baseline.reused || summary === null ? '' : `, cost ${formatCost(summary.cost_usd)}`
  return [
    { text: title, tone: verdict === 'worse' ? 'bad' : verdict === 'better' ? 'good' : 'strong' },
    ...(lift.cases === 0
      ? []
      : [plain(`over ${plural(lift.cases, 'case')} and the checks of both arms; p ${pText(p)}; ${smallest}${spent}`)]),
    ...adaptiveLines(lift).map(warning),
    ...(baseline.problem === undefined ? [] : [warning(foreignLine(baseline.problem))]),
    ...troubles(baseline),
    ...(baseline.reused ? [plain(`the baseline is that of run ${foreignLine(baseline.run?.id ?? '')}`)] : []),
    ...leftOut(baseline),
    ...(gate === undefined ? [] : [gateLine(gate)]),
  ]
}

const plain = (text: string): ToneLine => ({ text, tone: 'faint' })
const warning = (text: string): ToneLine => ({ text, tone: 'warn' })

const troubles = ({ summary, first_problem: first }: Baseline): readonly ToneLine[] => {
  if (summary === null || summary.errors + summary.stale === 0) return []
  const told = [
    ...(summary.errors === 0 ? [] : [plural(summary.errors, 'error')]),
    ...(summary.stale === 0 ? [] : [`${formatNumber(summary.stale)} stale`]),
  ]
  const why = first === undefined ? [] : foreignLines(first, { maxLines: 4, maxLength: 300 })
  return [warning(`in the baseline: ${told.join(', ')}`), ...why.map((line) => plain(`  ${line}`))]
}

const reasons: Readonly<Record<keyof Baseline['left_out'], string>> = {
  no_checks: 'without a check that could hold there',
  with_skills: 'marked with_skills',
  no_input: 'that only invoke a skill',
  same_skills: 'of suites whose skills are the same',
  xfail: 'expected to fail',
  skipped: 'skipped',
}

const leftOut = ({ left_out: counts }: Baseline): readonly ToneLine[] => {
  const told = Object.entries(reasons).flatMap(([key, reason]) => {
    const count = counts[key as keyof typeof counts]
    return count === 0 ? [] : [`${formatNumber(count)} ${reason}`]
  })
  return told.length === 0 ? [] : [plain(`not in the baseline: ${told.join(', ')}`)]
}

const gateLine = ({ limit, actual, result }: NonNullable<Baseline['gate']>): ToneLine => {
  const text = `lift at least ${pointsText(limit).slice(1)}: ${actual === null ? 'not known' : pointsText(actual)}`
  if (result === 'met') return { text: `${text}, met`, tone: 'good' }
  if (result === 'missed') return { text: `${text}, MISSED`, tone: 'bad' }
  return warning(`${text}, but chance could explain it`)
}

/** A row for each skill that cases label, the least lift first. */
export const skillLiftRows = ({ skills }: Baseline, limit: number): Rows => ({
  columns: [
    { title: 'skill', align: 'left', shrinks: 'middle' },
    { title: 'cases', drop: 3 },
    { title: 'baseline', drop: 1 },
    { title: 'run' },
    { title: 'lift' },
    { title: 'p', drop: 2 },
    { title: 'verdict', align: 'left' },
  ],
  rows: skills
    .toSorted((a, b) => (a.difference ?? 0) - (b.difference ?? 0))
    .slice(0, limit)
    .map((one) => [
      foreignLine(one.skill),
      formatNumber(one.cases),
      formatShare(one.base),
      formatShare(one.head),
      pointsText(one.difference),
      pText(one.p),
      verdictWords[one.verdict],
    ]),
  left: Math.max(0, skills.length - limit),
})

/** The checks that hold in both arms. */
export const noSignalRows = ({ no_signal: { checks, named } }: Baseline, limit: number): Rows => ({
  columns: [
    { title: 'holds in both arms, so shows nothing', align: 'left', shrinks: 'middle' },
    { title: 'check', align: 'left', shrinks: 'end' },
  ],
  rows: named
    .slice(0, limit)
    .map((one) => [
      `${foreignLine(one.suite)}/${foreignLine(one.case)}${one.cases > 1 ? ` and ${formatNumber(one.cases - 1)} more` : ''}`,
      foreignLine(one.check, 120),
    ]),
  left: Math.max(0, checks - Math.min(limit, named.length)),
})

export type LiftRows = {
  add(suite: SuiteHead, result: CaseResult): void
  rows(): Rows
}

/** The cases with the least lift, at most `limit`; no more than that are held. */
export const caseLiftRows = (limit: number): LiftRows => {
  let kept: { readonly label: string; readonly baseline: CaseBaseline }[] = []
  let count = 0
  return {
    add: (suite, { baseline, ...result }) => {
      if (baseline === undefined) return
      count++
      kept.push({ label: caseLabel(suite, result), baseline })
      if (kept.length > limit * 4) kept = leastFirst(kept).slice(0, limit)
    },
    rows: () => ({
      columns: [
        { title: 'case', align: 'left', shrinks: 'middle' },
        { title: 'baseline', align: 'left', drop: 1 },
        { title: 'run' },
        { title: 'lift' },
        { title: 'verdict', align: 'left' },
      ],
      rows: leastFirst(kept)
        .slice(0, limit)
        .map(({ label, baseline }) => [
          label,
          baselineCell(baseline),
          formatShare(baseline.head_pass_rate),
          liftCell(baseline),
          baseline.verdict === 'unjudged' ? '' : verdictWords[baseline.verdict],
        ]),
      left: Math.max(0, count - limit),
    }),
  }
}

const leastFirst = <T extends { readonly baseline: CaseBaseline }>(rows: readonly T[]): T[] =>
  rows.toSorted((a, b) => (a.baseline.lift ?? 2) - (b.baseline.lift ?? 2))

const baselineCell = ({ status, pass_rate }: CaseBaseline): Cell =>
  pass_rate === null ? { text: status, tone: 'warn' } : formatShare(pass_rate)

const liftCell = ({ lift }: CaseBaseline): Cell => {
  if (lift === null) return UNKNOWN
  return lift < 0 ? { text: pointsText(lift), tone: 'bad' } : pointsText(lift)
}
