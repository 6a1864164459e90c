import type { ActionType } from '../core/actions.ts'
import type { ActionRecord } from '../core/trajectory.ts'
import { extractJson } from '../lib/json.ts'
import { compileFields, compileMatcher, isCheckMap, jsonText, type Matcher } from '../lib/match-value.ts'
import type { ActionPattern } from '../schema/pattern.ts'
import { jsonChecks } from './json-checks.ts'
import { compileSkills } from './match-skill.ts'
import { readPattern } from './read-pattern.ts'

/**
 * Whether a pattern matches an action. A pattern that names no status matches only what succeeded (`ok`), or with
 * `anyStatus` every attempt. Throws a RegexTimeout.
 */
export type ActionMatcher = (record: ActionRecord, options?: { readonly anyStatus?: boolean }) => boolean

/**
 * Compiles an action pattern: a type, a type with its main parameter, or the full form with `action`, `status`,
 * `exit_code`, `skill`, `output` and any parameter. What it leaves out matches anything. Throws a SkillsEvalError
 * for a pattern that could never match, such as one with a broken regular expression.
 */
export const compilePattern = async (pattern: ActionPattern): Promise<ActionMatcher> => {
  const { type, status, exitCode, output, params } = readPattern(pattern)
  const { skill, skills, ...rest } = params
  const matchesSkills = await compileSkills(skill, skills)
  const matchesParams = await compileParams(type, rest)
  const matchesOutput = await compileOutput(output)
  return (record, options) =>
    record.action === type &&
    matchesSkills(record, status ?? (options?.anyStatus === true ? undefined : 'ok')) &&
    (exitCode === undefined || record.exit_code === exitCode) &&
    matchesParams(record.params) &&
    matchesOutput(record.observation)
}

const always: Matcher = () => true

const compileParams = async (type: ActionType, params: Readonly<Record<string, unknown>>): Promise<Matcher> => {
  if (Object.keys(params).length === 0) return always
  const wanted = Object.entries(params).map(([key, value]) => [key, textParams.has(key) ? asText(value) : value])
  const matches = await compileFields(Object.fromEntries(wanted), jsonChecks)
  return type === 'final_answer' ? (given) => matches(withText(given)) : matches
}

/** Parameters that are always text: in a pattern a number, as a placeholder may leave one, means its digits. */
const textParams = new Set([
  ...['path', 'args', 'stdin', 'lines', 'section', 'pattern', 'content', 'url', 'method', 'body'],
  ...['query', 'tool', 'text', 'goal', 'reason'],
])

const asText = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(asText)
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
}

/** An answer that was given as JSON is matched as text too. */
const withText = (given: unknown): unknown => {
  const { text, json } = given as { readonly text?: unknown; readonly json?: unknown }
  return text === undefined ? { ...(given as object), text: jsonText(json) } : given
}

const compileOutput = async (output: unknown): Promise<Matcher> => {
  if (output === undefined) return always
  const matches = await compileMatcher(output, jsonChecks)
  if (typeof output === 'string' || isCheckMap(output)) return matches
  return (text) => {
    const read = extractJson(String(text))
    return read.ok && matches(read.value)
  }
}
