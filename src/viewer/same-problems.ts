import type { ListedRow } from './filter-rows.ts'

/** Rows that are one case on several models, with one status and one reason, together; in the order of the first of each. */
export const sameProblems = (rows: readonly ListedRow[]): readonly (readonly [ListedRow, ...ListedRow[]])[] => {
  const groups = new Map<string, [ListedRow, ...ListedRow[]]>()
  for (const row of rows) {
    const key = JSON.stringify([row.suite, row.id, row.status, row.reason])
    const same = groups.get(key)
    if (same === undefined) groups.set(key, [row])
    else same.push(row)
  }
  return [...groups.values()]
}
