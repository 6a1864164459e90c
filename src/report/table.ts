import { fitEnd, fitMiddle, textWidth } from './text-width.ts'
import type { Paint, Tone } from './tone.ts'

export type Column = {
  readonly title: string
  /** Texts go to the left, numbers (the default) to the right. */
  readonly align?: 'left' | 'right'
  /** Where it is cut if the table is wider than the terminal; a column without it is never cut. */
  readonly shrinks?: 'middle' | 'end'
  /** Where even that is not enough, columns are left out, the highest number first, then those farthest to the right. */
  readonly drop?: number
}

/** Safe to show, on one line. */
export type Cell = string | { readonly text: string; readonly tone: Tone }

/** Lays out rows beneath a head, without borders, each line ended; columns are two spaces apart. */
export type LayTable = (columns: readonly Column[], rows: readonly (readonly Cell[])[]) => string

const GAP = '  '
const MIN_SHRUNK = 8

/** Loads the table layout. Colours come from `paint` alone: the layout's own are written even where none are wanted. */
export const loadTable = async (width: number, paint: Paint): Promise<LayTable> => {
  const { default: Table } = await import('cli-table3')
  return (all, allRows) => {
    const kept = fittingColumns(all, allRows, width)
    const columns = kept.flatMap((i) => all[i] ?? [])
    const rows = allRows.map((row) => kept.map((i) => row[i] ?? ''))
    const texts = rows.map((row) => row.map(textOf))
    const widths = columnWidths(columns, texts, width)
    const fit = (text: string, column: number) => {
      const cut = columns[column]?.shrinks === 'end' ? fitEnd : fitMiddle
      return cut(text, widths[column] ?? width)
    }
    const table = new Table({
      head: columns.map(({ title }) => paint(title, 'faint')),
      chars: noBorders,
      colAligns: columns.map(({ align }) => align ?? 'right'),
      style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0, compact: true },
    })
    for (const row of rows) table.push(row.map((cell, i) => paint(fit(textOf(cell), i), toneOf(cell))))
    return `${table.toString().replace(/ +$/gm, '')}\n`
  }
}

const textOf = (cell: Cell): string => (typeof cell === 'string' ? cell : cell.text)
const toneOf = (cell: Cell): Tone => (typeof cell === 'string' ? 'plain' : cell.tone)

/** The places of the columns that there is room for: a number is shown whole or not at all, and the first column always. */
const fittingColumns = (
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  width: number,
): readonly number[] => {
  const least = columns.map(({ title, shrinks }, i) => {
    const need = rows.reduce((most, row) => Math.max(most, textWidth(textOf(row[i] ?? ''))), textWidth(title))
    return shrinks === undefined ? need : Math.min(need, MIN_SHRUNK)
  })
  const kept = [...columns.keys()]
  const used = () => kept.reduce((sum, i) => sum + (least[i] ?? 0), GAP.length * (kept.length - 1))
  const rank = (i: number) => (columns[i]?.drop ?? 0) * columns.length + i
  while (kept.length > 1 && used() > width) {
    const worst = kept.slice(1).reduce((a, b) => (rank(b) > rank(a) ? b : a))
    kept.splice(kept.indexOf(worst), 1)
  }
  return kept
}

/** What each column needs; where that is too much, columns that shrink share what the others leave. */
const columnWidths = (
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number,
): readonly number[] => {
  const needs = columns.map(({ title }, i) =>
    rows.reduce((most, row) => Math.max(most, textWidth(row[i] ?? '')), textWidth(title)),
  )
  const widths = [...needs]
  const isFixed = columns.map(({ shrinks }) => shrinks === undefined)
  // A name that nothing can shrink is cut where it stands alone.
  if (columns.length === 1) return [Math.min(needs[0] ?? 0, Math.max(width, 1))]
  let room = width - GAP.length * (columns.length - 1)
  for (const [i, need] of needs.entries()) if (isFixed[i]) room -= need
  const shrinking = [...needs.entries()].filter(([i]) => !isFixed[i]).sort(([, a], [, b]) => a - b)
  for (const [at, [i, need]] of shrinking.entries()) {
    const share = Math.max(MIN_SHRUNK, Math.floor(room / (shrinking.length - at)))
    widths[i] = Math.min(need, share)
    room -= Math.min(need, share)
  }
  return widths
}

const noBorders = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: GAP,
}
