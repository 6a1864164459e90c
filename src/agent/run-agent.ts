import { parseSkillRef } from '../core/actions.ts'
import { assistantMessage, type BodyText, type ModelResponse } from '../core/model.ts'
import type { AgentOutcome, AgentStop } from '../core/outcome.ts'
import type { SkillSource } from '../core/ports.ts'
import type { Skill } from '../core/skill.ts'
import { readControl } from '../core/skill-control.ts'
import type { AgentDeps, AgentTask, ContextLimit } from './agent-deps.ts'
import { Budget } from './budget.ts'
import { defaultContextTokens, overLongInput, shownMessages } from './compact.ts'
import { type AgentRun, countRepair, performCalls } from './perform-calls.ts'
import { type Reading, readAnswer } from './read-answer.ts'
import { addUsage, enter, goOn, newRunState, type RunState } from './run-state.ts'
import { alreadyLoaded, bodyText, isLoaded, loadBody, loadedWithArguments } from './select-skills.ts'
import { openSession } from './session.ts'
import { skillNews } from './skill-news.ts'
import { type Child, type Outer, subagentStarter } from './subagent.ts'

/**
 * init → index_skills → decide → (load_skill_body | act → observe) → decide … → final. Everything that happens is on
 * the outcome's trajectory. Rejects only when `deps.signal` is aborted from outside, or for a bug.
 */
export const runAgent = async (task: AgentTask, deps: AgentDeps): Promise<AgentOutcome> => {
  deps.signal.throwIfAborted()
  const state = deps.state ?? newRunState(deps.trajectory)
  const isBegun = state.messages.length > 0
  if (isBegun) goOn(state)
  const budget = new Budget(deps.hardLimits, deps.softLimits, { turnsBefore: state.turns })
  return withinTime(state, budget, deps, (timed) => {
    if (!isBegun) {
      enter(state, 0, 'init')
      enter(state, 0, 'index_skills')
    }
    return converse(task, agentRun({ session: openSession(task, timed), state, budget, deps: timed, running: [] }))
  })
}

/** A skill that runs on its own: one request, with its body in front. */
const runChild = (child: Child): Promise<AgentOutcome> =>
  withinTime(child.state, child.budget, child.deps, (deps) => {
    enter(child.state, 0, 'init')
    return doTask(child, agentRun({ ...child, deps }))
  })

const agentRun = (outer: Omit<Outer, 'secondsLeft'>): AgentRun => {
  const { budget, deps } = outer
  const started = deps.clock.monotonic()
  const secondsLeft = () => budget.maxSeconds - (deps.clock.monotonic() - started) / 1000
  const subagent = outer.running.at(-1)
  return {
    ...outer,
    ...(subagent === undefined ? {} : { subagent }),
    runAlone: subagentStarter({ ...outer, secondsLeft }, runChild),
  }
}

const withinTime = async (
  state: RunState,
  budget: Budget,
  deps: AgentDeps,
  work: (deps: AgentDeps) => Promise<AgentStop>,
): Promise<AgentOutcome> => {
  // Not AbortSignal.any: it leaves something behind on `deps.signal`, which outlives thousands of runs.
  const ending = new AbortController()
  let isTimeUp = false
  const cancelTimer = deps.clock.timer(budget.maxSeconds * 1000, () => {
    isTimeUp = true
    ending.abort(new Error('out of time'))
  })
  const onAbort = () => ending.abort(deps.signal.reason)
  deps.signal.addEventListener('abort', onAbort, { once: true })
  try {
    const stop = await work({ ...deps, signal: ending.signal })
    return outcome(stop, state, budget)
  } catch (error) {
    if (!isTimeUp || deps.signal.aborted) throw error
    return outcome(budget.outOfTime(), state, budget)
  } finally {
    state.turns = budget.turns
    cancelTimer()
    deps.signal.removeEventListener('abort', onAbort)
  }
}

const outcome = (stop: AgentStop, state: RunState, budget: Budget): AgentOutcome => {
  enter(state, budget.turns, 'final')
  const { trajectory, answer, plan, usage, latencyMs } = state
  return { stop, trajectory, answer, plan, usage, costUsd: budget.costUsd, latencyMs }
}

