import { FileError } from '../core/errors.ts'
import type { EvalCase } from '../core/plan.ts'
import type { Files } from '../core/ports.ts'
import { mapChecks } from './case-checks.ts'
import { rowFiller } from './each-case.ts'
import { completeCase } from './eval-case.ts'
import { readJsonFile } from './read-json-file.ts'
import { isRecord, type JsonRecord } from './record.ts'
import { resolvePath } from './resolve-path.ts'
import type { RowFiles } from './row-files.ts'
import type { EachCase, Suite } from './suite.ts'

export type ExpandOptions = {
  /** Absolute folder of the suite's file. */
  readonly dir: string
  readonly files: Files
  /** The row files of the suite: see `rowFilesOf`. */
  readonly rowFiles: RowFiles
  /** Schemas by absolute path, filled as they are needed; give the same map to get the same objects again. */
  readonly schemas?: Map<string, unknown>
}

/**
 * The cases of a suite that `checkSuite` found nothing wrong with, one after the other: rows filled in, paths absolute
 * (`files` sources, grader scripts), JSON Schemas named by a path in a check replaced by the schema itself, one object
 * for all. Rows of a .jsonl file are read as they are asked for. Throws a FileError for a file that is gone since.
 */
export function* suiteCases(suite: Suite, options: ExpandOptions): Generator<EvalCase> {
  const place = placer(options)
  for (const one of suite.cases) {
    if (one.kind === 'case') yield place(one.case)
    else for (const evalCase of eachCases(one, options)) yield place(evalCase)
  }
}

/** Absolute paths of the row files that suites name. */
export const rowFilesOf = (suites: Iterable<{ readonly suite: Suite; readonly dir: string }>): string[] =>
  [...suites].flatMap(({ suite, dir }) =>
    suite.cases.flatMap((one) =>
      one.kind === 'each' && typeof one.rows === 'string' ? [resolvePath(dir, one.rows)] : [],
    ),
  )

function* eachCases(each: EachCase, { dir, rowFiles }: ExpandOptions): Generator<EvalCase> {
  const filler = rowFiller(each)
  const origin = { line: each.line, triggerOnly: false, rowsOf: filler.rowsOf }
  let n = 0
  for (const row of rowsOf(each, dir, rowFiles)) {
    n += 1
    yield completeCase(filler.fill(row, n), origin)
  }
}

function* rowsOf({ rows }: EachCase, dir: string, rowFiles: RowFiles): Generator<JsonRecord> {
  if (typeof rows !== 'string') {
    yield* rows
    return
  }
  const path = resolvePath(dir, rows)
  for (const entry of rowFiles.rows(path)) {
    if ('problem' in entry) throw new FileError('bad_row', `${path}, line ${entry.line}: ${entry.problem}`)
    if (!isRecord(entry.row)) throw new FileError('bad_row', `${path}, line ${entry.line}: a row is a map`)
    yield entry.row
  }
}

/** Puts a case in its place on the disk. A case that names no path stays the object it was. */
const placer = ({ dir, files, schemas = new Map() }: ExpandOptions): ((evalCase: EvalCase) => EvalCase) => {
  const schemaAt = (written: string): unknown => {
    const path = resolvePath(dir, written)
    const known = schemas.get(path)
    if (known !== undefined) return known
    const schema = readJsonFile(path, files)
    schemas.set(path, schema)
    return schema
  }
  const placeCheck = (check: JsonRecord): JsonRecord => {
    const { json_schema: schema, script } = check
    if (typeof schema === 'string') return { ...check, json_schema: schemaAt(schema) }
    if (!isRecord(script) || typeof script.run !== 'string') return check
    return { ...check, script: { ...script, run: resolvePath(dir, script.run) } }
  }
  return (evalCase) => {
    const { files: laid, expected } = evalCase
    const placedFiles = laid === undefined ? undefined : placeSources(laid, dir)
    const placedExpected = expected === undefined ? undefined : mapChecks(expected, placeCheck)
    if (placedFiles === laid && placedExpected === expected) return evalCase
    return {
      ...evalCase,
      ...(placedFiles !== undefined && { files: placedFiles }),
      ...(placedExpected !== undefined && { expected: placedExpected as EvalCase['expected'] }),
    }
  }
}

const placeSources = (laid: NonNullable<EvalCase['files']>, dir: string): NonNullable<EvalCase['files']> =>
  Object.fromEntries(
    Object.entries(laid).map(([destination, source]) => [
      destination,
      typeof source === 'string' ? resolvePath(dir, source) : source,
    ]),
  )
