import type { Diagnostic } from '../core/diagnostic.ts'
import { InvalidInputError } from '../core/errors.ts'
import type { Files } from '../core/ports.ts'
import { parseJson } from '../lib/json.ts'
import { describeValue } from './plain-words.ts'

/** One row of a file as it came, or why it can't be read; `line` from 1, where it is known. */
export type RowEntry = { readonly line?: number } & ({ readonly row: unknown } | { readonly problem: string })

export type RowFiles = {
  /** The rows of a file that was loaded, in order. Throws a FileError where it can't be read any more. */
  rows(path: string): Iterable<RowEntry>
}

/** What is read whole: more rows than fit in this belong into a .jsonl file, which is read line by line. */
const MAX_BYTES = 64 * 1024 * 1024
const MAX_YAML_BYTES = 16 * 1024 * 1024
const MAX_LINE_BYTES = 16 * 1024 * 1024

/**
 * Makes the rows of `each` files ready, by extension: .csv (every value a string), .json and .yaml/.yml (a list of maps)
 * are read once and held; .jsonl (a map on each line, empty lines skipped) is read anew at each call and not held.
 * Paths are absolute; `nameOf` says what diagnostics call a file. Throws a FileError for what can't be read, an
 * InvalidInputError for what is not what its name says.
 */
export const loadRowFiles = async (
  paths: Iterable<string>,
  files: Files,
  nameOf: (path: string) => string = (path) => path,
): Promise<RowFiles> => {
  const held = new Map<string, readonly RowEntry[]>()
  for (const path of new Set(paths)) {
    const format = formatOf(path)
    if (format !== undefined && format !== 'jsonl') held.set(path, await readers[format](path, files, nameOf(path)))
  }
  return { rows: (path) => held.get(path) ?? jsonLines(path, files) }
}

type Format = 'csv' | 'json' | 'jsonl' | 'yaml'

/** The format of a file of rows, by its extension; undefined where it has none of those. */
export const formatOf = (path: string): Format | undefined => {
  const extension = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase()
  if (extension === 'yml') return 'yaml'
  const isKnown = extension === 'csv' || extension === 'json' || extension === 'jsonl' || extension === 'yaml'
  return isKnown ? extension : undefined
}

type Reader = (path: string, files: Files, name: string) => Promise<readonly RowEntry[]>

const readCsv: Reader = async (path, files, name) => {
  const { parseCsv } = await import('../lib/csv.ts')
  const text = files.readText(path, MAX_BYTES)
  const { rows, diagnostics } = await parseCsv(text, name)
  if (diagnostics.length > 0) throw new InvalidInputError(diagnostics)
  const lines = linesOfRows(text, rows.length)
  return rows.map((row, i) => withLine(row, lines?.[i]))
}

/** The line of each row, where every row has one line to itself. */
const linesOfRows = (text: string, rows: number): readonly number[] | undefined => {
  const numbers = text.split('\n').flatMap((line, i) => (line === '' || line === '\r' ? [] : [i + 1]))
  return numbers.length === rows + 1 ? numbers.slice(1) : undefined
}

const readJson: Reader = async (path, files, name) => {
  const parsed = parseJson(files.readText(path, MAX_BYTES), { maxBytes: MAX_BYTES })
  if (parsed.ok) return listIn(parsed.value, name).map((row) => ({ row }))
  throw invalid(name, `not JSON: ${parsed.message}`, parsed)
}

const readYaml: Reader = async (path, files, name) => {
  const { parseYaml } = await import('../lib/yaml.ts')
  const text = files.readText(path, MAX_YAML_BYTES)
  const parsed = parseYaml(text, { file: name, maxBytes: MAX_YAML_BYTES, codePrefix: 'suite' })
  if (!parsed.ok) throw new InvalidInputError(parsed.diagnostics)
  return listIn(parsed.value, name).map((row, i) => withLine(row, parsed.positions.at([i]).line))
}

const readers: Readonly<Record<Exclude<Format, 'jsonl'>, Reader>> = { csv: readCsv, json: readJson, yaml: readYaml }

function* jsonLines(path: string, files: Files): Generator<RowEntry> {
  let line = 0
  for (const text of files.lines(path)) {
    line += 1
    if (text.trim() === '') continue
    const parsed = parseJson(text, { maxBytes: MAX_LINE_BYTES })
    yield parsed.ok ? { line, row: parsed.value } : { line, problem: `not JSON: ${parsed.message}` }
  }
}

const withLine = (row: unknown, line: number | undefined): RowEntry => (line === undefined ? { row } : { line, row })

const listIn = (value: unknown, name: string): readonly unknown[] => {
  if (Array.isArray(value)) return value
  throw invalid(name, `rows are a list of maps, got ${describeValue(value)}`, {})
}

const invalid = (
  file: string,
  message: string,
  { line, column }: { readonly line?: number; readonly column?: number },
): InvalidInputError => {
  const place = { ...(line !== undefined && { line }), ...(column !== undefined && { column }) }
  const diagnostic: Diagnostic = { severity: 'error', code: 'suite/row-file', message, file, ...place }
  return new InvalidInputError([diagnostic])
}
