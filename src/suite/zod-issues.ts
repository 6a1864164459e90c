import type * as z from 'zod'
import type { Path } from './path.ts'

/**
 * What zod finds wrong with a value, nothing if it is valid. zod compares the `length` of whatever has one, so a map
 * whose `length` is a map with a key `toString` makes it throw: that key is the one thing told then.
 */
export const issuesOf = (schema: z.ZodType, value: unknown): readonly z.core.$ZodIssue[] => {
  try {
    return schema.safeParse(value).error?.issues ?? []
  } catch (error) {
    const path = ownToString(value)
    if (path === undefined) throw error
    return [{ code: 'unrecognized_keys', keys: ['toString'], path: [...path], message: '' }]
  }
}

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
