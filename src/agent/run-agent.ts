import type { Action, ActionType, RawCall } from '../core/actions.ts'
import type { ModelResponse, ToolMessage, ToolSpec } from '../core/model.ts'
import type { AgentOutcome, AgentStop } from '../core/outcome.ts'
import type { AgentDeps, AgentTask } from './agent-deps.ts'
import { Budget } from './budget.ts'
import { type Performed, performAction, type TurnContext } from './perform-action.ts'
import { systemPrompt } from './prompt.ts'
import { type Reading, readAnswer } from './read-answer.ts'
import { addUsage, enter, newRunState, type RunState } from './run-state.ts'
import { loadBody } from './select-skills.ts'
import { actionSpec, offeredTools } from './tool-specs.ts'
import { type CallNames, validateCall } from './validate-call.ts'

/**
 * init → index_skills → decide → (load_skill_body | act → observe) → decide … → final. Everything that happens is on
 * the outcome's trajectory. Rejects only when `deps.signal` is aborted from outside, or for a bug.
 */
export const runAgent = async (task: AgentTask, deps: AgentDeps): Promise<AgentOutcome> => {
  const state = newRunState()
  const budget = new Budget(deps.hardLimits, deps.softLimits)
  const timeUp = new AbortController()
  const cancelTimer = deps.clock.timer(budget.maxSeconds * 1000, () => timeUp.abort(new Error('out of time')))
  const timed: AgentDeps = { ...deps, signal: AbortSignal.any([deps.signal, timeUp.signal]) }
  try {
    const stop = await converse(task, state, budget, timed)
    return outcome(stop, state, budget)
  } catch (error) {
    if (!timeUp.signal.aborted || deps.signal.aborted) throw error
    return outcome(budget.outOfTime(), state, budget)
  } finally {
    cancelTimer()
  }
}

const outcome = (stop: AgentStop, state: RunState, budget: Budget): AgentOutcome => {
  enter(state, budget.turns, 'final')
  const { trajectory, answer, plan, usage, latencyMs } = state
  return { stop, trajectory, answer, plan, usage, costUsd: budget.costUsd, latencyMs }
}

type Session = {
  readonly system: string
  readonly tools: readonly ToolSpec[]
  readonly names: CallNames
  readonly firstDecisionOnly: boolean
}

const converse = async (task: AgentTask, state: RunState, budget: Budget, deps: AgentDeps): Promise<AgentStop> => {
  enter(state, 0, 'init')
  enter(state, 0, 'index_skills')
  const session = openSession(task, deps)
  for (const input of task.inputs) {
    state.input = input
    state.observation = ''
    state.trajectory.push({ type: 'input', turn: budget.turns, text: input })
    state.messages.push({ role: 'user', text: invokedByUser(input, state, deps, budget.turns) })
    const stop = await answerRequest(session, state, budget, deps)
    if (stop.kind !== 'answered') return stop
  }
  return { kind: 'answered' }
}

const openSession = (task: AgentTask, deps: AgentDeps): Session => {
  const visible = deps.skills.visible()
  const tools = offeredTools({
    hasSkills: visible.length > 0,
    mayAllow: deps.authorizer.mayAllow,
    isThere: (type) => deps.tools.has(type),
    provided: deps.provided,
  })
  const isText = deps.model.protocol === 'text'
  const asActions = deps.provided.length > 0 ? [...tools.filter(isAction(deps)), actionSpec('call_tool')] : tools
  return {
    system: systemPrompt(deps.renderedIndex, isText ? [...asActions, ...providedOf(tools, deps)] : undefined),
    tools: isText ? [] : tools,
    names: {
      actions: tools.map((tool) => tool.name),
      provided: deps.provided.map((tool) => tool.name),
      skills: visible.map((skill) => skill.name),
    },
    firstDecisionOnly: task.firstDecisionOnly,
  }
}

const isAction = (deps: AgentDeps) => (tool: ToolSpec) => !deps.provided.some((provided) => provided.name === tool.name)

