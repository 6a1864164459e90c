import { nearest } from '../lib/nearest.ts'
import type { RowPlace } from './case-ids.ts'
import type { Finding } from './finding.ts'
import type { EachCase, Row } from './suite.ts'
import { missingColumns, placesOf } from './template.ts'

/** A column that a case names and rows do not have; `place` is a row's, undefined where the case is to blame. */
export type Absence = { readonly place: RowPlace | undefined; readonly finding: Finding }

export type AbsentColumns = {
  /** Whether the row has every column. */
  look(row: Row, place: RowPlace): boolean
  findings(each: EachCase): Absence[]
}

/** A hundred are read by nobody; the rest shows when those are mended. */
const MOST = 100

/**
 * Counts the rows that lack a column, so that it is told once however many they are: at the placeholder if no row has
 * it, else at the first row that has not.
 */
export const absentColumns = (columns: readonly string[]): AbsentColumns => {
  const absences = new Map<string, { readonly place: RowPlace; readonly keys: readonly string[]; count: number }>()
  let rows = 0
  return {
    look: (row, place) => {
      rows += 1
      const missing = missingColumns(columns, row)
      for (const column of missing) {
        const known = absences.get(column)
        if (known !== undefined) known.count += 1
        else if (absences.size < MOST) absences.set(column, { place, keys: Object.keys(row).slice(0, MOST), count: 1 })
      }
      return missing.length === 0
    },
    findings: (each) => {
      const places = placesOf(each.template, new Set(absences.keys()))
      return [...absences].map(([column, { place, keys, count }]) => {
        const [guess] = nearest(column, keys, 1)
        const hint =
          guess === undefined ? `Columns: ${keys.slice(0, 20).join(', ')}.` : `Did you mean \`{{${guess}}}\`?`
        const code = 'unknown-placeholder'
        if (count === rows) {
          const message = `unknown placeholder \`{{${column}}}\`: no row has that column`
          return { place: undefined, finding: { path: places.get(column) ?? [], at: 'value', code, message, hint } }
        }
        const others = count === 1 ? '' : `, nor have ${count - 1} others`
        const message = `the row has no column \`${column}\`${others}`
        return { place, finding: { path: [], at: 'value', code, message, hint } }
      })
    },
  }
}
