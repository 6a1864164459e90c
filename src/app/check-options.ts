import type * as z from 'zod'
import { UsageError } from '../core/errors.ts'
import { nearest } from '../lib/nearest.ts'
import { visibleLine } from '../lib/visible.ts'
import { issuesOf } from '../lib/zod-issues.ts'

/**
 * Holds what a function of the library was called with against the schema of its options, whose descriptions complete
 * "it must be …". Throws a UsageError `bad_option` that names every option that is wrong, its value and what is allowed.
 */
export const checkOptions = <Options>(
  called: string,
  schema: z.ZodObject<Readonly<Record<keyof Options & string, z.ZodType>>>,
  given: unknown,
): void => {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new UsageError('bad_option', `${called} takes its options as one object, and was given ${shown(given)}`)
  }
  const shape: Readonly<Record<string, z.ZodType>> = schema.shape
  const problems = new Map<string, string>()
  for (const issue of issuesOf(schema, given)) {
    if (issue.code === 'unrecognized_keys' && issue.path.length === 0) {
      for (const key of issue.keys) problems.set(key, unknown(key, Object.keys(shape)))
      continue
    }
    const option = String(issue.path[0])
    problems.set(option, wrong(option, (given as Readonly<Record<string, unknown>>)[option], shape[option]))
  }
  if (problems.size > 0) throw new UsageError('bad_option', `${called}: ${[...problems.values()].join('; ')}`)
}

const unknown = (key: string, known: readonly string[]): string => {
  const [meant] = nearest(key, known, 1)
  const hint = meant === undefined ? `there is ${known.join(', ')}` : `did you mean \`${meant}\`?`
  return `there is no option \`${visibleLine(key, 80)}\`: ${hint}`
}

const wrong = (option: string, value: unknown, schema: z.ZodType | undefined): string => {
  const allowed = schema?.description ?? 'something else'
  return value === undefined
    ? `\`${option}\` is missing: it must be ${allowed}`
    : `\`${option}\` is ${shown(value)}: it must be ${allowed}`
}

const shown = (value: unknown): string => {
  // JSON has no NaN.
  if (typeof value === 'number' || value === undefined) return String(value)
  try {
    return visibleLine(JSON.stringify(value) ?? `a ${typeof value}`, 80)
  } catch {
    return `a ${typeof value}`
  }
}
