import { toEvalCase } from './eval-case.ts'
import { type Finding, hasError } from './finding.ts'
import { mergeDefaults } from './merge-defaults.ts'
import type { Path } from './path.ts'
import { placeInCase } from './place-finding.ts'
import { describeValue } from './plain-words.ts'
import { isOpen } from './read-defaults.ts'
import type { Reading } from './reading.ts'
import { isRecord, type JsonRecord } from './record.ts'
import { rowChecker } from './row-checker.ts'
import type { EachCase, Row, SuiteCase } from './suite.ts'
import { textPlaces } from './text-places.ts'
import { countShapeMistakes, validateCase } from './validate-case.ts'

/** Reads one entry of `cases`, which lies at `path`; undefined where it is wrong, which is then reported. */
export const readCase = async (own: unknown, path: Path, reading: Reading): Promise<SuiteCase | undefined> => {
  if (!isRecord(own)) {
    reading.report({ path, at: 'value', code: 'type', message: `a case is a map, got ${describeValue(own)}` })
    return undefined
  }
  const merged = mergeDefaults(reading.defaults, own)
  const report: Report = (finding) => reading.report(placeInCase(finding, own, path, reading.defaults))
  if (reading.isFull()) {
    reading.skip(countShapeMistakes(merged))
    return undefined
  }
  const line = reading.lineOf(path)
  const { each } = merged
  const found = await validateCase(merged, reading.problems)
  const wrong = each === undefined ? found : found.filter((finding) => !isOpen(finding, merged))
  for (const finding of wrong) report(finding)
  if (each === undefined) {
    const taken = typeof merged.id === 'string' ? reading.ids.add(merged.id, { file: reading.file, line }) : undefined
    if (taken !== undefined) report(taken)
    return !hasError(wrong) ? { kind: 'case', case: toEvalCase(merged, { line, triggerOnly: false }) } : undefined
  }
  if (hasError(wrong)) return undefined
  const eachCase = eachOf(merged, line)
  if (typeof eachCase.rows !== 'string') await checkRows(eachCase, eachCase.rows, report, path, reading)
  return eachCase
}

type Report = (finding: Finding) => void

const eachOf = (merged: JsonRecord, line: number): EachCase => {
  const { each, ...template } = merged
  const rows = typeof each === 'string' ? each : (each as readonly Row[])
  return { kind: 'each', id: String(merged.id), template, texts: textPlaces(template), rows, line }
}

const checkRows = async (
  each: EachCase,
  rows: readonly Row[],
  report: Report,
  path: Path,
  reading: Reading,
): Promise<void> => {
  if (rows.length === 0) {
    const message = '`each` has no rows: the case is never made'
    report({ path: ['each'], at: 'value', code: 'no-rows', message, severity: 'warning' })
  }
  const checker = rowChecker(each, {
    problems: reading.problems,
    ids: reading.ids,
    report: {
      atRow: ({ n }, finding) =>
        report({ ...finding, path: ['each', n - 1, ...finding.path], message: `row ${n}: ${finding.message}` }),
      atCase: report,
      isFull: reading.isFull,
      skip: reading.skip,
    },
  })
  for (const [i, row] of rows.entries()) {
    await checker.check(row, { n: i + 1, file: reading.file, line: reading.lineOf([...path, 'each', i]) })
  }
  checker.finish()
}
