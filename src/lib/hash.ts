import { createHmac, hash } from 'node:crypto'
import { SkillsEvalError } from '../core/errors.ts'

/** The SHA-256 of bytes, or of a text as UTF-8, in lowercase hexadecimal. */
export const sha256 = (data: string | Uint8Array): string => hash('sha256', data)

/** The SHA-256 of a text as UTF-8, in base64: as a Content-Security-Policy names a script. */
export const sha256Base64 = (text: string): string => hash('sha256', text, 'base64')

/** The HMAC-SHA-256 of a text, in lowercase hexadecimal: without the key nobody can tell what it was made of. */
export const keyedDigest = (key: string, text: string): string => createHmac('sha256', key).update(text).digest('hex')

const MAX_DEPTH = 1_000

/**
 * One text for one JSON value, after RFC 8785: no blanks, keys sorted by UTF-16 code unit, numbers as ECMAScript
 * writes them, a lone surrogate as an escape. As in JSON.stringify, undefined and functions are left out (null in
 * an array) and numbers that JSON lacks are null. Throws a SkillsEvalError `json_too_deep` beyond 1,000 levels.
 */
export const canonicalJson = (value: unknown): string => write(value, 0) ?? 'null'

const write = (value: unknown, depth: number): string | undefined => {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (depth >= MAX_DEPTH) throw new SkillsEvalError('json_too_deep', `a value nests deeper than ${MAX_DEPTH} levels`)
  if (Array.isArray(value)) return `[${value.map((item) => write(item, depth + 1) ?? 'null').join(',')}]`
  const members: string[] = []
  for (const [key, member] of Object.entries(value).sort(byKey)) {
    const text = write(member, depth + 1)
    if (text !== undefined) members.push(`${JSON.stringify(key)}:${text}`)
  }
  return `{${members.join(',')}}`
}

const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1)
