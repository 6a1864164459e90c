import type { Diagnostic } from '../core/diagnostic.ts'
import { FileError, InvalidInputError } from '../core/errors.ts'
import type { RowPlace } from './case-ids.ts'
import type { Checking } from './checking.ts'
import { type DiagnosticList, diagnosticList } from './diagnostic-list.ts'
import type { Finding } from './finding.ts'
import { namesFilesByRow, referenceFindings } from './reference-findings.ts'
import { resolvePath } from './resolve-path.ts'
import { type RowChecker, rowChecker } from './row-checker.ts'
import { formatOf, loadRowFiles, type RowEntry, type RowFiles } from './row-files.ts'
import type { EachCase } from './suite.ts'

export type RowFileChecks = {
  /** Checks the rows that a case names, which stands at `at` in the suite. */
  check(each: EachCase, at: number, written: string): Promise<void>
  /** What is wrong in the row files; what is wrong in the suite went to `report`. */
  toDiagnostics(): Diagnostic[]
}

/** Checks row files, of which several cases may name the same. A mistake that a row brings is told at that row. */
export const rowFileChecks = (checking: Checking): RowFileChecks => {
  const opened = new Map<string, Opened>()

  const open = async (path: string): Promise<Opened> => {
    const known = opened.get(path)
    if (known !== undefined) return known
    const fresh = await openRowFile(path, checking)
    opened.set(path, fresh)
    return fresh
  }

  return {
    check: async (each, at, written) => {
      const problem = pathFinding(written, checking)
      if (problem !== undefined) return checking.report({ at, finding: problem })
      const file = await open(resolvePath(checking.source.dir, written))
      if (file.rowFiles !== undefined) await checkRows(each, at, { ...file, rowFiles: file.rowFiles }, checking)
    },
    toDiagnostics: () => [...opened.values()].flatMap(({ broken, list }) => [...broken, ...list.toDiagnostics()]),
  }
}

/** A row file: what to call it, its rows unless it can't be read at all, and what was found in it. */
type Opened = {
  readonly path: string
  readonly name: string
  readonly rowFiles: RowFiles | undefined
  readonly broken: readonly Diagnostic[]
  readonly list: DiagnosticList
}

const openRowFile = async (path: string, { env: { files, projectDir } }: Checking): Promise<Opened> => {
  const name = path.startsWith(`${projectDir}/`) ? path.slice(projectDir.length + 1) : path
  const opened = { path, name, list: diagnosticList(name) }
  try {
    return { ...opened, rowFiles: await loadRowFiles([path], files, () => name), broken: [] }
  } catch (error) {
    if (error instanceof InvalidInputError) return { ...opened, rowFiles: undefined, broken: error.diagnostics }
    opened.list.add(unreadable(error, path, name), {})
    return { ...opened, rowFiles: undefined, broken: [] }
  }
}

const unreadable = (error: unknown, path: string, name: string): Finding => {
  if (!(error instanceof FileError)) throw error
  return { path: [], at: 'value', code: 'row-file', message: error.message.replaceAll(path, name) }
}

const pathFinding = (written: string, { disk }: Checking): Finding | undefined => {
  const finding = { path: ['each'], at: 'value' } as const
  if (formatOf(written) === undefined) {
    const hint = 'Rows are read from .csv, .json, .jsonl, .yaml and .yml.'
    return { ...finding, code: 'row-format', message: `${written} has no extension that says how to read it`, hint }
  }
  const problem = disk.rowFileProblem(written)
  return problem && { ...finding, ...problem }
}

const checkRows = async (
  each: EachCase,
  at: number,
  { path, name, rowFiles, list }: Opened & { readonly rowFiles: RowFiles },
  checking: Checking,
): Promise<void> => {
  const { ids, problems, disk, source } = checking
  const atRow = ({ n, line }: RowPlace, finding: Finding): void => {
    const message = `${finding.message} (row ${n} of \`${each.id}\`, ${source.file} line ${each.line})`
    list.add({ ...finding, message }, line === undefined ? {} : { line })
  }
  const report = {
    atRow,
    atCase: (finding: Finding) => checking.report({ at, finding }),
    isFull: list.isFull,
    skip: list.skip,
  }
  const checker = rowChecker(each, { problems, ids, report })
  const isByRow = namesFilesByRow(each)
  let n = 0
  try {
    for (const entry of rowFiles.rows(path)) {
      n += 1
      const place = { n, file: name, line: entry.line }
      const merged = await checkEntry(entry, place, checker, atRow)
      if (merged === undefined || !isByRow) continue
      for (const finding of await referenceFindings(merged, disk)) atRow(place, finding)
    }
  } catch (error) {
    list.add(unreadable(error, path, name), {})
  }
  checker.finish()
  if (n === 0) report.atCase(noRows(name))
}

const checkEntry = async (
  entry: RowEntry,
  place: RowPlace,
  checker: RowChecker,
  atRow: (place: RowPlace, finding: Finding) => void,
): ReturnType<RowChecker['check']> => {
  if (!('problem' in entry)) return checker.check(entry.row, place)
  atRow(place, { path: [], at: 'value', code: 'row', message: entry.problem })
  return undefined
}

const noRows = (name: string): Finding => ({
  path: ['each'],
  at: 'value',
  code: 'no-rows',
  message: `${name} has no rows: the case is never made`,
  severity: 'warning',
})
