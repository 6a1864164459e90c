import type { RunHead, Summary } from '../core/results.ts'
import { allInput, allOutput } from '../core/usage.ts'
import { foreignLine } from './foreign-text.ts'
import { formatCost, formatDuration, formatNumber, formatShare, UNKNOWN } from './format-number.ts'
import type { Cell, Column } from './table.ts'
import { actualText, allThresholds, limitText } from './thresholds.ts'

export type Rows = {
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly Cell[])[]
  /** Rows beyond the limit. */
  readonly left: number
}

/** What fits: at most `limit` rows, and only the columns that matter most where the terminal is `narrow`. */
export type Room = { readonly limit: number; readonly narrow?: boolean }

/** A row for each suite, or each of its models where it has several; where they are too many, the worst of them. */
export const suiteRows = (run: RunHead, { limit, narrow = false }: Room): Rows => {
  const rows = run.suites.flatMap(({ name, summary, models }) =>
    models.length > 1
      ? models.map((one) => ({ name: `${foreignLine(name)} [${foreignLine(one.model)}]`, summary: one.summary }))
      : [{ name: foreignLine(name), summary }],
  )
  const { errors, stale, skipped } = run.summary
  const all: readonly SuiteColumn[] = [
    { title: 'suite', align: 'left', shrinks: 'middle', cell: (row) => row.name },
    { title: 'cases', cell: ({ summary }) => formatNumber(summary.cases) },
    { title: 'passed', drop: 1, isShown: !narrow, cell: ({ summary }) => formatNumber(summary.passed) },
    { title: 'failed', cell: ({ summary }) => loud(summary.failed) },
    { title: 'errors', isShown: errors > 0, cell: ({ summary }) => loud(summary.errors) },
    { title: 'stale', isShown: stale > 0, cell: ({ summary }) => loud(summary.stale) },
    {
      title: 'skipped',
      drop: 2,
      isShown: skipped > 0 && !narrow,
      cell: ({ summary }) => formatNumber(summary.skipped),
    },
    { title: 'pass rate', cell: ({ summary }) => (narrow ? formatShare(summary.pass_rate) : rateText(summary)) },
  ]
  const columns = all.filter(({ isShown = true }) => isShown)
  const ordered = rows.length > limit ? rows.toSorted((a, b) => problems(b.summary) - problems(a.summary)) : rows
  return {
    columns,
    rows: ordered.slice(0, limit).map((row) => columns.map(({ cell }) => cell(row))),
    left: Math.max(0, rows.length - limit),
  }
}

type SuiteColumn = Column & { readonly isShown?: boolean; readonly cell: (row: SuiteRow) => Cell }
type SuiteRow = { readonly name: string; readonly summary: Summary }

const problems = ({ failed, errors, stale }: Summary): number => failed + errors + stale

const loud = (count: number): Cell => (count === 0 ? '0' : { text: formatNumber(count), tone: 'bad' })

/** `83.3% (62.0–98.1%)`, with the 95 % interval where there is one. */
export const rateText = ({ pass_rate, interval }: Pick<Summary, 'pass_rate' | 'interval'>): string => {
  if (pass_rate === null || interval === null) return formatShare(pass_rate)
  return `${formatShare(pass_rate)} (${formatShare(interval[0]).replace('%', '')}–${formatShare(interval[1])})`
}

/** A row for each labelled skill, those with wrong decisions first; no rows where no case labels a skill. */
export const triggerRows = ({ trigger }: Summary, { limit, narrow = false }: Room): Rows => {
  const skills = Object.entries(trigger.skills)
  const wrong = ([, { fp, fn }]: SkillRow) => fp + fn
  const all: readonly SkillColumn[] = [
    { title: 'skill', align: 'left', shrinks: 'middle', cell: ([name]) => foreignLine(name) },
    { title: 'precision', cell: ([, { precision }]) => formatShare(precision) },
    { title: 'recall', cell: ([, { recall }]) => formatShare(recall) },
    { title: 'F1', cell: ([, { f1 }]) => formatShare(f1) },
    { title: 'TP', drop: 1, isShown: !narrow, cell: ([, { tp }]) => formatNumber(tp) },
    { title: 'FP', cell: ([, { fp }]) => loud(fp) },
    { title: 'FN', cell: ([, { fn }]) => loud(fn) },
    { title: 'TN', drop: 2, isShown: !narrow, cell: ([, { tn }]) => formatNumber(tn) },
  ]
  const columns = all.filter(({ isShown = true }) => isShown)
  const ordered = skills.toSorted((a, b) => wrong(b) - wrong(a))
  return {
    columns,
    rows: ordered.slice(0, limit).map((row) => columns.map(({ cell }) => cell(row))),
    left: Math.max(0, skills.length - limit),
  }
}