/** In text, provided tools are reached through call_tool; they are listed so that the model knows their inputs. */
const providedOf = (tools: readonly ToolSpec[], deps: AgentDeps): ToolSpec[] =>
  tools.filter((tool) => !isAction(deps)(tool)).map((tool) => ({ ...tool, name: `call_tool ${tool.name}` }))

/** `/skill-name text`, also several: the user loads skills by name; loaded at once, they do not count as triggered. */
const invokedByUser = (input: string, state: RunState, deps: AgentDeps, turn: number): string => {
  const match = /^\/([^\s/]+)(?:\s+([\s\S]*))?$/.exec(input)
  if (!match?.[1]) return input
  const skill = deps.skills.resolve({ name: match[1] }, 'user')
  if ('problem' in skill || skill.hiddenFromUser) return input
  const body = loadBody(skill, state, deps.skills, turn, 'user')
  if ('problem' in body) return `${input}\n\n[${body.problem}]`
  const rest = match[2]?.trim() ?? ''
  return rest === '' ? body.text : `${body.text}\n\n${invokedByUser(rest, state, deps, turn)}`
}

const answerRequest = async (
  session: Session,
  state: RunState,
  budget: Budget,
  deps: AgentDeps,
): Promise<AgentStop> => {
  for (;;) {
    const limit = budget.startTurn()
    if (limit) return limit
    const stop = await takeTurn(session, state, budget, deps)
    if (stop) return stop
  }
}

/** One model call and the actions it asks for; undefined when the request goes on. */
const takeTurn = async (
  session: Session,
  state: RunState,
  budget: Budget,
  deps: AgentDeps,
): Promise<AgentStop | undefined> => {
  const turn = budget.turns
  enter(state, turn, 'decide')
  deps.signal.throwIfAborted()
  const response = await deps.model.generate(
    {
      system: session.system,
      messages: state.messages,
      tools: session.tools,
      view: {
        turn,
        input: state.input,
        observation: state.observation,
        skillsLoaded: [...state.loaded.keys()],
        skillsAvailable: session.names.skills,
      },
    },
    { signal: deps.signal },
  )
  const failed = noteResponse(response, turn, state)
  if (failed) return failed
  const over = budget.spend(response.usage, response.costUsd)
  if (over) return over

  const reading: Reading =
    response.stop === 'max_tokens'
      ? { problem: 'the answer was cut off at its length limit, so nothing in it was done; answer again, shorter' }
      : readAnswer(response, deps.model.protocol, turn)
  if ('problem' in reading) return unreadable(response, reading.problem, turn, state, deps)
  return performCalls(reading.calls, response, session, turn, state, budget, deps)
}

/** Puts the answer on the record; a response that is no answer ends the run. */
const noteResponse = (response: ModelResponse, turn: number, state: RunState): AgentStop | undefined => {
  state.usage = addUsage(state.usage, response.usage)
  state.latencyMs += response.latencyMs
  if (response.error) return { kind: 'error', code: response.error.code, message: response.error.message }
  state.trajectory.push({
    type: 'model',
    turn,
    text: response.text,
    calls: response.calls.map((call) => call.name),
    stop: response.stop,
    usage: response.usage,
    latency_ms: response.latencyMs,
    model: response.model,
  })
  switch (response.stop) {
    case 'refusal':
    case 'content_filter':
      return { kind: 'error', code: 'refused', message: response.text || 'the model refused to answer' }
    case 'context_overflow':
      return { kind: 'error', code: 'model_error', message: 'the conversation is longer than the model can take' }
    case 'error':
      return { kind: 'error', code: 'model_error', message: response.text || 'the model failed' }
    default:
      return undefined
  }
}

/** Sends an answer back that could not be read; every call in it gets a result, as providers require. */
const unreadable = (
  response: ModelResponse,
  problem: string,
  turn: number,
  state: RunState,
  deps: AgentDeps,
): AgentStop | undefined => {
  state.trajectory.push({ type: 'repair', turn, message: problem })
  state.messages.push({ role: 'assistant', text: response.text, calls: response.calls })
  state.observation = problem
  if (response.calls.length > 0) {
    const results = response.calls.map(({ id, name }) => ({ callId: id, name, text: problem, isError: true }))
    state.messages.push({ role: 'tool', results })
  } else {
    state.messages.push({ role: 'user', text: problem })
  }
  return countRepair(problem, state, deps)
}

