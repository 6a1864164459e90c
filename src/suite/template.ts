import { SkillsEvalError } from '../core/errors.ts'
import { setOwn } from '../lib/set-own.ts'
import { type Path, pathKey } from './path.ts'
import { isRecord, type JsonRecord } from './record.ts'
import type { Row } from './suite.ts'

export type Template = {
  /** Columns that it names, each once, in the order of the text. */
  readonly columns: readonly string[]
  /** The value with one row filled in. Parts that name no column are shared by all that it makes. */
  fill(row: Row): unknown
}

/** As large as the largest suite file. */
const MAX_FILLED = 16 * 1024 * 1024

/**
 * Compiles a value once, to be filled with many rows. `{{column}}` is replaced in every string, keys of maps included;
 * a name is letters, digits and `_ - .`, blanks around it are ignored, and any other `{{` is plain text. A value that is
 * one placeholder and nothing else takes the row's value with its type, but at one of the paths in `texts` numbers and
 * booleans become texts; inside a longer text a string goes in as it is and anything else as JSON. A column that the row does not have stays as it is written: see `missingColumns`.
 * `fill` throws a SkillsEvalError (`case_too_large`) where one text would exceed 16 Mi characters.
 */
export const compileTemplate = (value: unknown, texts: readonly Path[] = []): Template => {
  const scope = { columns: new Set<string>(), texts: new Set(texts.map(pathKey)) }
  const part = compile(value, [], scope)
  return { columns: [...scope.columns], fill: (row) => partValue(part, row) }
}

/** As `compileTemplate`, for a text that stays one: a lone placeholder is written out too. */
export const compileText = (text: string): { readonly columns: readonly string[]; fill(row: Row): string } => {
  const pieces = split(text)
  return { columns: [...new Set(namesIn(pieces))], fill: (row) => fillText(pieces, row) }
}

/** The columns of a template that a row does not have. */
export const missingColumns = (columns: readonly string[], row: Row): string[] =>
  columns.filter((column) => !Object.hasOwn(row, column))

/** Whether a placeholder stands somewhere in a value: in a string, or in one of its keys or entries. */
export const hasPlaceholder = (value: unknown): boolean => compileTemplate(value).columns.length > 0

/** The path of the first text that names each of the columns; where a key names it, of that key. */
export const placesOf = (value: unknown, columns: ReadonlySet<string>): ReadonlyMap<string, Path> => {
  const places = new Map<string, Path>()
  const look = (text: string, path: Path): void => {
    for (const name of namesIn(split(text))) if (columns.has(name) && !places.has(name)) places.set(name, path)
  }
  const walk = (at: unknown, path: Path): void => {
    if (typeof at === 'string') look(at, path)
    else if (Array.isArray(at)) for (const [i, item] of at.entries()) walk(item, [...path, i])
    else if (isRecord(at)) {
      for (const [key, item] of Object.entries(at)) {
        look(key, [...path, key])
        walk(item, [...path, key])
      }
    }
  }
  walk(value, [])
  return places
}

/** A part that no row changes, or the function that makes it from a row. */
type Part = { readonly same: unknown } | { readonly make: (row: Row) => unknown }

const partValue = (part: Part, row: Row): unknown => ('make' in part ? part.make(row) : part.same)

/** What is collected, and what is known, while one template is compiled. */
type Scope = { readonly columns: Set<string>; readonly texts: ReadonlySet<string> }

const compile = (value: unknown, path: Path, scope: Scope): Part => {
  if (typeof value === 'string') return compileString(value, path, scope)
  if (Array.isArray(value)) {
    const parts = value.map((item, i) => compile(item, [...path, i], scope))
    return parts.some(isMade) ? { make: (row) => parts.map((part) => partValue(part, row)) } : { same: value }
  }
  return isRecord(value) ? compileMap(value, path, scope) : { same: value }
}

const isMade = (part: Part): boolean => 'make' in part

const compileMap = (map: JsonRecord, path: Path, scope: Scope): Part => {
  const entries = Object.entries(map).map(([key, value]) => {
    const pieces = split(key)
    for (const name of namesIn(pieces)) scope.columns.add(name)
    return {
      key,
      pieces: pieces.length > 1 || typeof pieces[0] === 'object' ? pieces : undefined,
      part: compile(value, [...path, key], scope),
    }
  })
  if (!entries.some(({ pieces, part }) => pieces !== undefined || isMade(part))) return { same: map }
  return {
    make: (row) => {
      const made: Record<string, unknown> = {}
      for (const { key, pieces, part } of entries) {
        setOwn(made, pieces === undefined ? key : fillText(pieces, row), partValue(part, row))
      }
      return made
    },
  }
}

const compileString = (text: string, path: Path, { columns, texts }: Scope): Part => {
  const pieces = split(text)
  const names = namesIn(pieces)
  for (const name of names) columns.add(name)
  const [only] = pieces
  if (pieces.length === 1 && typeof only === 'object') {
    const isText = texts.size > 0 && texts.has(pathKey(path))
    return { make: (row) => loneValue(only, row, isText) }
  }
  return names.length === 0 ? { same: text } : { make: (row) => fillText(pieces, row) }
}

const loneValue = ({ column, written }: Placeholder, row: Row, isText: boolean): unknown => {
  if (!Object.hasOwn(row, column)) return written
  const value = row[column]
  return isText && (typeof value === 'number' || typeof value === 'boolean') ? String(value) : value
}

type Placeholder = { readonly column: string; readonly written: string }
type Piece = string | Placeholder

const placeholder = /\{\{\s*([\p{L}\p{N}_.-]+)\s*\}\}/gu

/** `a {{b}} c` → the texts and placeholders that it is made of, in order. */
const split = (text: string): readonly Piece[] => {
  if (!text.includes('{{')) return [text]
  const pieces: Piece[] = []
  let from = 0
  for (const match of text.matchAll(placeholder)) {
    if (match.index > from) pieces.push(text.slice(from, match.index))
    pieces.push({ column: match[1] ?? '', written: match[0] })
    from = match.index + match[0].length
  }
  if (from < text.length || pieces.length === 0) pieces.push(text.slice(from))
  return pieces
}

const namesIn = (pieces: readonly Piece[]): string[] =>
  pieces.flatMap((piece) => (typeof piece === 'string' ? [] : [piece.column]))

const fillText = (pieces: readonly Piece[], row: Row): string => {
  let text = ''
  for (const piece of pieces) {
    text += typeof piece === 'string' ? piece : columnText(piece, row)
    if (text.length > MAX_FILLED) {
      throw new SkillsEvalError('case_too_large', `a text would be longer than ${MAX_FILLED} characters`, {
        hint: 'Put long contents into a file and name it under `files`.',
      })
    }
  }
  return text
}

const columnText = ({ column, written }: Placeholder, row: Row): string => {
  if (!Object.hasOwn(row, column)) return written
  const value = row[column]
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? written)
}
