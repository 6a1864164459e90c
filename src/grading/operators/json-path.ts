import { jsonDiff } from '../../lib/json-diff.ts'
import { compileJsonPath } from '../../lib/json-path.ts'
import { deepEqual, jsonText } from '../../lib/match-value.ts'
import type { Check, JsonPathCheck } from '../../schema/check.ts'
import { excerpt } from '../excerpt.ts'
import { GraderError } from '../grader-error.ts'
import { firstDifference } from '../json-equality.ts'
import { type Subject, valueSubject } from '../subject.ts'
import { isSameText } from './equals.ts'
import { notJson } from './is-json.ts'
import type { Verdict } from './verdict.ts'

/** Judges one selected value with the operator beside the path. */
export type JudgeValue = (check: JsonPathCheck, value: Subject) => Verdict | Promise<Verdict>

/**
 * The values that a JSONPath (RFC 9535) selects satisfy the operator beside it. `equals` and `json_equals` compare
 * the one value, or the list of all that were selected; any other operator must hold for each of them, strings as
 * they are and other values as JSON, and at least one must be selected. A `not` beside the operator inverts it for
 * each value, and needs one too.
 */
export const jsonPath = async (check: Check, subject: Subject, judgeValue: JudgeValue): Promise<Verdict> => {
  const query = check.json_path
  if (query === undefined) return { holds: false }
  const values = await select(query.path, subject)
  if (!Array.isArray(values)) return values
  if (Object.hasOwn(query, 'equals') || Object.hasOwn(query, 'json_equals')) return judgeEquality(query, values)
  if (values.length === 0) return { holds: false, message: `nothing is at ${query.path}`, actual: [] }
  for (const [i, value] of values.entries()) {
    const verdict = await judgeValue(query, valueSubject(value, `${query.path} of ${subject.what}`))
    if (verdict.holds !== (query.not === true)) continue
    const which = values.length === 1 ? query.path : `${query.path}, value ${i + 1} of ${values.length}`
    const why = query.not === true ? `it holds for ${short(value)}, and should not` : verdict.message
    return { holds: false, message: `${which}: ${why ?? 'it does not hold'}`, actual: short(value, 500) }
  }
  return { holds: true }
}

const select = async (path: string, subject: Subject): Promise<unknown[] | Verdict> => {
  const compiled = await compileJsonPath(path)
  if (!compiled.ok) throw new GraderError(`the JSONPath ${path} can't be used: ${compiled.message}`)
  const read = subject.json()
  return read.ok ? compiled.select(read.value) : { holds: false, message: notJson(read.problem, subject) }
}

/** Whether a value is the operand of `equals` or `json_equals`. */
export const isEqualValue = (query: JsonPathCheck, value: unknown): boolean => {
  if (Object.hasOwn(query, 'json_equals')) return firstDifference(query.json_equals, value, query) === undefined
  const wanted = query.equals
  if (typeof wanted === 'string' && typeof value === 'string') return isSameText(query, wanted, value)
  return deepEqual(wanted, value)
}

/** Whether the operand is the one value, or the list of all. */
export const isEqualSelection = (query: JsonPathCheck, values: readonly unknown[]): boolean =>
  isEqualValue(query, values) || (values.length === 1 && isEqualValue(query, values[0]))

const judgeEquality = async (query: JsonPathCheck, values: readonly unknown[]): Promise<Verdict> => {
  const equal = isEqualSelection(query, values)
  const value = values.length === 1 ? values[0] : values
  const actual = jsonText(value).length > 2000 ? short(value, 500) : value
  if (query.not === true) {
    if (values.length === 0) return { holds: false, message: `nothing is at ${query.path}`, actual }
    return equal
      ? { holds: false, message: `${query.path} is ${short(value)}, and should not be`, actual }
      : { holds: true }
  }
  if (equal) return { holds: true }
  const wanted = query.equals ?? query.json_equals
  const was = values.length === 0 ? 'nothing is there' : `was ${short(value)}`
  const words = `${query.path}: expected ${short(wanted)}, ${was}`
  if (typeof wanted !== 'object' || wanted === null || values.length === 0)
    return { holds: false, message: words, actual }
  return { holds: false, message: `${words}\n${await jsonDiff(wanted, value)}`, actual }
}

const short = (value: unknown, max = 200): string => excerpt(jsonText(value), 0, max)
