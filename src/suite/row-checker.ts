import { SkillsEvalError } from '../core/errors.ts'
import { absentColumns } from './absent-columns.ts'
import type { CaseIds, RowPlace } from './case-ids.ts'
import { rowFiller } from './each-case.ts'
import type { ExpressionProblems } from './expression-problems.ts'
import { type Finding, hasError } from './finding.ts'
import { valueAt } from './path.ts'
import { describeValue } from './plain-words.ts'
import { isRecord, type JsonRecord } from './record.ts'
import type { EachCase, Row } from './suite.ts'
import { compileTemplate } from './template.ts'
import { countShapeMistakes, validateCase } from './validate-case.ts'

/** Where mistakes of rows go. Findings about a row have the path `[]`, or `[column]` where one value is to blame. */
export type RowReport = {
  atRow(place: RowPlace, finding: Finding): void
  /** Paths start at the case. */
  atCase(finding: Finding): void
  /** Whether further errors of rows are only counted. */
  isFull(): boolean
  skip(count: number): void
}

export type RowChecker = {
  /** The case that a row makes; undefined where something is wrong with it, which is then reported. */
  check(row: unknown, place: RowPlace): Promise<JsonRecord | undefined>
  /** Tells what only the rows together show. */
  finish(): void
}

export type RowCheckerOptions = {
  readonly problems: ExpressionProblems
  readonly ids: CaseIds
  readonly report: RowReport
}

/** Checks the rows of a case one after the other and holds none. */
export const rowChecker = (each: EachCase, { problems, ids, report }: RowCheckerOptions): RowChecker => {
  const filler = rowFiller(each)
  const absent = absentColumns(filler.columns)

  const fill = (row: Row, place: RowPlace): JsonRecord | undefined => {
    try {
      return filler.fill(row, place.n)
    } catch (error) {
      if (!(error instanceof SkillsEvalError)) throw error
      report.atRow(place, rowFinding(error.code.replaceAll('_', '-'), error.message))
      return undefined
    }
  }

  return {
    check: async (row, place) => {
      if (!isRecord(row)) {
        report.atRow(place, rowFinding('row', `a row is a map, got ${describeValue(row)}`))
        return undefined
      }
      if (!absent.look(row, place)) return undefined
      const merged = fill(row, place)
      if (merged === undefined) return undefined
      if (report.isFull()) {
        report.skip(countShapeMistakes(merged))
        return undefined
      }
      // Warnings were told at the case: they would be the same for every row.
      const wrong = (await validateCase(merged, problems)).filter((finding) => hasError([finding]))
      const taken = ids.add(String(merged.id), place)
      for (const finding of wrong) report.atRow(place, blame(finding, each, row))
      if (taken !== undefined) report.atRow(place, blame(taken, each, row))
      return wrong.length === 0 && taken === undefined ? merged : undefined
    },
    finish: () => {
      for (const { place, finding } of absent.findings(each)) {
        if (place === undefined) report.atCase(finding)
        else report.atRow(place, finding)
      }
    },
  }
}

const rowFinding = (code: string, message: string): Finding => ({ path: [], at: 'value', code, message })

/** Points at the one value of a row that a mistake comes from, where it comes from one. */
const blame = (finding: Finding, { template }: EachCase, row: Row): Finding => {
  const written = valueAt(template, finding.path)
  const columns = typeof written === 'string' ? compileTemplate(written).columns : []
  const [only] = columns
  const isOne = columns.length === 1 && only !== undefined && Object.hasOwn(row, only)
  return { ...finding, path: isOne ? [only] : [], at: 'value' }
}