const converse = async (task: AgentTask, run: AgentRun): Promise<AgentStop> => {
  const { state, budget, deps } = run
  const tooLong = overLongInput(task.inputs, deps.context)
  if (tooLong) return tooLong
  for (const input of task.inputs) {
    state.trajectory.push({ type: 'input', turn: budget.turns, text: input })
    const control = controlledByUser(input, deps.skills)
    if (control?.problem !== undefined) return { kind: 'error', code: 'skill_unavailable', message: control.problem }
    if (control) continue
    state.input = input
    state.observation = ''
    state.given.clear()
    // The system prompt stays as it is, to be cached and replayed: what is new of the skills is said.
    if (state.messages.length > 0) deps.skills.controls?.reload()
    const news = skillNews(state, deps.skills, budget.turns)
    const said = invokedByUser(input, run) ?? { text: input }
    state.messages.push({ role: 'user', ...said, text: news === '' ? said.text : `[${news}]\n\n${said.text}` })
    const stop = await answerRequest(run)
    if (stop.kind !== 'answered') return stop
  }
  return { kind: 'answered' }
}

const aloneNote =
  'You do this for another agent, which sees your final answer and nothing else of it: put into it all that it needs.'

const doTask = async ({ skill, task, given }: Child, run: AgentRun): Promise<AgentStop> => {
  const { state, deps } = run
  state.input = task
  state.trajectory.push({ type: 'input', turn: 0, text: task })
  enter(state, 0, 'load_skill_body')
  const body = loadBody(skill, state, deps.skills, 0, 'model', given)
  if ('problem' in body) return { kind: 'error', code: 'skill_unavailable', message: body.problem }
  const bodies = [bodyText(skill, body.text, given)]
  state.messages.push({ role: 'user', text: [body.text, aloneNote, task].join('\n\n'), bodies })
  return answerRequest(run)
}

/** `/disable NAME` or `/enable NAME` in a session with controls: no request, but the user's word. */
const controlledByUser = (input: string, { controls }: SkillSource): { readonly problem?: string } | undefined => {
  const { isOff, name } = readControl(input) ?? {}
  if (controls === undefined || name === undefined) return undefined
  const ref = parseSkillRef(name)
  const skill = isOff ? controls.disable(ref, 'user') : controls.enable(ref, 'user')
  return 'problem' in skill ? { problem: `${input}: ${skill.problem}` } : {}
}

/**
 * `/skill-name text`, one name or several: the user loads skills by their names; they are loaded at once and do not
 * count as triggered. The text goes to the placeholders in their bodies, and behind them unless each of them has taken
 * it. What is said to the model instead of the input; undefined where it names no skill.
 */
const invokedByUser = (
  input: string,
  run: AgentRun,
): { readonly text: string; readonly bodies?: readonly BodyText[] } | undefined => {
  const named: { readonly name: string; readonly skill: Skill }[] = []
  let rest = input
  for (;;) {
    const [, name, more] = /^\/([^\s/]+)(?:\s+([\s\S]*))?$/.exec(rest) ?? []
    const skill = name === undefined ? undefined : run.deps.skills.resolve(parseSkillRef(name), 'user')
    if (name === undefined || skill === undefined || 'problem' in skill) break
    named.push({ name, skill })
    rest = more?.trim() ?? ''
  }
  if (named.length === 0) return undefined
  const loaded = named.map((one) => loadedByUser(one, rest, run))
  const isTold = rest === '' || loaded.every(({ isTaken }) => isTaken === true)
  const bodies = loaded.flatMap(({ body }) => (body ? [body] : []))
  const said = [...loaded.map(({ text }) => text), ...(isTold ? [] : [rest])].join('\n\n')
  return { text: said, ...(bodies.length === 0 ? {} : { bodies }) }
}

const loadedByUser = (
  { name, skill }: { readonly name: string; readonly skill: Skill },
  given: string,
  { state, budget, deps }: AgentRun,
): { readonly text: string; readonly isTaken?: boolean; readonly body?: BodyText } => {
  if (isLoaded(skill, state)) {
    const hasArguments = given !== '' && state.takesArguments.has(skill.name)
    return { text: `[${hasArguments ? loadedWithArguments(skill) : alreadyLoaded(skill)}]` }
  }
  if (skill.runsAlone) {
    state.asked.add(skill.name)
    state.given.set(skill.name, given)
    return { text: `[The user asks for the skill ${skill.name}, which runs on its own: start it with select_skills.]` }
  }
  enter(state, budget.turns, 'load_skill_body')
  const body = loadBody(skill, state, deps.skills, budget.turns, 'user', given)
  if ('problem' in body) return { text: `/${name}\n\n[${body.problem}]` }
  return { text: body.text, isTaken: body.isTaken, body: bodyText(skill, body.text, given) }
}

