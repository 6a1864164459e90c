import type { AgentStop } from '../core/outcome.ts'
import type { Trajectory, TrajectoryEvent } from '../core/trajectory.ts'
import { sha256 } from '../lib/hash.ts'
import type { AgentRun, Excerpt } from '../schema/audit.ts'

/** What is known of a run besides what happened in it. */
export type AuditedTask = {
  readonly id: string
  readonly startedAt: number
  readonly version: string
  readonly folder: string
  readonly command: readonly string[]
  readonly repeat: string
  readonly prompt: string
  readonly profile: string
  readonly provider: string
  /** What kept scripts apart from the machine, where that is known. */
  readonly isolation?: string
}

export type AuditedEnd = {
  readonly durationMs: number
  readonly stop: AgentStop | { readonly kind: 'interrupted'; readonly message: string }
  readonly usage: AgentRun['usage']
  readonly costUsd: number | null
}

/** Where the body of a skill was loaded, the digest of its SKILL.md then; by `name@source`. */
export type SkillDigests = ReadonlyMap<string, string>

/** The record of a run, of its trajectory and nothing else. `redact` takes the secrets out before anything is cut. */
export const auditRecord = (
  task: AuditedTask,
  trajectory: Trajectory,
  digests: SkillDigests,
  end: AuditedEnd,
  redact: <T>(value: T) => T,
): AgentRun => {
  const answer = trajectory.filter(({ parent }) => parent === undefined).findLast((event) => event.type === 'answer')
  const { stop } = end
  return {
    format: 'skills-eval/agent-run@1',
    id: task.id,
    started_at: new Date(task.startedAt).toISOString(),
    duration_ms: Math.round(end.durationMs),
    tool: { name: 'skills-agent', version: task.version },
    folder: redact(task.folder),
    command: redact([...task.command]),
    repeat: task.repeat,
    request: excerpt(redact(task.prompt)),
    model: { profile: task.profile, provider: task.provider, answered: redact(modelsOf(trajectory)) },
    ...(task.isolation === undefined ? {} : { isolation: task.isolation }),
    skills: trajectory.flatMap((event) =>
      event.type === 'selected' && event.parent === undefined
        ? [
            {
              name: redact(event.skill),
              source: event.source,
              by: event.by,
              digest: digests.get(`${event.skill}@${event.source}`) ?? null,
            },
          ]
        : [],
    ),
    resources: trajectory.flatMap((event) =>
      event.type === 'disclosed' && event.level === 'resource'
        ? [{ turn: event.turn, skill: redact(event.skill), path: redact(event.path), bytes: event.bytes }]
        : [],
    ),
    actions: actions(trajectory, redact),
    approvals: trajectory.flatMap((event) => {
      if (event.type !== 'approval') return []
      const { type: _, ...approval } = event
      return [redact(approval)]
    }),
    usage: end.usage,
    cost_usd: end.costUsd,
    stop: {
      kind: stop.kind,
      ...('code' in stop ? { code: stop.code } : 'limit' in stop ? { code: stop.limit } : {}),
      ...('message' in stop ? { message: cut(redact(stop.message)) } : {}),
    },
    answer: answer ? excerpt(redact(answer.text)) : null,
  }
}

const modelsOf = (trajectory: Trajectory): string[] => [
  ...new Set(trajectory.flatMap((event) => (event.type === 'model' ? [event.model] : []))),
]

/**
 * Each action of one agent with the decision that was taken on it, which is the last one before it. What its sub-agents
 * did stands before the action that started them, and goes into it.
 */
const actions = (
  trajectory: Trajectory,
  redact: <T>(value: T) => T,
  agent: string | undefined = undefined,
): AgentRun['actions'] => {
  const found: AgentRun['actions'] = []
  let decision: Extract<TrajectoryEvent, { type: 'decision' }> | undefined
  let below: TrajectoryEvent[] = []
  for (const event of trajectory) {
    if (event.parent !== agent) {
      below.push(event)
      continue
    }
    if (event.type === 'decision') decision = event
    if (event.type !== 'action') continue
    const { turn, action, params, status, rule, exit_code, observation, duration_ms, subagents } = event.record
    const decided = decision?.turn === turn && decision.action === action ? decision : undefined
    decision = undefined
    const nested = nestedActions(below, redact, agent)
    below = []
    found.push({
      ...(agent === undefined ? {} : { agent: redact(agent.slice(agent.lastIndexOf('/') + 1)) }),
      turn,
      action: redact(action),
      ...(decided?.skill === undefined ? {} : { skill: redact(decided.skill) }),
      params: cutStrings(redact(params), 0) as Record<string, unknown>,
      status,
      ...(decided ? { verdict: decided.verdict } : {}),
      ...(rule === undefined ? {} : { rule: redact(rule) }),
      ...(exit_code === undefined ? {} : { exit_code }),
      output: excerpt(redact(observation)),
      duration_ms,
      ...(subagents === undefined
        ? {}
        : { subagents: subagents.map(({ skill, turns, stop }) => ({ skill: redact(skill), turns, stop })) }),
      ...(nested.length === 0 ? {} : { actions: nested }),
    })
  }
  return found
}

/** Of each agent right below this one, in order. */
const nestedActions = (
  events: Trajectory,
  redact: <T>(value: T) => T,
  agent: string | undefined,
): AgentRun['actions'] => {
  const depth = agent === undefined ? 1 : agent.split('/').length + 1
  const agents = new Set(events.flatMap(({ parent }) => parent?.split('/').slice(0, depth).join('/') ?? []))
  return [...agents].flatMap((one) =>
    actions(
      events.filter(({ parent }) => parent === one || parent?.startsWith(`${one}/`)),
      redact,
      one,
    ),
  )
}

const MAX_HEAD = 2_000
const MAX_DEPTH = 200

const excerpt = (text: string): Excerpt => ({
  head: headOf(text),
  characters: text.length,
  digest: `sha256:${sha256(text)}`,
})

const cutStrings = (value: unknown, depth: number): unknown => {
  if (typeof value === 'string') return cut(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth > MAX_DEPTH) return '…'
  if (Array.isArray(value)) return value.map((item) => cutStrings(item, depth + 1))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [cut(key), cutStrings(item, depth + 1)]))
}

const cut = (text: string): string =>
  text.length <= MAX_HEAD ? text : `${headOf(text)}… [${text.length} characters, sha256:${sha256(text)}]`

/** No placeholder is cut in two: a half of one would be taken for text. */
const headOf = (text: string): string => {
  if (text.length <= MAX_HEAD) return text
  const head = text.slice(0, MAX_HEAD).toWellFormed()
  const open = head.lastIndexOf('[redacted:')
  return open > MAX_HEAD - 60 && !head.includes(']', open) ? head.slice(0, open) : head
}
