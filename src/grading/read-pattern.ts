import { type ActionType, actionTypeOf, mainParam } from '../core/actions.ts'
import type { ActionStatus } from '../core/trajectory.ts'
import { isCheckMap, isMap } from '../lib/match-value.ts'
import { actionParamSchemas } from '../schema/action.ts'
import type { ActionPattern } from '../schema/pattern.ts'
import { GraderError } from './grader-error.ts'

/** A pattern's short and full forms brought to one shape. */
export type PatternParts = {
  readonly type: ActionType
  readonly status?: ActionStatus | undefined
  readonly exitCode?: unknown
  readonly output?: unknown
  /** By name. `skill` is a name for what is in `skills` too. */
  readonly params: Readonly<Record<string, unknown>>
}

/** Throws a GraderError for an action or a parameter that does not exist: such a pattern could never match. */
export const readPattern = (pattern: ActionPattern): PatternParts => {
  if (typeof pattern === 'string') return { type: typeOf(pattern), params: {} }
  if (Object.hasOwn(pattern, 'action')) {
    const { action, ...rest } = pattern as Record<string, unknown>
    return fullForm(typeOf(action), rest)
  }
  const [name, main] = Object.entries(pattern)[0] ?? []
  return shortForm(typeOf(name), main)
}

const typeOf = (name: unknown): ActionType => {
  const type = typeof name === 'string' ? actionTypeOf(name) : undefined
  if (type === undefined) throw new GraderError(`there is no action ${JSON.stringify(name)} for a pattern to match`)
  return type
}

const shortForm = (type: ActionType, main: unknown): PatternParts => {
  if (main === null || main === undefined) return { type, params: {} }
  if (type === 'select_skills') return skillForm(main)
  if (isMap(main) && !isCheckMap(main)) return fullForm(type, main)
  return { type, params: { [mainParam(type)]: main } }
}

const skillForm = (main: unknown): PatternParts => {
  if (Array.isArray(main)) return { type: 'select_skills', params: { skills: main } }
  const isSkill = !isMap(main) || isCheckMap(main) || Object.hasOwn(main, 'name')
  return isSkill ? { type: 'select_skills', params: { skill: main } } : fullForm('select_skills', main)
}

const fullForm = (type: ActionType, rest: Readonly<Record<string, unknown>>): PatternParts => {
  const { status, exit_code: exitCode, output, ...params } = rest
  const known = ['skill', ...Object.keys(actionParamSchemas[type].shape)]
  const unknown = Object.keys(params).find((key) => !known.includes(key))
  if (unknown !== undefined) {
    throw new GraderError(`a pattern names ${unknown}, which ${type} does not have`, {
      hint: `it has action, status, exit_code, output, ${[...new Set(known)].join(', ')}`,
    })
  }
  return { type, status: (status as ActionStatus | undefined) ?? impliedStatus(exitCode), exitCode, output, params }
}

/** Who names the exit code of a failure means an action that failed: `ok` could never match it. */
const impliedStatus = (exitCode: unknown): ActionStatus | undefined =>
  typeof exitCode === 'number' && exitCode !== 0 ? 'error' : undefined
