import { systemIds } from '../adapters/clock/system-clock.ts'
import { overLongInput } from '../agent/compact.ts'
import { runAgent } from '../agent/run-agent.ts'
import { newRunState, type RunState } from '../agent/run-state.ts'
import { redactor } from '../cassette/redactor.ts'
import { parseSkillRef } from '../core/actions.ts'
import type { AgentOutcome, AgentStop } from '../core/outcome.ts'
import type { Skill, SkillHit, SkillProblem } from '../core/skill.ts'
import { readControl, writeControl } from '../core/skill-control.ts'
import type { Plan, TrajectoryEvent, Usage } from '../core/trajectory.ts'
import type { AgentSession } from '../schema/agent-session.ts'
import { type AgentOptions, type AgentWorld, openAgentWorld, warnOfCut } from './agent-world.ts'
import { auditedRun, type Recording, type TaskOutcome } from './audit-run.ts'
import { findSession, restoredState, sessionKeeper } from './chat-sessions.ts'
import { chatSkills } from './chat-skills.ts'
import type { Host } from './host.ts'
import { configuredKeys, digestKey } from './recorded-models.ts'
import { type RecordedRun, recordedRun } from './recorded-run.ts'
import { attachmentsOf, tell } from './run-task.ts'
import { earlierEvents, sessionRecording, touchedBefore } from './session-recording.ts'

export type ChatOptions = Omit<AgentOptions, 'isRecorded' | 'replay' | 'touched'> & {
  /** A stored chat to go on with: `latest`, an id or how it starts. */
  readonly continue?: string
  /** Whether what `runs promote` needs is kept at the end. */
  readonly record: boolean
  /** Told of everything as it happens. */
  onEvent?(event: TrajectoryEvent): void
}

/** What came of one request; `broken`: the person ended it. */
export type Reply =
  | { readonly kind: 'answer'; readonly text: string }
  | { readonly kind: 'stop'; readonly stop: AgentStop }
  | { readonly kind: 'broken' }

export type ChatSkill = Pick<Skill, 'name' | 'description' | 'source' | 'hiddenFromUser'> & {
  readonly isLoaded: boolean
  readonly isDisabled: boolean
}

/** A conversation with the agent, one request after another. */
export type Chat = {
  readonly id: string
  /** How many requests were stored before, where it goes on with a chat. */
  readonly earlier: number
  say(text: string, signal: AbortSignal): Promise<Reply>
  skills(): readonly ChatSkill[]
  search(query: string): Promise<readonly SkillHit[]>
  /** As the user's word, which stands over the model's. */
  setDisabled(name: string, isDisabled: boolean): Skill | SkillProblem
  /** Looks for skills anew; the number that is there now. */
  reload(): number
  plan(): Plan | null
  spent(): { readonly usage: Usage; readonly costUsd: number | null; readonly turns: number }
  recorded(): RecordedRun
}

/** Opens a chat, hands it to `converse` and leaves a record when that is done. Each request is kept as it ends. */
export const runChat = async (
  options: ChatOptions,
  host: Host,
  converse: (chat: Chat) => Promise<void>,
): Promise<TaskOutcome> => {
  const found = options.continue === undefined ? undefined : findSession(options.continue, host)
  const model = options.model ?? found?.profile
  const earlier = found && recordingToGoOn(found, host)
  const touched = earlier && !('problem' in earlier) ? { touched: touchedBefore(earlier) } : {}
  const chosen = model === undefined ? {} : { model }
  const world = await openAgentWorld({ ...options, ...chosen, ...touched, isRecorded: true }, host)
  const asked: string[] = []
  const opened: { chat?: Chat } = {}
  const task = {
    prompt: () => asked.join('\n'),
    command: options.command,
    profile: world.profile.name,
    provider: world.profile.settings.provider,
    project: world.project,
    isolation: world.isolation,
    keys: world.keys,
    attachments: (): Readonly<Record<string, string>> =>
      options.record && opened.chat ? attachmentsOf(opened.chat.recorded()) : {},
  }
  try {
    return await auditedRun(task, host, world.clock, async (recording) => {
      if (options.onEvent) tell(recording.trajectory, options.onEvent, host)
      const { chat, outcome, close } = openChat({ options, world, found, earlier, asked, recording, host })
      opened.chat = chat
      try {
        await converse(chat)
        await world.model.close(false)
        return outcome()
      } finally {
        close()
      }
    })
  } finally {
    await world.close()
  }
}

