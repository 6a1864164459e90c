import { type Action, type ActionType, actionTypeOf, normalizeParams, type RawCall } from '../core/actions.ts'
import { assistantMessage, type ModelResponse, type ToolMessage } from '../core/model.ts'
import type { AgentStop } from '../core/outcome.ts'
import type { AgentDeps } from './agent-deps.ts'
import type { Budget } from './budget.ts'
import { type Performed, performAction, type TurnContext } from './perform-action.ts'
import { brokenOff, enter, type RunState } from './run-state.ts'
import { isLoaded } from './select-skills.ts'
import type { Offer, Session } from './session.ts'
import { byPath } from './skill-by-path.ts'
import type { RunAlone } from './subagent.ts'
import { isTooDeep, validateCall } from './validate-call.ts'

export type AgentRun = {
  readonly session: Session
  readonly state: RunState
  readonly budget: Budget
  readonly deps: AgentDeps
  readonly runAlone: RunAlone
  /** Which conversation of the trial it is; undefined: the agent's own. */
  readonly conversation?: string
  /** The skill that runs on its own; undefined: the agent itself. */
  readonly subagent?: string
}

/** The calls of one answer to what was offered, in order: validate → permit → execute → observe. Undefined when the request goes on. */
export const performCalls = async (
  calls: readonly RawCall[],
  response: ModelResponse,
  turn: number,
  offer: Offer,
  run: AgentRun,
): Promise<AgentStop | undefined> => {
  const { state } = run
  state.messages.push(assistantMessage(response))
  const results: ToolMessage[] = []
  const before = new Set([...state.loaded.values()].filter((skill) => isLoaded(skill, state)).map(({ name }) => name))
  try {
    return await perform(calls, response, turn, offer, results, run)
  } catch (error) {
    breakOff(calls, response, results, before, state)
    throw error
  }
}

const perform = async (
  calls: readonly RawCall[],
  response: ModelResponse,
  turn: number,
  offer: Offer,
  results: ToolMessage[],
  run: AgentRun,
): Promise<AgentStop | undefined> => {
  const { session, state, deps } = run
  const context: TurnContext = { turn, bodies: 0, withheld: offer.withheld, runAlone: run.runAlone }
  let isDecided = false
  let problem: string | undefined
  let stop: AgentStop | undefined
  for (const call of calls) {
    const validated = validateCall(byPath(call, [...state.loaded.values()], deps.skills), offer.names)
    const done =
      'problem' in validated
        ? recordProblem(call, validated.problem, turn, state)
        : await performOne(validated.action, context, run)
    if ('problem' in validated) problem ??= validated.problem
    else if (isDecision(validated.action, done)) isDecided = true
    // The answer is the model's own: it need not be told.
    const text = done.answered ? 'the answer was given' : done.text
    results.push({
      callId: call.id,
      name: call.name,
      text,
      isError: done.status !== 'ok',
      ...(done.bodies?.length ? { bodies: done.bodies } : {}),
    })
    stop = done.stop ?? (done.answered ? { kind: 'answered' } : undefined)
    if (stop) break
  }
  state.observation = results.map((result) => result.text).join('\n')
  answerCalls(response, results, state)
  if (problem === undefined) state.repairs = 0
  if (stop) return stop
  if (problem !== undefined) {
    state.trajectory.push({ type: 'repair', turn, message: problem })
    return countRepair(problem, state, deps)
  }
  return session.firstDecisionOnly && isDecided ? { kind: 'decided' } : undefined
}

/**
 * What came of the calls until they were broken off stays in the conversation, which may go on. Instructions that did
 * not get into it count as not loaded.
 */
const breakOff = (
  calls: readonly RawCall[],
  response: ModelResponse,
  results: ToolMessage[],
  before: ReadonlySet<string>,
  state: RunState,
): void => {
  const given = new Set(results.flatMap(({ bodies }) => bodies?.map(({ skill }) => skill) ?? []))
  for (const name of state.loaded.keys()) if (!before.has(name) && !given.has(name)) state.loaded.delete(name)
  for (const { id, name } of calls.slice(results.length))
    results.push({ callId: id, name, text: brokenOff, isError: true })
  answerCalls(response, results, state)
}

