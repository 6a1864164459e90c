import { resolve } from 'node:path'
import { writeText } from '../adapters/files/output-file.ts'
import { runAgent } from '../agent/run-agent.ts'
import { UsageError } from '../core/errors.ts'
import type { AgentOutcome } from '../core/outcome.ts'
import type { TrajectoryEvent } from '../core/trajectory.ts'
import { visibleLine } from '../lib/visible.ts'
import type { AgentCase } from '../schema/agent-case.ts'
import { type AgentOptions, type AgentWorld, openAgentWorld, requireSkill } from './agent-world.ts'
import { auditedRun, type TaskOutcome } from './audit-run.ts'
import type { Host } from './host.ts'
import { type RecordedRun, recordedRun } from './recorded-run.ts'

export type TaskOptions = Omit<AgentOptions, 'isRecorded'> & {
  readonly prompt: string
  /** Skills to load at once, as the user's own choice. */
  readonly skills: readonly string[]
  /** Whether the recording and what a case can be made of are kept beside the record. */
  readonly record?: boolean
  /** A file that the recording is written to, relative to the working folder. */
  readonly recordTo?: string
  /** A suite that the run is put into as a case. */
  readonly saveCase?: string
  /** Told of each event as it happens; what it throws is told on stderr. */
  readonly onEvent?: (event: TrajectoryEvent) => void
}

/** `recorded`: what a case can be made of, where the run was recorded, or why none can. */
export type RecordedOutcome = TaskOutcome & { readonly recorded?: RecordedRun }

/**
 * One task in the working folder with the configured skills, under the safe default policy, the configuration's and
 * what the person allows. Leaves a record below `.agent/runs`.
 */
export const runTask = async (options: TaskOptions, host: Host): Promise<RecordedOutcome> => {
  const { record = false, recordTo, saveCase, replay } = options
  const isRecorded = record || recordTo !== undefined || saveCase !== undefined
  if (isRecorded && replay !== undefined) {
    throw new UsageError('replay_and_record', '--replay goes with no --record, --record-to or --save-case', {
      hint: 'What is replayed is recorded already.',
    })
  }
  const world = await openAgentWorld({ ...options, isRecorded }, host)
  try {
    for (const written of options.skills) requireSkill(written, world.skills.source())
    return await performTask(options, world, host)
  } finally {
    await world.close()
  }
}

const performTask = async (options: TaskOptions, world: AgentWorld, host: Host): Promise<RecordedOutcome> => {
  const { prompt, command, onEvent } = options
  const input = [...options.skills.map((skill) => `/${skill}`), prompt].join(' ')
  const made: { recorded?: RecordedRun } = {}
  const task = {
    prompt: () => prompt,
    command,
    profile: world.profile.name,
    provider: world.profile.settings.provider,
    project: world.project,
    isolation: world.isolation,
    keys: world.keys,
    attachments: (id: string, outcome: AgentOutcome): Readonly<Record<string, string>> => {
      if (world.tape === undefined) return {}
      const recorded = recordedRun(id, [input], outcome, world, options.allow, host)
      made.recorded = recorded
      return options.record ? attachmentsOf(recorded) : {}
    },
  }
  const outcome = await auditedRun(task, host, world.clock, async (recording) => {
    if (onEvent) tell(recording.trajectory, onEvent, host)
    const deps = world.deps({
      trajectory: recording.trajectory,
      signal: host.signal,
      watch: (skills) => recording.watch(skills, host.files),
    })
    let isInOrder = false
    try {
      const done = await runAgent({ inputs: [input], firstDecisionOnly: false }, deps)
      isInOrder = done.stop.kind === 'answered'
      return done
    } finally {
      await world.model.close(isInOrder)
    }
  })
  if (world.tape === undefined) return outcome
  // Where no record could be kept, what was recorded is there all the same.
  const recorded = made.recorded ?? recordedRun(outcome.run ?? 'unkept', [input], outcome, world, options.allow, host)
  const { recordTo } = options
  if (recordTo !== undefined && recorded.cassette) {
    writeText(resolve(host.cwd, recordTo), `${JSON.stringify(recorded.cassette, null, 2)}\n`)
  }
  return { ...outcome, recorded }
}

/** What `runs promote` needs, by the names of files. */
export const attachmentsOf = ({ cassette, draft }: RecordedRun): Readonly<Record<string, string>> => ({
  ...(cassette === undefined ? {} : { 'recording.json': `${JSON.stringify(cassette, null, 2)}\n` }),
  ...('problem' in draft
    ? { 'no-case.txt': `${draft.problem}\n` }
    : { 'case.json': `${JSON.stringify(draft satisfies AgentCase, null, 2)}\n` }),
})

/** The record tells of each event as it is put in. What the listener throws, at once or later, is told on stderr once. */
export const tell = (
  trajectory: TrajectoryEvent[],
  onEvent: (event: TrajectoryEvent) => unknown,
  { stderr }: Pick<Host, 'stderr'>,
): void => {
  let isFaulty = false
  const note = (error: unknown): void => {
    if (!isFaulty) stderr(`error: what listens to events failed: ${visibleLine(String(error), 2000)}\n`)
    isFaulty = true
  }
  const push = trajectory.push.bind(trajectory)
  Object.defineProperty(trajectory, 'push', {
    value: (...events: TrajectoryEvent[]) => {
      const length = push(...events)
      for (const event of events) {
        try {
          const result = onEvent(event)
          // A listener that is async where none was asked for would end the process with its rejection.
          if (result instanceof Promise) result.catch(note)
        } catch (error) {
          note(error)
        }
      }
      return length
    },
  })
}
