import { actionTypeOf } from '../core/actions.ts'
import type { RequestParts, ToolSpec } from '../core/model.ts'
import type { ProvidedTool } from '../core/ports.ts'
import type { Skill } from '../core/skill.ts'
import type { AgentDeps, AgentTask } from './agent-deps.ts'
import { systemPrompt } from './prompt.ts'
import { type WithheldTools, withheldTools } from './skill-tools.ts'
import { actionSpec, byName, offeredTools } from './tool-specs.ts'
import type { CallNames } from './validate-call.ts'

export type Session = {
  readonly firstDecisionOnly: boolean
  /** What a model is told in its next turn by an agent that has loaded these skills: the same object while it stays the same. */
  offer(loaded: Iterable<Skill>): Offer
}

/** What stays the same for all turns of a run, unless tools come with skills: a provider can cache it. */
export type Offer = {
  readonly system: string
  readonly parts: RequestParts
  readonly tools: readonly ToolSpec[]
  readonly names: CallNames
  readonly withheld: WithheldTools
}

export const openSession = (task: AgentTask, deps: AgentDeps): Session => {
  // What is turned off is told: the tools and the index stay what they are.
  const visible = deps.skills.controls?.all() ?? deps.skills.visible()
  const made = new Map<string, Offer>()
  const offerWithout = (withheld: WithheldTools): Offer => {
    const key = JSON.stringify([...withheld].map(([tool, owners]) => [tool, ...owners.map(({ name }) => name)]))
    const offer = made.get(key) ?? makeOffer(visible, withheld, deps)
    made.set(key, offer)
    return offer
  }
  const all = offerWithout(new Map())
  if (!deps.offersPerSkill) return { firstDecisionOnly: task.firstDecisionOnly, offer: () => all }
  const provided = deps.provided.map(({ name }) => name)
  return {
    firstDecisionOnly: task.firstDecisionOnly,
    offer: (loaded) => offerWithout(withheldTools(provided, deps.skills, loaded)),
  }
}

const makeOffer = (visible: readonly Skill[], withheld: WithheldTools, deps: AgentDeps): Offer => {
  const provided = deps.provided.filter(({ name }) => !withheld.has(name))
  const tools = offeredTools({
    hasSkills: visible.length > 0,
    hasControls: deps.skills.controls !== undefined,
    canDelegate: visible.some((skill) => skill.runsAlone === true),
    mayAllow: deps.authorizer.mayAllow,
    isThere: (type) => deps.tools.has(type),
    // An action keeps its name: a provided tool that has it too is reached through call_tool alone.
    provided: provided.filter((tool) => actionTypeOf(tool.name) === undefined),
  })
  const isText = deps.model.protocol === 'text'
  const listed = isText ? textActions(tools, provided, deps) : undefined
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
      provided: provided.map((tool) => tool.name),
      withheld: [...withheld.keys()],
      skills: visible.map((skill) => skill.name),
    },
    withheld,
  }
}

/** In text, provided tools are reached through call_tool; they are listed so that the model knows their inputs. */
const textActions = (
  tools: readonly ToolSpec[],
  offered: readonly ProvidedTool[],
  { authorizer }: AgentDeps,
): ToolSpec[] => {
  const actions = tools.filter((tool) => actionTypeOf(tool.name) !== undefined)
  if (offered.length === 0 || !authorizer.mayAllow('call_tool')) return actions
  const provided = offered.map(({ name, description, parameters }) => ({
    name: `call_tool ${name}`,
    description,
    parameters,
  }))
  return [...actions, actionSpec('call_tool'), ...provided].sort(byName)
}
