import { formatNumber, plural } from './format-number.ts'
import { type Cell, type Column, loadTable } from './table.ts'
import { painter } from './tone.ts'

/** A list of runs, newest first, with how many of `total` it shows. */
export const runsTable = async (
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  total: number,
  options: { readonly color: boolean; readonly width: number },
): Promise<string> => {
  if (rows.length === 0) return '0 runs\n'
  const layTable = await loadTable(options.width, painter(options.color))
  const more = total > rows.length ? ` of ${formatNumber(total)}` : ''
  return `${layTable(columns, rows)}\n${plural(rows.length, 'run')}${more}\n`
}
