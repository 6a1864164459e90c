import type { Comparison } from '../schema/compare.ts'
import { changeRows, countsText, gateRows, numberRows, verdictLines } from './compare-tables.ts'
import { foreignLine } from './foreign-text.ts'
import type { Rows } from './summary-tables.ts'
import { loadTable } from './table.ts'
import { painter, type Tone } from './tone.ts'

const MAX_CASES = 40

/** What `compare` prints: the cases that changed, the numbers, the gates, and last the verdict. */
export const compareText = async (
  comparison: Comparison,
  options: { readonly color: boolean; readonly width: number },
): Promise<string> => {
  const paint = painter(options.color)
  const layTable = await loadTable(options.width, paint)
  const lay = ({ columns, rows, left }: Rows) =>
    rows.length === 0 ? '' : layTable(columns, rows) + (left > 0 ? paint(`… and ${left} more\n`, 'faint') : '')
  const { base, head, verdict } = comparison
  const [title = '', ...rest] = verdictLines(comparison)
  const parts = [
    `${paint(`${foreignLine(base.id)} → ${foreignLine(head.id)}: ${countsText(comparison)}`, 'strong')}\n`,
    lay(changeRows(comparison, MAX_CASES)),
    lay(numberRows(comparison)),
    lay(gateRows(comparison)),
    [paint(title, verdictTones[verdict]), ...rest, ''].join('\n'),
  ]
  return parts.filter((part) => part !== '').join('\n')
}

const verdictTones: Readonly<Record<Comparison['verdict'], Tone>> = {
  better: 'good',
  worse: 'bad',
  no_change: 'good',
  inconclusive: 'warn',
}
