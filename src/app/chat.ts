import { systemIds } from '../adapters/clock/system-clock.ts'
import { runAgent } from '../agent/run-agent.ts'
import { newRunState, type RunState } from '../agent/run-state.ts'
import { redactor } from '../cassette/redactor.ts'
import type { AgentOutcome, AgentStop } from '../core/outcome.ts'
import type { Skill, SkillHit } from '../core/skill.ts'
import type { Plan, TrajectoryEvent, Usage } from '../core/trajectory.ts'
import { type AgentOptions, type AgentWorld, openAgentWorld } from './agent-world.ts'
import { auditedRun, type Recording, type TaskOutcome } from './audit-run.ts'
import { findSession, restoredState, sessionKeeper } from './chat-sessions.ts'
import type { Host } from './host.ts'
import { configuredKeys, digestKey } from './recorded-models.ts'
import { type RecordedRun, recordedRun } from './recorded-run.ts'
import { attachmentsOf, tell } from './run-task.ts'

export type ChatOptions = Omit<AgentOptions, 'isRecorded' | 'replay'> & {
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
  /** False: there is no such skill. */
  setDisabled(name: string, isDisabled: boolean): boolean
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
  const world = await openAgentWorld({ ...options, ...(model === undefined ? {} : { model }), isRecorded: true }, host)
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
      const { chat, outcome } = openChat({ options, world, found, asked, recording, host })
      opened.chat = chat
      await converse(chat)
      await world.model.close(false)
      return outcome()
    })
  } finally {
    await world.close()
  }
}

const openChat = ({
  options,
  world,
  found,
  asked,
  recording,
  host,
}: {
  readonly options: ChatOptions
  readonly world: AgentWorld
  readonly found: ReturnType<typeof findSession> | undefined
  readonly asked: string[]
  readonly recording: Recording
  readonly host: Host
}): { readonly chat: Chat; outcome(): AgentOutcome } => {
  const { skills, config, clock } = world
  if (found) skills.setDisabled(found.disabled)
  const state: RunState = found ? restoredState(found, world, recording.trajectory) : newRunState(recording.trajectory)
  const id = found?.id ?? systemIds(clock).run()
  const startedAt = found?.started_at ?? new Date(clock.now()).toISOString()
  const secrets = redactor({
    env: host.env,
    values: configuredKeys(config, host),
    key: digestKey(world.project, true),
  })
  const keep = sessionKeeper(world, secrets, host)
  let stop: AgentStop = { kind: 'answered' }
  /** Why no case can be made of it. */
  let notOne = found ? 'it goes on with an earlier chat, whose start is not recorded' : undefined

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
    keep({
      id,
      started_at: startedAt,
      inputs: [...(found?.inputs ?? []), ...asked],
      messages: state.messages as Parameters<typeof keep>[0]['messages'],
      loaded: [...state.loaded.values()].map(({ name, source }) => ({ name, source })),
      disabled: [...skills.disabled()],
      plan: state.plan,
      usage: state.usage,
      cost_usd: costUsd(),
      turns: state.turns,
    })
  const change = (): void => {
    if (asked.length > 0) notOne ??= 'skills were changed in the middle of it'
  }

  const say = async (text: string, signal: AbortSignal): Promise<Reply> => {
    asked.push(text)
    const deps = world.deps({
      trajectory: recording.trajectory,
      signal,
      watch: (source) => recording.watch(source, host.files),
    })
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
    earlier: found?.inputs.length ?? 0,
    say,
    skills: () =>
      skills.index().skills.map(({ name, description, source, hiddenFromUser }) => ({
        ...{ name, description, source, hiddenFromUser },
        isLoaded: state.loaded.has(name),
        isDisabled: skills.disabled().includes(name),
      })),
    search: (query) => skills.source().search(query, 10),
    setDisabled: (name, isDisabled) => {
      if (!skills.index().skills.some((skill) => skill.name === name)) return false
      change()
      skills.setDisabled(
        isDisabled ? [...skills.disabled(), name] : skills.disabled().filter((other) => other !== name),
      )
      return true
    },
    reload: () => {
      change()
      skills.reload()
      return skills.index().skills.length
    },
    plan: () => state.plan,
    spent: () => ({ usage: state.usage, costUsd: costUsd(), turns: state.turns }),
    recorded: () => {
      const { trajectory } = state
      const recorded = recordedRun(id, asked, { stop, trajectory }, world, options.allow, host)
      return notOne === undefined ? recorded : { ...recorded, draft: { problem: notOne } }
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
  return { chat, outcome }
}
