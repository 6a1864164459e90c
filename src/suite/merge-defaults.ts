import { setOwn } from '../lib/set-own.ts'
import { isRecord, type JsonRecord } from './record.ts'

/**
 * A case with `defaults` beneath it. Maps of the format merge by key, at every level; lists and scalars of the case
 * replace. What is data and not format stays whole: a file to lay out (`files.<destination>`), a double's answers
 * (`returns`, `when` … of `tools.<name>`, of which only one may be given) and its `input_schema` come from the case or
 * from the defaults, never from both. Neither argument is changed; parts of both are shared with the result.
 */
export const mergeDefaults = (defaults: JsonRecord, own: JsonRecord): JsonRecord => merge(defaults, own, mergeKey)

type Combine = (key: string, below: unknown, above: unknown) => unknown

const merge = (below: JsonRecord, above: JsonRecord, combine: Combine): JsonRecord => {
  const merged: Record<string, unknown> = {}
  for (const key of Object.keys(below)) setOwn(merged, key, below[key])
  for (const key of Object.keys(above)) {
    setOwn(merged, key, Object.hasOwn(below, key) ? combine(key, below[key], above[key]) : above[key])
  }
  return merged
}

const deep: Combine = (_key, below, above) => (isRecord(below) && isRecord(above) ? merge(below, above, deep) : above)

const replace: Combine = (_key, _below, above) => above

const mergeKey: Combine = (key, below, above) => {
  if (!isRecord(below) || !isRecord(above)) return above
  if (key === 'files') return merge(below, above, replace)
  if (key === 'tools') return merge(below, above, mergeDouble)
  return merge(below, above, deep)
}

const answers = ['returns', 'returns_each', 'error', 'when', 'otherwise']

const mergeDouble: Combine = (_name, below, above) => {
  if (!isRecord(below) || !isRecord(above)) return above
  const answersItself = answers.some((key) => Object.hasOwn(above, key))
  if (!answersItself) return merge(below, above, replace)
  const rest = Object.fromEntries(Object.entries(below).filter(([key]) => !answers.includes(key)))
  return merge(rest, above, replace)
}
