import type { CheckHistory, CheckRecord } from '../core/results.ts'
import { foreignLine } from './foreign-text.ts'
import { formatNumber, formatShare, plural } from './format-number.ts'
import { type Cell, type LayTable, loadTable } from './table.ts'
import { painter } from './tone.ts'

const MAX_ROWS = 100

/** What `runs audit` prints: checks that never failed, those that always did, and how much was looked at. */
export const checkHistoryText = async (
  history: CheckHistory,
  { color, width }: { readonly color: boolean; readonly width: number },
): Promise<string> => {
  const paint = painter(color)
  const layTable = await loadTable(width, paint)
  const parts = [
    tableOf('never failed', 'fails at most', history.never_failed, layTable),
    tableOf('always failed', 'holds at most', history.always_failed, layTable),
    `${paint(summaryOf(history), 'faint')}\n`,
  ]
  return parts.filter((part) => part !== '').join('\n')
}

const tableOf = (title: string, bound: string, records: readonly CheckRecord[], layTable: LayTable): string => {
  if (records.length === 0) return ''
  const left = records.length - MAX_ROWS
  const rows = records
    .slice(0, MAX_ROWS)
    .map((record): readonly Cell[] => [
      foreignLine(`${record.suite}/${record.case}`),
      foreignLine(record.check, 120),
      formatNumber(record.trials),
      formatShare(record.bound),
    ])
  const columns = [
    { title, align: 'left', shrinks: 'middle' },
    { title: 'check', align: 'left', shrinks: 'end' },
    { title: 'trials' },
    { title: bound },
  ] as const
  return layTable(columns, rows) + (left > 0 ? `… and ${formatNumber(left)} more\n` : '')
}

const summaryOf = (history: CheckHistory): string => {
  const { runs, trials, checks, too_few, min_trials, guards, never_failed, always_failed, xfail } = history
  const replayed = [...never_failed, ...always_failed].some((record) => record.replayed > 0)
  return [
    `${plural(runs.length, 'run')}, ${plural(trials, 'trial')}, ${plural(checks, 'check')}`,
    `${formatNumber(never_failed.length)} never failed, ${formatNumber(always_failed.length)} always did`,
    `${formatNumber(guards)} that only forbid never failed, as they should`,
    `${formatNumber(too_few)} had fewer than ${plural(min_trials, 'trial')}`,
    ...(xfail > 0 ? [`${plural(xfail, 'trial')} of cases that should fail left out`] : []),
    ...(replayed ? ['replays repeat what was recorded: their number says little'] : []),
  ].join('; ')
}
