import type { Status } from '../core/results.ts'
import type { CaseRow } from '../report/html/case-row.ts'
import type { Query } from './route.ts'

/** A row with its place in the run, its suite's name and what a text is looked for in. */
export type ListedRow = CaseRow & {
  readonly index: number
  readonly suiteName: string
  readonly key: string
  readonly searched: string
}

export const searchedText = (suiteName: string, row: CaseRow): string =>
  [`${suiteName}/${row.id}`, row.model, row.reason, row.error ?? '', ...row.tags, ...row.skills, ...notesOf(row)]
    .join('\n')
    .toLowerCase()

/** What else is to be known of a case, in words. */
export const notesOf = ({ golden, flaky, positional }: CaseRow): readonly string[] => [
  ...(golden ? ['golden'] : []),
  ...(flaky ? ['flaky'] : []),
  ...(positional ? ['by turn order'] : []),
]

/** The rows that a query leaves, in its order. */
export const filterRows = (rows: readonly ListedRow[], query: Query): readonly ListedRow[] => {
  const words = query.text.toLowerCase().split(/\s+/).filter(Boolean)
  const left = rows.filter(
    (row) =>
      (query.statuses.length === 0 || query.statuses.includes(row.status)) &&
      (query.suite === '' || row.suiteName === query.suite) &&
      (query.model === '' || row.model === query.model) &&
      (query.tag === '' || row.tags.includes(query.tag)) &&
      (query.skill === '' || row.skills.includes(query.skill)) &&
      words.every((word) => row.searched.includes(word)),
  )
  return sorted(left, query.sort)
}

type SortValue = (row: ListedRow) => number | string | null

const ranks: Readonly<Record<Status, number>> = { failed: 0, error: 1, stale: 2, skipped: 3, passed: 4 }

const columns: Readonly<Record<string, SortValue>> = {
  status: (row) => (row.golden && row.status === 'failed' ? -1 : ranks[row.status]),
  case: ({ suiteName, id }) => `${suiteName}/${id}`,
  model: ({ model }) => model,
  trials: ({ passed, usable }) => (usable === 0 ? null : passed / usable),
  tokens: ({ tokens }) => tokens,
  cost: ({ cost }) => cost,
  latency: ({ latency }) => latency,
  lift: ({ lift }) => lift ?? null,
}

/** What is not known comes last, whichever way the rest is sorted; equal rows stay in the order of the run. */
const sorted = (rows: readonly ListedRow[], sort: string): readonly ListedRow[] => {
  const name = sort.replace(/^-/, '')
  const valueIn = Object.hasOwn(columns, name) ? columns[name] : undefined
  if (valueIn === undefined) return rows
  const direction = sort.startsWith('-') ? -1 : 1
  const known: { row: ListedRow; value: number | string }[] = []
  const unknown: ListedRow[] = []
  for (const row of rows) {
    const value = valueIn(row)
    if (value === null) unknown.push(row)
    else known.push({ row, value })
  }
  known.sort((a, b) => (a.value < b.value ? -direction : a.value > b.value ? direction : 0))
  return [...known.map(({ row }) => row), ...unknown]
}

/** The next way to sort by a column: up, down, not at all. */
export const nextSort = (sort: string, column: string): string =>
  sort === column ? `-${column}` : sort === `-${column}` ? '' : column
