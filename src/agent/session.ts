import { actionTypeOf } from '../core/actions.ts'
import type { RequestParts, ToolSpec } from '../core/model.ts'
import type { AgentDeps, AgentTask } from './agent-deps.ts'
import { systemPrompt } from './prompt.ts'
import { actionSpec, byName, offeredTools } from './tool-specs.ts'
import type { CallNames } from './validate-call.ts'

/** What stays the same for all turns of a run: a provider can cache it. */
export type Session = {
  readonly system: string
  readonly parts: RequestParts
  readonly tools: readonly ToolSpec[]
  readonly names: CallNames
  readonly firstDecisionOnly: boolean
}

export const openSession = (task: AgentTask, deps: AgentDeps): Session => {
  // What is turned off is told: the tools and the index stay what they are.
  const visible = deps.skills.controls?.all() ?? deps.skills.visible()
  // An action keeps its name: a provided tool that has it too is reached through call_tool alone.
  const named = deps.provided.filter((tool) => actionTypeOf(tool.name) === undefined)
  const tools = offeredTools({
    hasSkills: visible.length > 0,
    hasControls: deps.skills.controls !== undefined,
    canDelegate: visible.some((skill) => skill.runsAlone === true),
    mayAllow: deps.authorizer.mayAllow,
    isThere: (type) => deps.tools.has(type),
    provided: named,
  })
  const isText = deps.model.protocol === 'text'
  const listed = isText ? textActions(tools, deps) : undefined
  return {
    system: systemPrompt(deps.renderedIndex, listed, deps.projectNotes),
    parts: {
      system: systemPrompt(deps.renderedIndex === '' ? '' : '…', isText ? [] : undefined, deps.projectNotes),
      index: deps.renderedIndex,
      descriptions: Object.fromEntries(visible.map(({ name, description }) => [name, description])),
      tools: listed ?? tools,
    },
    tools: isText ? [] : tools,
    names: {
      actions: tools.map((tool) => tool.name),
      provided: deps.provided.map((tool) => tool.name),
      skills: visible.map((skill) => skill.name),
    },
    firstDecisionOnly: task.firstDecisionOnly,
  }
}

/** In text, provided tools are reached through call_tool; they are listed so that the model knows their inputs. */
const textActions = (tools: readonly ToolSpec[], deps: AgentDeps): ToolSpec[] => {
  const actions = tools.filter((tool) => actionTypeOf(tool.name) !== undefined)
  if (deps.provided.length === 0 || !deps.authorizer.mayAllow('call_tool')) return actions
  const provided = deps.provided.map(({ name, description, parameters }) => ({
    name: `call_tool ${name}`,
    description,
    parameters,
  }))
  return [...actions, actionSpec('call_tool'), ...provided].sort(byName)
}