/** One more answer that is not valid; too many of them running end the run. */
export const countRepair = (problem: string, state: RunState, deps: AgentDeps): AgentStop | undefined => {
  state.repairs += 1
  if (state.repairs <= deps.maxRepairs) return undefined
  const answers = state.repairs === 1 ? 'the answer was' : `${state.repairs} answers running were`
  return { kind: 'error', code: 'invalid_action', message: `${answers} not valid; the last: ${problem}` }
}

const undecided: ReadonlySet<ActionType> = new Set(['search_skills', 'update_plan', 'disable_skill', 'enable_skill'])

/** Searching and planning decide nothing yet, nor does a selection that loaded nothing: the model may mend it. */
const isDecision = (action: Action, done: Performed): boolean => {
  if (undecided.has(action.action)) return false
  return action.action !== 'select_skills' || done.status === 'ok'
}

/** Every native call needs exactly one result; calls behind the one that ended the request are told so. */
const answerCalls = (response: ModelResponse, results: readonly ToolMessage[], state: RunState): void => {
  if (response.calls.length === 0) {
    // Text protocol, or plain text: what came of it travels as a user message.
    const told = results.filter((result) => result.name !== 'final_answer' || result.isError)
    const text = told.map((result) => `${result.name}: ${result.text}`).join('\n\n')
    const bodies = told.flatMap((result) => result.bodies ?? [])
    if (text !== '') {
      state.messages.push({ role: 'user', text, isObservation: true, ...(bodies.length === 0 ? {} : { bodies }) })
    }
    return
  }
  const missing = response.calls.slice(results.length).map(({ id, name }) => ({
    callId: id,
    name,
    text: 'not done: the request had ended',
    isError: true,
  }))
  state.messages.push({ role: 'tool', results: [...results, ...missing] })
}

const recordProblem = (call: RawCall, problem: string, turn: number, state: RunState): Performed => {
  const type = actionTypeOf(call.name)
  const params = type === undefined ? call.input : normalizeParams(type, call.input)
  const isKept = typeof params === 'object' && params !== null && !Array.isArray(params) && !isTooDeep(params)
  state.trajectory.push({
    type: 'action',
    record: {
      turn,
      action: type ?? call.name,
      params: isKept ? (params as Record<string, unknown>) : {},
      status: 'error',
      observation: problem,
      duration_ms: 0,
    },
  })
  return { status: 'error', text: problem }
}

/** What belongs to thinking and to skills is no tool call; loading a resource is one. */
const uncounted: ReadonlySet<ActionType> = new Set<ActionType>([
  'select_skills',
  'search_skills',
  'disable_skill',
  'enable_skill',
  'update_plan',
  'final_answer',
])

const performOne = async (action: Action, context: TurnContext, run: AgentRun): Promise<Performed> => {
  const { state, budget, deps } = run
  if (!uncounted.has(action.action)) {
    const stop = budget.startToolCall(action.action === 'run_script')
    if (stop) return { status: 'error', text: 'not done: a limit was reached', stop }
  }
  // A selection is a state of its own.
  const isSelection = action.action === 'select_skills'
  enter(state, context.turn, isSelection ? 'load_skill_body' : 'act')
  const started = deps.clock.monotonic()
  const record = (done: Performed): void => {
    state.trajectory.push({
      type: 'action',
      record: {
        turn: context.turn,
        action: action.action,
        params: action.params,
        status: done.status,
        ...(done.rule === undefined ? {} : { rule: done.rule }),
        observation: done.text,
        ...(done.exitCode === undefined ? {} : { exit_code: done.exitCode }),
        duration_ms: Math.round((deps.clock.monotonic() - started) * 1000) / 1000,
        ...(done.skills ? { skills: done.skills } : {}),
        ...(done.subagents ? { subagents: done.subagents, actions: done.actions } : {}),
      },
    })
  }
  try {
    const done = await performAction(action, context, state, deps)
    record(done)
    if (!isSelection) enter(state, context.turn, 'observe')
    return done
  } catch (error) {
    // What was under way when time ran out is the first thing that somebody wants to know.
    if (deps.signal.aborted) record({ status: 'error', text: 'not finished: the run was stopped' })
    throw error
  }
}
