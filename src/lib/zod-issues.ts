import type * as z from 'zod'

type Path = readonly (string | number)[]

export type Checked<T> =
  | { readonly ok: true; readonly data: T }
  | { readonly ok: false; readonly issues: readonly z.core.$ZodIssue[] }

/**
 * Holds a stranger's value against a schema; never throws for it. zod compares the `length` of whatever has one, so a
 * map whose `length` is a map with a key `toString` makes it throw: that key is the one thing told then.
 */
export const checkedBy = <S extends z.ZodType>(schema: S, value: unknown): Checked<z.output<S>> => {
  try {
    const result = schema.safeParse(value)
    return result.success ? { ok: true, data: result.data } : { ok: false, issues: result.error.issues }
  } catch (error) {
    const path = ownToString(value)
    if (path === undefined) throw error
    return {
      ok: false,
      issues: [{ code: 'unrecognized_keys', keys: ['toString'], path: [...path], message: 'unknown key toString' }],
    }
  }
}

/** What is wrong with the value; nothing if it is valid. */
export const issuesOf = (schema: z.ZodType, value: unknown): readonly z.core.$ZodIssue[] => {
  const checked = checkedBy(schema, value)
  return checked.ok ? [] : checked.issues
}

/** What is wrong with a file that a program wrote, in words and in one line: the first thing, with its place. */
export const firstFault = (issues: readonly z.core.$ZodIssue[]): string => {
  const [issue] = issues
  if (issue === undefined) return 'it is not what it should be'
  const place = issue.path.length === 0 ? 'it' : issue.path.join('.')
  switch (issue.code) {
    case 'invalid_type':
      // zod tells what is not there only so.
      return issue.message.endsWith('received undefined')
        ? `${place} is missing`
        : `${place} should be ${nouns.get(issue.expected) ?? issue.expected}`
    case 'invalid_value':
      return `${place} should be ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`
    case 'unrecognized_keys':
      return `${place} has an unknown key ${issue.keys[0]}`
    case 'too_small':
      return `${place} is too short or too small (at least ${issue.minimum})`
    case 'too_big':
      return `${place} is too long or too large (at most ${issue.maximum})`
    default:
      // Ours say what to write; zod's are for who wrote the schema.
      return issue.message.startsWith('Invalid')
        ? `${place} is not written as it should be`
        : `${place} ${issue.message}`
  }
}

const nouns: ReadonlyMap<string, string> = new Map([
  ['object', 'a map'],
  ['array', 'a list'],
  ['string', 'a text'],
  ['number', 'a number'],
  ['int', 'a whole number'],
  ['boolean', 'true or false'],
])

/** The path of the first map that can't be made a text, in the order of the data. */
const ownToString = (value: unknown, path: Path = []): Path | undefined => {
  if (typeof value !== 'object' || value === null) return undefined
  if (typeof value.toString !== 'function') return path
  for (const [key, child] of Object.entries(value)) {
    const found = ownToString(child, [...path, Array.isArray(value) ? Number(key) : key])
    if (found !== undefined) return found
  }
  return undefined
}
