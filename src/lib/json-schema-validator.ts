import type { ValidateFunction } from 'ajv'
import { SkillsEvalError } from '../core/errors.ts'
import { type WithinDeadline, withinDeadline } from './deadline.ts'
import { describeIssue, type SchemaIssue } from './json-schema-issue.ts'
import { subschemasOf } from './json-schema-walk.ts'

const TIMEOUT_MS = 250
const MAX_ISSUES = 1_000

/**
 * Lists what is wrong with a value by a compiled schema (the first 1,000 issues); []: it is valid. Throws a SkillsEvalError
 * when that can't be found out: `json_schema_timeout` (after 250 ms), `json_too_deep`, `regex_timeout`.
 */
export const schemaValidator = (schema: unknown, isValid: ValidateFunction): ((value: unknown) => SchemaIssue[]) => {
  const isWatched = mayTakeLong(schema)
  return (value) => {
    const result = decide(() => isValid(value), isWatched)
    if (result.ok) return result.value ? [] : (isValid.errors ?? []).slice(0, MAX_ISSUES).map(describeIssue)
    throw new SkillsEvalError('json_schema_timeout', `a value takes longer than ${TIMEOUT_MS} ms to validate`, {
      hint: 'Use fewer alternatives and references in the schema, or look at a part of the value.',
    })
  }
}

const decide = (isValid: () => boolean, isWatched: boolean): WithinDeadline<boolean> => {
  try {
    return isWatched ? withinDeadline(TIMEOUT_MS, isValid) : { ok: true, value: isValid() }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new SkillsEvalError('json_too_deep', 'a value is nested too deeply to be validated', {
      hint: 'If it is not deep, a $ref of the schema leads back to itself without going into the value.',
      cause: error,
    })
  }
}

// With references the work can grow exponentially; unique items and some formats are quadratic. The rest is linear in the
// value, and a watchdog would cost more than validating.
const DEAR = ['$ref', '$dynamicRef', '$recursiveRef', 'uniqueItems', 'format']

const mayTakeLong = (schema: unknown): boolean => {
  for (const { schema: part } of subschemasOf(schema)) {
    if (DEAR.some((keyword) => Object.hasOwn(part, keyword))) return true
  }
  return false
}
