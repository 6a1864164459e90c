import { codeCell } from './markdown-text.ts'
import type { Rows } from './summary-tables.ts'
import type { Cell, Column } from './table.ts'

/** A table beneath its title, for Markdown; nothing where it has no rows. */
export const rowsAsMarkdown = (title: string, { columns, rows, left }: Rows): string => {
  if (rows.length === 0) return ''
  const titles = columns.map((column) => column.title)
  const rules = columns.map(({ align }) => (align === 'left' ? ':--' : '--:'))
  const lines = [titles, rules, ...rows.map((row) => row.map((cell, i) => cellText(cell, columns[i])))]
  const more = left > 0 ? `\n… and ${left} more.\n` : ''
  return `\n## ${title}\n\n${lines.map((line) => `| ${line.join(' | ')} |\n`).join('')}${more}`
}

// Texts may be another's; numbers are ours.
const cellText = (cell: Cell, column: Column | undefined): string => {
  const { text, tone } = typeof cell === 'string' ? { text: cell, tone: 'plain' } : cell
  if (column?.align === 'left' && column.title !== '') return codeCell(text)
  return tone === 'bad' ? `**${text}**` : text
}
