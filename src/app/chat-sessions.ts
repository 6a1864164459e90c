import { join } from 'node:path'
import { lockSession, writeSession } from '../adapters/files/session-folder.ts'
import { newRunState, type RunState } from '../agent/run-state.ts'
import type { Redactor } from '../cassette/redactor.ts'
import { SkillsEvalError, UsageError } from '../core/errors.ts'
import type { Message } from '../core/model.ts'
import type { TrajectoryEvent } from '../core/trajectory.ts'
import { visibleLine } from '../lib/visible.ts'
import { checkedBy } from '../lib/zod-issues.ts'
import { type AgentSession, agentSessionSchema } from '../schema/agent-session.ts'
import type { AgentWorld } from './agent-world.ts'
import type { Host } from './host.ts'
import { findProject } from './project.ts'

const maxBytes = 64 * 1024 * 1024

/** The stored chat with this id, the only one whose id starts so, or the `latest`. Throws a UsageError where there is none. */
export const findSession = (wanted: string, host: Host): AgentSession => {
  const folder = join(findProject(host.cwd, host.home, host.files).dir, '.agent', 'sessions')
  const ids = host.files
    .list(folder)
    .flatMap(({ name, kind, isLink }) =>
      kind === 'file' && !isLink && /^[^.].*\.json$/.test(name) ? [name.slice(0, -5)] : [],
    )
    .reverse()
  const matching = wanted === 'latest' ? latestOf(ids, folder, host) : ids.filter((id) => id.startsWith(wanted))
  const [id, ...others] = matching.includes(wanted) ? [wanted] : matching
  if (id === undefined) {
    const what = wanted === 'latest' ? 'no chat to go on with' : `no chat ${visibleLine(wanted)} to go on with`
    throw new UsageError('no_session', `there is ${what}`, { hint: 'They lie in .agent/sessions of the project.' })
  }
  if (others.length > 0)
    throw new UsageError('many_sessions', `${matching.length} chats start with ${visibleLine(wanted)}`)
  const checked = checkedBy(agentSessionSchema, jsonOf(host.files.readText(join(folder, `${id}.json`), maxBytes)))
  // A path is made of the id: it is the one of the file, whatever is written in it.
  if (checked.ok) return { ...checked.data, id }
  throw new UsageError('bad_session', `the chat ${id} can't be read: it is no skills-eval/agent-session@1`)
}

/** The one that was used last, which need not be the one that was begun last. */
const latestOf = (ids: readonly string[], folder: string, { files }: Host): readonly string[] => {
  let latest: { readonly id: string; readonly at: string } | undefined
  for (const id of ids) {
    const { text } = files.readHead(join(folder, `${id}.json`), HEAD_BYTES)
    const at = /^\s*"updated_at": "([^"]*)"/m.exec(text)?.[1] ?? ''
    if (latest === undefined || at > latest.at) latest = { id, at }
  }
  return latest === undefined ? [] : [latest.id]
}

// It stands before everything that somebody said.
const HEAD_BYTES = 300

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The state in which a stored chat was left. What one provider signed means nothing to another. */
export const restoredState = (
  session: AgentSession,
  { profile, skills }: Pick<AgentWorld, 'profile' | 'skills'>,
  trajectory: TrajectoryEvent[],
): RunState => {
  const state = newRunState(trajectory)
  const isSame = session.profile === profile.name
  for (const message of session.messages)
    state.messages.push(isSame ? (message as Message) : withoutNative(message as Message))
  for (const { name, source } of session.loaded) {
    const { skills: found, shadowed } = skills.index()
    const all = [...found, ...shadowed.map((one) => one.skill)]
    const skill = all.find((one) => one.name === name && one.source === source)
    // One that is gone is loaded no more; the model still has its text.
    if (skill) state.loaded.set(name, skill)
  }
  for (const [name, times] of Object.entries(session.started)) state.started.set(name, times)
  state.plan = session.plan
  state.usage = session.usage
  state.turns = session.turns
  return state
}

const withoutNative = (message: Message): Message => {
  if (message.role !== 'assistant') return message
  const { native: _, ...rest } = message
  return rest
}

export type SessionKeeper = {
  /** Keeps a chat as it stands; where it can't be, that is said once. */
  keep(session: Omit<AgentSession, 'format' | 'folder' | 'profile' | 'updated_at'>): void
  /** Lets others go on with it. */
  close(): void
}

/** Throws a UsageError where the chat to go on with is going on elsewhere. */
export const sessionKeeper = (
  world: AgentWorld,
  found: Pick<AgentSession, 'id'> | undefined,
  secrets: Redactor,
  host: Host,
): SessionKeeper => {
  const { dir } = world.project
  let isBroken = false
  let release: (() => void) | undefined
  const orWarn = (work: () => void): void => {
    try {
      work()
    } catch (error) {
      if (!(error instanceof SkillsEvalError) || error instanceof UsageError) throw error
      isBroken = true
      host.stderr(`warning: this chat can't be gone on with later: ${visibleLine(error.message, 1000)}\n`)
    }
  }
  const lock = (id: string): void => {
    release ??= lockSession(dir, id)
  }
  if (found) orWarn(() => lock(found.id))
  const keep: SessionKeeper['keep'] = (known) => {
    if (isBroken) return
    const session: AgentSession = {
      format: 'skills-eval/agent-session@1',
      // First, to be found without reading all.
      updated_at: new Date(world.clock.now()).toISOString(),
      folder: host.cwd,
      profile: world.profile.name,
      ...known,
    }
    const text = `${JSON.stringify(secrets.redactValue(session), null, 1)}\n`
    orWarn(() => {
      if (secrets.leaks(text)) throw new SkillsEvalError('secret', 'a secret could not be taken out of it')
      lock(known.id)
      writeSession(dir, known.id, text)
    })
  }
  return { keep, close: () => release?.() }
}