const countRepair = (problem: string, state: RunState, deps: AgentDeps): AgentStop | undefined => {
  state.repairs += 1
  if (state.repairs <= deps.maxRepairs) return undefined
  return {
    kind: 'error',
    code: 'invalid_action',
    message: `${state.repairs} answers running were not valid; the last: ${problem}`,
  }
}

const performCalls = async (
  calls: readonly RawCall[],
  response: ModelResponse,
  session: Session,
  turn: number,
  state: RunState,
  budget: Budget,
  deps: AgentDeps,
): Promise<AgentStop | undefined> => {
  state.messages.push({ role: 'assistant', text: response.text, calls: response.calls })
  const context: TurnContext = { turn, bodies: 0 }
  const results: ToolMessage[] = []
  const decisions: string[] = []
  let problem: string | undefined
  let stop: AgentStop | undefined
  for (const call of calls) {
    const validated = validateCall(aliased(call, deps), session.names)
    const done =
      'problem' in validated
        ? recordProblem(call, validated.problem, turn, state)
        : await perform(validated.action, context, state, budget, deps)
    if ('problem' in validated) problem ??= validated.problem
    else decisions.push(validated.action.action)
    results.push({ callId: call.id, name: call.name, text: done.text, isError: done.status !== 'ok' })
    stop = done.stop ?? (done.answered ? { kind: 'answered' } : undefined)
    if (stop) break
  }
  state.observation = results.map((result) => result.text).join('\n')
  answerCalls(response, results, state)
  if (stop) return stop
  if (problem !== undefined) {
    state.trajectory.push({ type: 'repair', turn, message: problem })
    return countRepair(problem, state, deps)
  }
  state.repairs = 0
  const decided = decisions.some((action) => action !== 'search_skills' && action !== 'update_plan')
  return session.firstDecisionOnly && decided ? { kind: 'decided' } : undefined
}

/** Every native call needs exactly one result; calls behind the one that ended the request are told so. */
const answerCalls = (response: ModelResponse, results: ToolMessage[], state: RunState): void => {
  if (response.calls.length === 0) {
    // Text protocol, or plain text: what came of it travels as a user message.
    state.messages.push({ role: 'user', text: results.map((result) => `${result.name}: ${result.text}`).join('\n\n') })
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

/** Reading an indexed SKILL.md is selecting that skill, whatever tool it is read with. */
const aliased = (call: RawCall, deps: AgentDeps): RawCall => {
  if (call.name !== 'read_file') return call
  const path = typeof call.input === 'string' ? call.input : (call.input as { path?: unknown } | null)?.path
  const skill = typeof path === 'string' && path.startsWith('/') ? deps.skills.byFile(path) : undefined
  return skill ? { ...call, name: 'select_skills', input: { skills: [{ name: skill.name }] } } : call
}

const recordProblem = (call: RawCall, problem: string, turn: number, state: RunState): Performed => {
  const params = typeof call.input === 'object' && call.input !== null ? (call.input as Record<string, unknown>) : {}
  state.trajectory.push({
    type: 'action',
    record: { turn, action: call.name, params, status: 'error', observation: problem, duration_ms: 0 },
  })
  return { status: 'error', text: problem }
}

const uncounted: ReadonlySet<ActionType> = new Set<ActionType>([
  'select_skills',
  'search_skills',
  'update_plan',
  'final_answer',
])

const perform = async (
  action: Action,
  context: TurnContext,
  state: RunState,
  budget: Budget,
  deps: AgentDeps,
): Promise<Performed> => {
  if (!uncounted.has(action.action)) {
    const stop = budget.startToolCall(action.action === 'run_script')
    if (stop) return { status: 'error', text: 'not done: a limit was reached', stop }
  }
  enter(state, context.turn, 'act')
  const started = deps.clock.monotonic()
  const done = await performAction(action, context, state, deps)
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
    },
  })
  enter(state, context.turn, 'observe')
  return done
}
