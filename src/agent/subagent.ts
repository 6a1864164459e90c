import type { AgentOutcome, AgentStop } from '../core/outcome.ts'
import type { Skill } from '../core/skill.ts'
import { type ActionRecord, actionsOf, type SubagentResult } from '../core/trajectory.ts'
import type { AgentDeps } from './agent-deps.ts'
import type { Budget } from './budget.ts'
import { fencedAuthorizer, fenceFor } from './fenced-authorizer.ts'
import { addUsage, newRunState, type RunState } from './run-state.ts'
import type { Session } from './session.ts'

/** What came of a skill that ran on its own: `text` is the observation. `stop` ends the outer agent too. */
export type SubagentEnd = {
  readonly text: string
  readonly isAnswered: boolean
  readonly result: SubagentResult
  readonly actions: readonly ActionResultOf[]
  readonly stop?: AgentStop
}

type ActionResultOf = NonNullable<ActionRecord['actions']>[number]

/** Runs a skill on its own; a problem in words where it can't be started. */
export type RunAlone = (
  skill: Skill,
  task: string | undefined,
  turn: number,
) => Promise<SubagentEnd | { readonly problem: string }>

/** An agent that starts others: the outermost one, or a skill that runs on its own itself. */
export type Outer = {
  readonly session: Session
  readonly state: RunState
  readonly budget: Budget
  readonly deps: AgentDeps
  /** The skills that run on their own around it, itself the last. */
  readonly running: readonly string[]
  readonly conversation?: string
  secondsLeft(): number
}

/** All that a sub-agent starts with. */
export type Child = Pick<Outer, 'session' | 'state' | 'budget' | 'deps' | 'running'> & {
  readonly skill: Skill
  readonly task: string
  /** What the user said behind its name; undefined: the model selects it by itself. */
  readonly given: string | undefined
  readonly conversation: string
}

const DEPTH = 2
const SHARE = 0.5

/**
 * Starts skills as agents with a conversation of their own: the same model, tools and workspace, a share of the budget
 * that is left, and no more permissions than their own declaration and the outer agent have. All that they do and spend
 * is on the outer agent's record. `run` is the loop itself.
 */
export const subagentStarter =
  (outer: Outer, run: (child: Child) => Promise<AgentOutcome>): RunAlone =>
  async (skill, task, turn) => {
    const problem = whyNot(skill, outer)
    if (problem !== undefined) return { problem }
    if (outer.session.firstDecisionOnly) return notRun(skill)
    const { state, deps } = outer
    const child = childOf(skill, task, outer)
    state.trajectory.push({ type: 'subagent', turn, skill: skill.name, task: child.task })
    try {
      return endOf(skill, await run(child), child.budget.turns, outer)
    } finally {
      state.usage = addUsage(state.usage, child.state.usage)
      state.latencyMs += child.state.latencyMs
      for (const event of child.state.trajectory) {
        const parent = event.parent === undefined ? skill.name : `${skill.name}/${event.parent}`
        state.trajectory.push({ ...event, parent })
      }
      deps.signal.throwIfAborted()
    }
  }

const whyNot = (skill: Skill, { running, deps, budget }: Outer): string | undefined => {
  if (running.includes(skill.name)) return `${skill.name} is running already, and asked for this: do it without it`
  if (!budget.hasTurnToShare) return `${skill.name} was not started: no turn is left for it. Answer with what you have.`
  const depth = deps.subagents?.depth ?? DEPTH
  if (running.length < depth) return undefined
  const how = depth === 0 ? 'here no skill may' : `skills may do so only ${depth} deep, and that deep it is here`
  return `${skill.name} was not started: it runs on its own, and ${how}. Do it yourself, or answer without it.`
}

const childOf = (skill: Skill, task: string | undefined, outer: Outer): Child => {
  const { state, budget, deps, running, session } = outer
  const times = (state.started.get(skill.name) ?? 0) + 1
  state.started.set(skill.name, times)
  const name = times === 1 ? skill.name : `${skill.name}#${times}`
  const fence = fenceFor(skill, [...state.loaded.values()])
  return {
    skill,
    given: state.given.get(skill.name),
    task: task === undefined ? state.input : `${task}\n\nIt is part of this request:\n${state.input}`,
    conversation: outer.conversation === undefined ? name : `${outer.conversation}/${name}`,
    running: [...running, skill.name],
    session,
    state: newRunState([], state.approved),
    budget: budget.shareFor(deps.subagents?.share ?? SHARE, outer.secondsLeft()),
    deps: { ...deps, authorizer: fencedAuthorizer(deps.authorizer, fence) },
  }
}

/** Where only the first decision is looked at, that it was selected is all there is to know. */
const notRun = (skill: Skill): SubagentEnd => ({
  text: `${skill.name} was selected`,
  isAnswered: true,
  result: {
    skill: skill.name,
    turns: 0,
    stop: 'not run',
    usage: { input_tokens: 0, output_tokens: 0, cached_input_tokens: 0, reasoning_tokens: 0 },
  },
  actions: [],
})

const endOf = (skill: Skill, outcome: AgentOutcome, turns: number, { budget }: Outer): SubagentEnd => {
  const { stop, answer, usage, trajectory } = outcome
  const answered = stop.kind === 'answered' ? (answer?.text.trim() ?? '') : ''
  const isAnswered = answered !== ''
  const over = endsAll(stop) ? stop : budget.overspent()
  const why = 'message' in stop ? stop.message : 'its answer is empty'
  return {
    text: isAnswered ? `${skill.name} answered:\n\n${answered}` : `${skill.name} ended without an answer: ${why}`,
    isAnswered,
    result: { skill: skill.name, turns, stop: stopName(stop), usage },
    actions: actionsOf(trajectory).map(({ skills: _, ...action }) => ({ ...action, agent: skill.name })),
    ...(over ? { stop: over } : {}),
  }
}

/**
 * What says nothing of the skill but that its work could not be judged ends everything; its own limits, a refusal and
 * answers that could not be read are what the outer agent can go on from.
 */
const endsAll = (stop: AgentStop): boolean => {
  if (stop.kind === 'stale') return true
  return stop.kind === 'error' && !goesOn.has(stop.code)
}

const goesOn: ReadonlySet<string> = new Set(['refused', 'invalid_action', 'budget_exceeded', 'skill_unavailable'])

const stopName = (stop: AgentStop): string => {
  if (stop.kind === 'limit') return stop.limit
  return stop.kind === 'error' ? stop.code : stop.kind
}
