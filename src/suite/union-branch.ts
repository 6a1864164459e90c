import * as z from 'zod'
import { nearest } from '../lib/nearest.ts'
import { depthIn } from './path.ts'
import { describeType } from './plain-words.ts'
import { keysOf, unwrap } from './schema-walk.ts'

type Issue = z.core.$ZodIssue
type UnionIssue = z.core.$ZodIssueInvalidUnion

/** What is wrong with a value as one form of a union, and that form's schema where it is known. */
export type Branch = { readonly issues: readonly Issue[]; readonly schemas: readonly unknown[] }

/**
 * The forms of a union that a value comes nearest to: more than one where they fit equally well, none where the value
 * has the wrong type for all. `schemas` are those that may hold for the value; the union is one of them.
 */
export const pickBranch = (issue: UnionIssue, value: unknown, schemas: readonly unknown[]): readonly Branch[] => {
  const union = schemas.map(unwrap).find((schema) => isUnionOf(schema, issue.errors.length))
  if (union instanceof z.ZodDiscriminatedUnion && isMap(value)) return [branchByKey(union, issue, value)]
  const weighed = issue.errors.flatMap((issues, i) => {
    if (misfits(issues, value)) return []
    const option = union instanceof z.ZodUnion ? [union.options[i]] : schemas
    return [{ issues, schemas: option, weight: weigh(issues, value, option) }]
  })
  const least = Math.min(...weighed.map(({ weight }) => weight))
  return weighed.filter(({ weight }) => weight === least)
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The form that its key names, whatever else is wrong; where it names none, that is what is wrong. */
const branchByKey = (
  union: z.ZodDiscriminatedUnion,
  issue: UnionIssue,
  value: Readonly<Record<string, unknown>>,
): Branch => {
  const { discriminator } = union.def
  const named = union.options.findIndex((option) => nameOf(option, discriminator).includes(value[discriminator]))
  if (named !== -1) return { issues: issue.errors[named] ?? [], schemas: [union.options[named]] }
  const values = union.options.flatMap((option) => nameOf(option, discriminator)).map(String)
  const unnamed: Issue = { code: 'invalid_value', values, path: [discriminator], message: '', input: undefined }
  return { issues: [unnamed], schemas: [] }
}

const nameOf = (option: unknown, discriminator: string): readonly unknown[] => {
  const key = option instanceof z.ZodObject ? unwrap(option.shape[discriminator]) : undefined
  return key instanceof z.ZodLiteral ? [...key.values] : []
}

const isUnionOf = (schema: unknown, count: number): boolean =>
  schema instanceof z.ZodUnion && schema.options.length === count

/** The types that a union would take at its root, as zod names them and in words. */
export const expectedTypes = (
  issue: UnionIssue,
): { readonly types: readonly string[]; readonly words: readonly string[] } => {
  const found = issue.errors.flat().map((one) => {
    if (one.path.length > 0) return { types: [], words: [] }
    if (one.code === 'invalid_type') return { types: [one.expected], words: [describeType(one.expected)] }
    if (one.code === 'invalid_value') return { types: [], words: one.values.map(String) }
    return one.code === 'invalid_union' ? expectedTypes(one) : { types: [], words: [] }
  })
  return {
    types: [...new Set(found.flatMap(({ types }) => types))],
    words: [...new Set(found.flatMap(({ words }) => words))],
  }
}

const misfits = (issues: readonly Issue[], value: unknown): boolean =>
  issues.some((issue) => {
    if (issue.path.length > 0) return false
    if (issue.code === 'invalid_type') return true
    if (issue.code === 'invalid_value') return issue.values.every((known) => typeof known !== typeof value)
    return issue.code === 'invalid_union' && issue.errors.every((branch) => misfits(branch, value))
  })

const weigh = (issues: readonly Issue[], value: unknown, schemas: readonly unknown[]): number =>
  issues.reduce((sum, issue) => sum + weighOne(issue, value, schemas), 0)

const weighOne = (issue: Issue, value: unknown, schemas: readonly unknown[]): number => {
  const path = issue.path.filter((segment) => typeof segment !== 'symbol')
  if (issue.code === 'unrecognized_keys') {
    const known = keysOf(path.length === 0 ? schemas : [])
    return issue.keys.slice(0, 10).reduce((sum, key) => sum + (nearest(key, known, 1).length > 0 ? 1 : 3), 0)
  }
  // A broken rule is often no more than what follows from another mistake.
  if (issue.code === 'custom') return 0.5
  return depthIn(value, path) < path.length ? 2 : 1
}
