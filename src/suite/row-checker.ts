import { SkillsEvalError } from '../core/errors.ts'
import { nearest } from '../lib/nearest.ts'
import type { CaseIds, IdPlace } from './case-ids.ts'
import { rowFiller } from './each-case.ts'
import type { ExpressionProblems } from './expression-problems.ts'
import type { Finding } from './finding.ts'
import { type Path, valueAt } from './path.ts'
import { describeValue } from './plain-words.ts'
import { isRecord, type JsonRecord } from './record.ts'
import type { EachCase, Row } from './suite.ts'
import { compileTemplate, missingColumns } from './template.ts'
import { countShapeMistakes, validateCase } from './validate-case.ts'

/** Where mistakes of rows go. Findings about a row have the path `[]`, or `[column]` where one value is to blame. */
export type RowReport = {
  atRow(n: number, finding: Finding): void
  /** Paths start at the case. */
  atCase(finding: Finding): void
  isFull(): boolean
  skip(count: number): void
}

export type RowChecker = {
  /** The case that the row `n` (from 1) makes; undefined where something is wrong with it, which is then reported. */
  check(row: unknown, n: number, place: IdPlace): Promise<JsonRecord | undefined>
  /** Tells what only the rows together show. */
  finish(): void
}

/** Checks the rows of a case one after the other and holds none. */
export const rowChecker = (
  each: EachCase,
  { problems, ids, report }: { problems: ExpressionProblems; ids: CaseIds; report: RowReport },
): RowChecker => {
  const filler = rowFiller(each)
  const absent = absentColumns(filler.columns)

  const fill = (row: Row, n: number): JsonRecord | undefined => {
    try {
      return filler.fill(row, n)
    } catch (error) {
      if (!(error instanceof SkillsEvalError)) throw error
      report.atRow(n, { path: [], at: 'value', code: error.code.replaceAll('_', '-'), message: error.message })
      return undefined
    }
  }

  return {
    check: async (row, n, place) => {
      if (!isRecord(row)) {
        report.atRow(n, { path: [], at: 'value', code: 'row', message: `a row is a map, got ${describeValue(row)}` })
        return undefined
      }
      if (!absent.look(row, n)) return undefined
      const merged = fill(row, n)
      if (merged === undefined) return undefined
      if (report.isFull()) {
        report.skip(countShapeMistakes(merged))
        return undefined
      }
      const found = [...(await validateCase(merged, problems))]
      const taken = ids.add(String(merged.id), place)
      if (taken !== undefined) found.push(taken)
      for (const finding of found) report.atRow(n, blame(finding, each, row))
      return found.length === 0 ? merged : undefined
    },
    finish: () => {
      for (const finding of absent.findings(each)) {
        if ('n' in finding) report.atRow(finding.n, finding.finding)
        else report.atCase(finding.finding)
      }
    },
  }
}

/** Points at the one value of a row that a mistake comes from, where it comes from one. */
const blame = (finding: Finding, { template }: EachCase, row: Row): Finding => {
  const written = valueAt(template, finding.path)
  const columns = typeof written === 'string' ? compileTemplate(written).columns : []
  const [only] = columns
  const isOne = columns.length === 1 && only !== undefined && Object.hasOwn(row, only)
  return { ...finding, path: isOne ? [only] : [], at: 'value' }
}

type Absence = { readonly finding: Finding } | { readonly finding: Finding; readonly n: number }

/** Counts the rows that lack a column: one mistake per column, however many rows there are. */
const absentColumns = (columns: readonly string[]) => {
  const absences = new Map<string, { readonly n: number; readonly keys: readonly string[]; count: number }>()
  let rows = 0
  return {
    /** Whether the row has every column. */
    look: (row: Row, n: number): boolean => {
      rows += 1
      const missing = missingColumns(columns, row)
      for (const column of missing) {
        const known = absences.get(column)
        if (known === undefined) absences.set(column, { n, keys: Object.keys(row).slice(0, 100), count: 1 })
        else known.count += 1
      }
      return missing.length === 0
    },
    findings: (each: EachCase): Absence[] =>
      [...absences].slice(0, 100).map(([column, { n, keys, count }]) => {
        const [guess] = nearest(column, keys, 1)
        const shown = keys.slice(0, 20).join(', ')
        const hint = guess === undefined ? `Columns: ${shown}.` : `Did you mean \`{{${guess}}}\`?`
        const finding: Finding = { path: [], at: 'value', code: 'unknown-placeholder', message: '', hint }
        if (count === rows) {
          const message = `unknown placeholder \`{{${column}}}\`: no row has that column`
          return { finding: { ...finding, path: findPlaceholder(each.template, column), message } }
        }
        const others = count === 1 ? '' : `, nor have ${count - 1} others`
        return { n, finding: { ...finding, message: `the row has no column \`${column}\`${others}` } }
      }),
  }
}

/** The path of the first text that names a column; where it is a key, of the map's value below it. */
const findPlaceholder = (value: unknown, column: string, path: Path = []): Path => {
  if (typeof value !== 'object' || value === null) return path
  for (const [key, child] of Object.entries(value)) {
    const below: Path = [...path, Array.isArray(value) ? Number(key) : key]
    const names = compileTemplate({ [key]: child }).columns
    if (names.includes(column)) return findPlaceholder(child, column, below)
  }
  return path
}
