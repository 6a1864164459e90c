import type { CsvError } from 'csv-parse/sync'
import type { Diagnostic } from '../core/diagnostic.ts'
import { setOwn } from './set-own.ts'
import { visibleLine } from './visible.ts'

export type Csv = { readonly rows: Record<string, string>[]; readonly diagnostics: Diagnostic[] }

const MOST = 20

/**
 * Reads comma-separated values (RFC 4180) with a header row: one record of strings by column for each row, empty lines
 * left out. Every row must have a value for each column, every column a name of its own. What is wrong comes back
 * as diagnostics (at most 20) with the line at which the row ends; then the rows are not to be used.
 */
export const parseCsv = async (text: string, file: string): Promise<Csv> => {
  const { parse, CsvError: Failure } = await import('csv-parse/sync')
  const rows: Record<string, string>[] = []
  const diagnostics: Diagnostic[] = []
  const report = (code: string, message: string, line: number, hint: string): void => {
    if (diagnostics.length >= MOST) return
    diagnostics.push({ severity: 'error', code: `csv/${code}`, message, file, line, column: 1, hint })
  }

  let header: readonly string[] | undefined
  const readHeader = (names: readonly string[], line: number): void => {
    header = names
    const seen = new Set<string>()
    for (const [index, name] of names.entries()) {
      if (name.trim() === '') {
        report('header', `column ${index + 1} has no name`, line, 'Name each column in the first line.')
      } else if (seen.has(name)) {
        const message = `two columns are named "${visibleLine(name, 60)}"`
        report('header', message, line, 'Give each column a name of its own.')
      }
      seen.add(name)
    }
  }
  const readRow = (values: readonly string[], names: readonly string[], line: number): void => {
    if (values.length !== names.length) {
      const message = `the row has ${count(values, 'value')}, the header ${count(names, 'column')}`
      report('columns', message, line, 'Put a value that holds a comma in double quotes.')
      return
    }
    const row: Record<string, string> = {}
    names.forEach((name, index) => {
      setOwn(row, name, values[index] ?? '')
    })
    rows.push(row)
  }

  try {
    parse(text, {
      bom: true,
      skip_empty_lines: true,
      // Checked here, so that all such rows are found and not only the first.
      relax_column_count: true,
      on_record: (values: string[], { lines }) => {
        if (header === undefined) readHeader(values, lines)
        else readRow(values, header, lines)
        return null
      },
    })
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    report(
      'syntax',
      explain(error),
      Number(error.lines ?? 1),
      'Put the value in double quotes, and double those inside it.',
    )
  }
  if (header === undefined && diagnostics.length === 0) {
    report('header', 'there is no header row', 1, 'Name each column in the first line.')
  }
  return { rows, diagnostics }
}

const count = (list: readonly string[], noun: string): string => `${list.length} ${noun}${list.length === 1 ? '' : 's'}`

const explain = (error: CsvError): string => {
  switch (error.code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return 'a double quote is not closed before the text ends'
    case 'INVALID_OPENING_QUOTE':
      return 'a double quote stands inside a value that does not start with one'
    case 'CSV_INVALID_CLOSING_QUOTE':
      return 'there is text after the closing double quote of a value'
    default:
      return visibleLine(error.message)
  }
}