type SkillRow = readonly [name: string, numbers: Summary['trigger']['skills'][string]]
type SkillColumn = Column & { readonly isShown?: boolean; readonly cell: (row: SkillRow) => Cell }

/** The confusion pairs that are wrong, most frequent first: what should have been selected and what was. */
export const confusionRows = ({ trigger }: Summary, { limit }: Room): Rows => {
  const wrong = trigger.confusion.filter(({ expected, selected }) => expected !== selected)
  return {
    columns: [
      { title: 'expected', align: 'left', shrinks: 'middle' },
      { title: 'but selected', align: 'left', shrinks: 'middle' },
      { title: 'times' },
    ],
    rows: wrong
      .toSorted((a, b) => b.count - a.count)
      .slice(0, limit)
      .map(({ expected, selected, count }) => [foreignLine(expected), foreignLine(selected), formatNumber(count)]),
    left: Math.max(0, wrong.length - limit),
  }
}

/** The pairs of skills that were mistaken for each other, with the words that their descriptions share. */
export const interferenceRows = ({ interference = [] }: Pick<RunHead, 'interference'>, { limit }: Room): Rows => ({
  columns: [
    { title: 'skill', align: 'left', shrinks: 'middle' },
    { title: 'mistaken for', align: 'left', shrinks: 'middle' },
    { title: 'there' },
    { title: 'back' },
    { title: 'words of both descriptions', align: 'left', shrinks: 'end' },
  ],
  rows: interference
    .slice(0, limit)
    .map(({ skills, times, shared_words }) => [
      foreignLine(skills[0]),
      foreignLine(skills[1]),
      formatNumber(times[0]),
      formatNumber(times[1]),
      foreignLine(shared_words.join(', ')) || UNKNOWN,
    ]),
  left: Math.max(0, interference.length - limit),
})

/** Every threshold, the missed ones first and loud. */
export const thresholdRows = (run: RunHead, { limit }: Room): Rows => {
  const all = allThresholds(run)
  const missedFirst = [...all.filter((one) => !one.threshold.passed), ...all.filter((one) => one.threshold.passed)]
  return {
    columns: [
      { title: 'threshold', align: 'left', shrinks: 'middle' },
      { title: 'suite', align: 'left', shrinks: 'middle' },
      { title: 'limit', align: 'left' },
      { title: 'actual', align: 'left' },
      { title: '', align: 'left' },
    ],
    rows: missedFirst
      .slice(0, limit)
      .map(({ suite, threshold }) => [
        foreignLine(threshold.name),
        suite === null ? '(run)' : foreignLine(suite),
        limitText(threshold),
        actualText(threshold),
        threshold.passed ? 'met' : { text: 'MISSED', tone: 'bad' },
      ]),
    left: Math.max(0, all.length - limit),
  }
}

/** Tokens, cost and latency of the run in a line. */
export const spendingLine = (summary: Summary): string => spendingParts(summary).join('  ')

/** The same in its parts, for a line that may have to be broken. */
export const spendingParts = ({
  usage,
  cost_usd,
  judge,
  latency_ms,
  trials_saved: saved,
}: Summary): readonly string[] => {
  const count = (tokens: number | null) => (tokens === null ? UNKNOWN : formatNumber(tokens))
  const cached = usage.cached_input_tokens ? ` (${count(usage.cached_input_tokens)} cached)` : ''
  const time = (ms: number | null) => (ms === null ? UNKNOWN : formatDuration(ms))
  return [
    `tokens: ${count(allInput(usage))} in${cached}, ${count(allOutput(usage))} out`,
    `cost: ${cost_usd === null ? 'not known' : formatCost(cost_usd)}`,
    ...(isUsed(judge) ? [judgeText(judge)] : []),
    `latency: mean ${time(latency_ms.mean)}, p95 ${time(latency_ms.p95)}`,
    ...(saved === undefined ? [] : [`trials saved: ${formatNumber(saved)}`]),
  ]
}

const isUsed = ({ usage, cost_usd }: Summary['judge']): boolean =>
  cost_usd !== 0 || Object.values(usage).some((tokens) => tokens !== 0)

const judgeText = ({ usage, cost_usd }: Summary['judge']): string => {
  const [input, output] = [allInput(usage), allOutput(usage)]
  const tokens = input === null || output === null ? '' : ` (${formatNumber(input)} in, ${formatNumber(output)} out)`
  return `judge: ${cost_usd === null ? 'not known' : formatCost(cost_usd)}${tokens}`
}
