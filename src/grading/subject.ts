import { extractJson } from '../lib/json.ts'
import { jsonText } from '../lib/match-value.ts'

export type JsonRead = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problem: string }

/** What a check looks at: a text, or a value selected from one. JSON in it is read at most once. */
export type Subject = {
  /** A value that is no string is written as JSON. */
  readonly text: string
  /** What it is, in a person's words: `the answer`, `the file report.md`. */
  readonly what: string
  /** The value itself, or the JSON that the text is or has in a fenced block. */
  json(): JsonRead
  /** The JSON in the text, also where the subject is a string in a JSON value. */
  embedded(): JsonRead
}

export const textSubject = (text: string, what = 'the text'): Subject => {
  let read: JsonRead | undefined
  const embedded = (): JsonRead => {
    read ??= readJson(text)
    return read
  }
  return { text, what, json: embedded, embedded }
}

export const valueSubject = (value: unknown, what = 'the value'): Subject => {
  const read: JsonRead = { ok: true, value }
  if (typeof value === 'string') return { ...textSubject(value, what), json: () => read }
  return { text: jsonText(value), what, json: () => read, embedded: () => read }
}

const readJson = (text: string): JsonRead => {
  const found = extractJson(text)
  if (found.ok) return found
  const place = found.line === undefined ? '' : ` (line ${found.line}, column ${found.column})`
  return { ok: false, problem: `${found.message}${place}` }
}
