import { type Action, actionTypeOf, normalizeParams, type RawCall } from '../core/actions.ts'
import { nearest } from '../lib/nearest.ts'
import { isDeeperThan } from '../lib/too-deep.ts'
import { checkedBy } from '../lib/zod-issues.ts'
import { type ActionType, actionParamSchemas } from '../schema/action.ts'

export type CallNames = {
  readonly actions: readonly string[]
  readonly provided: readonly string[]
  /** Provided too, and not offered yet: a call of one is an action, so that it can be denied with the reason. */
  readonly withheld?: readonly string[]
  readonly skills: readonly string[]
}

const mostLevels = 100
const mostIssues = 10
const mostNameChars = 80

/** A call as an action, or the exact reason why it is none, in words that let the model mend it. */
export const validateCall = (
  call: RawCall,
  names: CallNames,
): { readonly action: Action } | { readonly problem: string } => {
  if (call.problem !== undefined) return { problem: `${shortened(call.name)} is not valid: ${call.problem}` }
  if (isTooDeep(call.input)) {
    return { problem: `${shortened(call.name)} is not valid: its params are nested deeper than ${mostLevels} levels` }
  }
  const type = actionTypeOf(call.name)
  if (type !== undefined) return validated(type, normalizeParams(type, call.input))
  if (names.provided.includes(call.name) || names.withheld?.includes(call.name))
    return validated('call_tool', { tool: call.name, input: call.input ?? {} })
  return { problem: unknownName(call.name, names) }
}

/** Whether a value nests so deeply that writing it as JSON could exhaust the stack. */
export const isTooDeep = (value: unknown): boolean => isDeeperThan(mostLevels, value)

const validated = (type: ActionType, params: unknown): { action: Action } | { problem: string } => {
  const checked = checkedBy(actionParamSchemas[type], params)
  if (checked.ok) return { action: { action: type, params: checked.data } as Action }
  const { issues } = checked
  const told = issues.slice(0, mostIssues).map((issue) => `${issue.path.join('.') || 'params'}: ${issue.message}`)
  if (issues.length > mostIssues) told.push(`and ${issues.length - mostIssues} more`)
  return { problem: `${type} is not valid: ${told.join('; ')}` }
}

const unknownName = (name: string, names: CallNames): string => {
  if (names.skills.includes(name)) return `${name} is a skill, not an action: load it with select_skills`
  const all = [...names.actions, ...names.provided]
  const nearestFirst = new Set([...nearest(name, all), ...all])
  return `there is no action ${shortened(name)}; there is: ${[...nearestFirst].join(', ')}`
}

const shortened = (name: string): string => (name.length > mostNameChars ? `${name.slice(0, mostNameChars)}…` : name)
