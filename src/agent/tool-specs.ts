import * as z from 'zod'
import type { JsonSchema, ToolSpec } from '../core/model.ts'
import type { ProvidedTool } from '../core/ports.ts'
import { type ActionType, actionParamSchemas, actionTypes } from '../schema/action.ts'

const skillActions: ReadonlySet<ActionType> = new Set<ActionType>([
  'select_skills',
  'search_skills',
  'disable_skill',
  'enable_skill',
  'load_resource',
  'run_script',
])

/**
 * The tools that a model is offered in a run, sorted by name: what the policy could ever allow, no skill actions
 * where there are no skills, and each provided tool under its own name. Fixed for the run: a list that changes
 * throws away the provider's prompt cache.
 */
export const offeredTools = (options: {
  readonly hasSkills: boolean
  /** Some skill runs on its own: a selection can give it a task. */
  readonly canDelegate?: boolean
  /** The model may disable skills for its session. */
  readonly hasControls?: boolean
  readonly mayAllow: (tool: ActionType) => boolean
  readonly isThere: (tool: ActionType) => boolean
  readonly provided: readonly ProvidedTool[]
}): ToolSpec[] => {
  const own = actionTypes.filter((type) => {
    if (type === 'call_tool') return false
    if (type === 'update_plan' || type === 'final_answer') return true
    if (skillActions.has(type) && !options.hasSkills) return false
    if (type === 'disable_skill' || type === 'enable_skill') return options.hasControls === true
    const isBuiltIn = type === 'select_skills' || type === 'search_skills' || type === 'load_resource'
    return (isBuiltIn || options.isThere(type)) && options.mayAllow(type)
  })
  const provided = options.mayAllow('call_tool') ? options.provided : []
  return [
    ...own.map((type) => (type === 'select_skills' && !options.canDelegate ? plainSelection() : actionSpec(type))),
    ...provided.map(({ name, description, parameters }) => ({
      name,
      description,
      parameters: Object.keys(parameters).length === 0 ? { type: 'object' } : parameters,
    })),
  ].sort(byName)
}

export const byName = (a: ToolSpec, b: ToolSpec): number => (a.name < b.name ? -1 : 1)

let selection: ToolSpec | undefined

/** What nobody could use is not told: the same bytes as before there was a task. */
const plainSelection = (): ToolSpec => {
  if (selection) return selection
  const { parameters, ...spec } = actionSpec('select_skills')
  const { task: _, ...properties } = parameters.properties as Readonly<Record<string, unknown>>
  selection = { ...spec, parameters: { ...parameters, properties } }
  return selection
}

const specs = new Map<ActionType, ToolSpec>()

/** An action as a tool, its JSON Schema generated from the schema that its calls are checked with. */
export const actionSpec = (type: ActionType): ToolSpec => {
  const known = specs.get(type)
  if (known) return known
  const { $schema, ...parameters } = z.toJSONSchema(actionParamSchemas[type], { io: 'input', unrepresentable: 'any' })
  const { description = type, ...shape } = parameters
  const spec = { name: type, description, parameters: shape as JsonSchema }
  specs.set(type, spec)
  return spec
}
