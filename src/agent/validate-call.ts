import { type Action, actionTypeOf, normalizeParams, type RawCall } from '../core/actions.ts'
import { nearest } from '../lib/nearest.ts'
import { type ActionType, actionParamSchemas } from '../schema/action.ts'

export type CallNames = {
  readonly actions: readonly string[]
  readonly provided: readonly string[]
  readonly skills: readonly string[]
}

/** A call as an action, or the exact reason why it is none, in words that let the model mend it. */
export const validateCall = (
  call: RawCall,
  names: CallNames,
): { readonly action: Action } | { readonly problem: string } => {
  const type = actionTypeOf(call.name)
  if (type === undefined) {
    if (names.provided.includes(call.name)) return validated('call_tool', { tool: call.name, input: call.input ?? {} })
    return { problem: unknownName(call.name, names) }
  }
  return validated(type, normalizeParams(type, call.input))
}

const validated = (type: ActionType, params: unknown): { action: Action } | { problem: string } => {
  const result = actionParamSchemas[type].safeParse(params)
  if (result.success) return { action: { action: type, params: result.data } as Action }
  const issues = result.error.issues.map((issue) => `${issue.path.join('.') || 'params'}: ${issue.message}`)
  return { problem: `${type} is not valid: ${issues.join('; ')}` }
}

const unknownName = (name: string, names: CallNames): string => {
  if (names.skills.includes(name)) return `${name} is a skill, not an action: load it with select_skills`
  const all = [...names.actions, ...names.provided]
  const close = nearest(name, all)
  const sorted = [...close, ...all.filter((candidate) => !close.includes(candidate))]
  return `there is no action ${name}; there is: ${sorted.join(', ')}`
}