const answerRequest = async (run: AgentRun): Promise<AgentStop> => {
  for (;;) {
    const limit = run.budget.startTurn()
    if (limit) return limit
    const stop = await takeTurn(run)
    if (stop) return stop
  }
}

/** One model call and the actions it asks for; undefined when the request goes on. */
const takeTurn = async (run: AgentRun): Promise<AgentStop | undefined> => {
  const { session, state, budget, deps } = run
  const turn = budget.turns
  enter(state, turn, 'decide')
  deps.signal.throwIfAborted()
  const offer = session.offer(state.loaded.values())
  const response = await deps.model.generate(
    {
      ...(run.conversation === undefined ? {} : { conversation: run.conversation }),
      system: offer.system,
      parts: offer.parts,
      ...shownMessages(state, offer, turn, contextLimit(deps)),
      tools: offer.tools,
      view: {
        ...(run.subagent === undefined ? {} : { subagent: run.subagent }),
        turn,
        input: state.input,
        observation: state.observation,
        skillsLoaded: [...state.loaded.keys()],
        skillsAvailable: deps.skills.controls ? deps.skills.visible().map(({ name }) => name) : offer.names.skills,
      },
    },
    { signal: deps.signal },
  )
  // What was spent was spent, also where nothing came of it.
  const over = budget.spend(response.usage, response.costUsd)
  const stop = noteResponse(response, turn, state) ?? over
  if (stop) return stop

  const reading: Reading =
    response.stop === 'max_tokens'
      ? { problem: 'the answer was cut off at its length limit, so nothing in it was done; answer again, shorter' }
      : readAnswer(response, deps.model.protocol, turn)
  if ('problem' in reading) return unreadable(response, reading.problem, turn, run)
  return performCalls(reading.calls, response, turn, offer, run)
}

const contextLimit = ({ context }: AgentDeps): ContextLimit => ({
  tokens: context?.tokens ?? defaultContextTokens,
  places: context?.places ?? [],
})

/** Puts the answer on the record; a response that is no answer ends the run. */
const noteResponse = (response: ModelResponse, turn: number, state: RunState): AgentStop | undefined => {
  state.usage = addUsage(state.usage, response.usage)
  state.latencyMs += response.latencyMs
  if (response.error) {
    const { code, message } = response.error
    return code === 'stale' ? { kind: 'stale', message } : { kind: 'error', code, message }
  }
  state.trajectory.push({
    type: 'model',
    turn,
    text: response.text,
    calls: response.calls.map((call) => call.name),
    stop: response.stop,
    usage: response.usage,
    latency_ms: response.latencyMs,
    model: response.model,
    cost_usd: response.costUsd,
  })
  switch (response.stop) {
    case 'refusal':
      return { kind: 'error', code: 'refused', message: withExcerpt('the model refused to answer', response.text) }
    case 'content_filter':
      return { kind: 'error', code: 'refused', message: 'the provider filtered the answer out' }
    case 'context_overflow':
      return { kind: 'error', code: 'model_error', message: 'the conversation is longer than the model can take' }
    case 'error':
      return { kind: 'error', code: 'model_error', message: withExcerpt('the model failed', response.text) }
    case 'end':
    case 'tool_use':
    case 'max_tokens':
      return undefined
  }
}

const withExcerpt = (what: string, text: string): string => (text === '' ? what : `${what}: ${text.slice(0, 500)}`)

/** Sends an answer back that could not be read; every call in it gets a result, as providers require. */
const unreadable = (
  response: ModelResponse,
  problem: string,
  turn: number,
  { state, deps }: AgentRun,
): AgentStop | undefined => {
  state.trajectory.push({ type: 'repair', turn, message: problem })
  state.messages.push(assistantMessage(response))
  state.observation = problem
  if (response.calls.length > 0) {
    const results = response.calls.map(({ id, name }) => ({ callId: id, name, text: problem, isError: true }))
    state.messages.push({ role: 'tool', results })
  } else {
    state.messages.push({ role: 'user', text: problem, isObservation: true })
  }
  return countRepair(problem, state, deps)
}
