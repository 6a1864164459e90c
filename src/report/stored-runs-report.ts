import type { RunResult } from '../core/results.ts'
import { foreignLine } from './foreign-text.ts'
import { formatCost, formatDuration, formatNumber } from './format-number.ts'
import { runsTable } from './runs-table.ts'
import { rateText } from './summary-tables.ts'
import type { Cell } from './table.ts'
import { trialsThere, type UnfinishedRunRow } from './unfinished-run-report.ts'

/** A run in the list; `problem` where it could not be read. */
export type StoredRunRow = { readonly id: string } & (
  | { readonly head: Omit<RunResult, 'suites'> }
  | { readonly unfinished: UnfinishedRunRow }
  | { readonly problem: string }
)

/** What `runs list` prints: a row for each stored run, newest first, and how those that were cut short go on. */
export const storedRunsText = async (
  runs: readonly StoredRunRow[],
  total: number,
  options: { readonly color: boolean; readonly width: number },
): Promise<string> => {
  const table = await runsTable(columns, runs.map(row), total, options)
  const hints = runs.flatMap((run) =>
    'unfinished' in run && !run.unfinished.isGoingOn ? [`to go on: ${run.unfinished.resume}\n`] : [],
  )
  return `${table}${hints.join('')}`
}

const columns = [
  { title: 'run', align: 'left' },
  { title: 'started', align: 'left', drop: 6 },
  { title: 'took', drop: 5 },
  { title: 'cases' },
  { title: 'failed' },
  { title: 'errors', drop: 1 },
  { title: 'stale', drop: 2 },
  { title: 'pass rate' },
  { title: 'cost', drop: 4 },
  { title: 'command', align: 'left', shrinks: 'end', drop: 3 },
] as const

const row = (run: StoredRunRow): readonly Cell[] => {
  const id: Cell = { text: foreignLine(run.id, 60), tone: 'strong' }
  if ('problem' in run) {
    // In a column that is never left out.
    const middle = columns
      .slice(1, -1)
      .map(({ title }): Cell => (title === 'pass rate' ? { text: 'unreadable', tone: 'bad' } : ''))
    return [id, ...middle, foreignLine(run.problem, 160)]
  }
  if ('unfinished' in run) {
    const { startedAt, durationMs, isGoingOn } = run.unfinished
    const state: Cell = isGoingOn ? { text: 'going on', tone: 'strong' } : { text: 'unfinished', tone: 'bad' }
    // In a column that is never left out.
    const rest = columns.slice(3, -1).map(({ title }): Cell => (title === 'pass rate' ? state : ''))
    return [id, dayAndTime(startedAt), formatDuration(durationMs), ...rest, trialsThere(run.unfinished)]
  }
  const { started_at, duration_ms, summary, command } = run.head
  return [
    id,
    dayAndTime(started_at),
    formatDuration(duration_ms),
    formatNumber(summary.cases),
    loud(summary.failed),
    loud(summary.errors),
    loud(summary.stale),
    rateText(summary),
    formatCost(summary.cost_usd),
    foreignLine(command.join(' '), 160),
  ]
}

const dayAndTime = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 16)}`

const loud = (count: number): Cell => (count === 0 ? '0' : { text: formatNumber(count), tone: 'bad' })