const openChat = ({
  options,
  world,
  found,
  earlier,
  asked,
  recording,
  host,
}: {
  readonly options: ChatOptions
  readonly world: AgentWorld
  readonly found: ReturnType<typeof findSession> | undefined
  /** What was recorded of the chat that it goes on with, or why that is of no use. */
  readonly earlier: AgentSession['recorded'] | undefined
  readonly asked: string[]
  readonly recording: Recording
  readonly host: Host
}): { readonly chat: Chat; outcome(): AgentOutcome; close(): void } => {
  const { skills, config, clock } = world
  const session = chatSkills(world, found)
  const { controls } = session.skills
  const state: RunState = found ? restoredState(found, world, recording.trajectory) : newRunState(recording.trajectory)
  const id = found?.id ?? systemIds(clock).run()
  const startedAt = found?.started_at ?? new Date(clock.now()).toISOString()
  const secrets = redactor({
    env: host.env,
    values: configuredKeys(config, host),
    key: digestKey(world.project, true),
  })
  const keeper = sessionKeeper(world, found, secrets, host)
  let stop: AgentStop = { kind: 'answered' }
  /** Said to the chat since the last request, or before the first: on record once something follows. */
  const pending: string[] = []
  /** Why no case can be made of it. */
  let notOne = found && whyNoCase(found, earlier, world)
  const before = notOne === undefined && earlier && !('problem' in earlier) ? earlier : undefined
  if (before) world.tape?.goOn(before.recording, { messages: askedLast(state), shortened: 0 })
  const allow = [...new Set([...(before?.allow ?? []), ...options.allow])]
  const inputs = () => [...(found?.inputs ?? []), ...asked]
  const trajectory = () => [...(before ? earlierEvents(before) : []), ...state.trajectory]
  const recorded = (): AgentSession['recorded'] => {
    const cassette = world.tape?.cassette({ suite: 'agent-run', case: id, profile: world.profile.name })
    const problem = notOne ?? (state.shown && 'it was gone on with after it had been shortened')
    if (problem !== undefined || cassette === undefined || world.touched === undefined)
      return { problem: problem ?? 'a request in it failed' }
    return sessionRecording(cassette, trajectory(), world.touched, allow, secrets)
  }

  const costUsd = (): number | null =>
    state.trajectory.reduce<number | null>(
      (sum, event) =>
        event.type !== 'model'
          ? sum
          : sum === null || event.cost_usd === null
            ? null
            : Number((sum + event.cost_usd).toPrecision(12)),
      found ? found.cost_usd : 0,
    )
  const store = (): void =>
    keeper.keep({
      id,
      started_at: startedAt,
      inputs: [...inputs(), ...pending],
      messages: state.messages as Parameters<typeof keeper.keep>[0]['messages'],
      loaded: [...state.loaded.values()].map(({ name, source }) => ({ name, source })),
      ...session.kept(),
      plan: state.plan,
      usage: state.usage,
      cost_usd: costUsd(),
      turns: state.turns,
      started: Object.fromEntries(state.started),
      recorded: recorded(),
    })
  const note = (input: string): void => {
    asked.push(input)
    // What is said to the agent it notes itself.
    if (readControl(input)) state.trajectory.push({ type: 'input', turn: state.turns, text: input })
  }

  const say = async (text: string, signal: AbortSignal): Promise<Reply> => {
    const deps = world.deps({
      session,
      trajectory: recording.trajectory,
      signal,
      watch: (source) => recording.watch(source, host.files),
    })
    // Nothing was said then: the chat goes on as it was, and can be made a case.
    const tooLong = overLongInput([text], deps.context)
    if (tooLong) return { kind: 'stop', stop: tooLong }
    for (const input of [...pending.splice(0), text]) note(input)
    const { maxCostUsd } = options
    const left = maxCostUsd === undefined ? {} : { max_cost_usd: Math.max(0, maxCostUsd - (costUsd() ?? 0)) }
    try {
      const done = await runAgent(
        { inputs: [text], firstDecisionOnly: false },
        { ...deps, state, hardLimits: { ...deps.hardLimits, ...left } },
      )
      stop = done.stop
      if (stop.kind === 'answered') return { kind: 'answer', text: done.answer?.text ?? '' }
      notOne ??= 'a request in it failed'
      return { kind: 'stop', stop }
    } catch (error) {
      notOne ??= 'a request in it was broken off'
      if (!signal.aborted || host.signal.aborted) throw error
      return { kind: 'broken' }
    } finally {
      store()
    }
  }

  const chat: Chat = {
    id,
    earlier: found ? requestsOf(found) : 0,
    say,
    skills: () =>
      skills.index().skills.map(({ name, description, source, hiddenFromUser }) => ({
        ...{ name, description, source, hiddenFromUser },
        isLoaded: state.loaded.has(name),
        isDisabled: controls.disabled().includes(name),
      })),
    search: (query) => session.skills.search(query, 10),
    setDisabled: (name, isOff) => {
      const ref = parseSkillRef(name)
      const skill = isOff ? controls.disable(ref, 'user') : controls.enable(ref, 'user')
      if ('problem' in skill) return skill
      pending.push(writeControl({ isOff, name: skill.name }))
      if (found || asked.length > 0) store()
      return skill
    },
    reload: () => {
      controls.reload()
      warnOfCut(skills, config, host)
      return skills.index().skills.length
    },
    plan: () => state.plan,
    spent: () => ({ usage: state.usage, costUsd: costUsd(), turns: state.turns }),
    recorded: () => {
      const run = recordedRun(id, inputs(), { stop, trajectory: trajectory() }, world, allow, host, true)
      return notOne === undefined ? run : { ...run, draft: { problem: notOne } }
    },
  }
  const outcome = (): AgentOutcome => ({
    ...{
      stop,
      trajectory: state.trajectory,
      answer: state.answer,
      plan: state.plan,
      usage: state.usage,
      costUsd: costUsd(),
    },
    latencyMs: state.latencyMs,
  })
  return { chat, outcome, close: keeper.close }
}

/** The requests of the chat that it goes on with. */
const requestsOf = ({ inputs }: AgentSession): number =>
  inputs.filter((input) => readControl(input) === undefined).length

const recordingToGoOn = (found: AgentSession, host: Host): AgentSession['recorded'] =>
  'problem' in found.recorded || found.folder === host.cwd
    ? found.recorded
    : { problem: `it goes on in another folder from its request ${requestsOf(found) + 1} on` }

const whyNoCase = (
  found: AgentSession,
  earlier: AgentSession['recorded'] | undefined,
  { profile }: AgentWorld,
): string | undefined => {
  if (earlier && 'problem' in earlier) return earlier.problem
  if (found.profile === profile.name) return undefined
  return `another model answers from its request ${requestsOf(found) + 1} on`
}

/** What the model was shown when it answered last. */
const askedLast = ({ messages }: RunState): RunState['messages'] =>
  messages.slice(
    0,
    messages.findLastIndex(({ role }) => role === 'assistant'),
  )
