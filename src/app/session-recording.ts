import type { Redactor } from '../cassette/redactor.ts'
import type { Trajectory, TrajectoryEvent } from '../core/trajectory.ts'
import type { SessionRecording } from '../schema/agent-session.ts'
import type { Cassette, CassetteTrial } from '../schema/cassette.ts'
import { whyNotInCase } from './draft-case.ts'
import type { TouchedBefore, TouchedFiles } from './touched-files.ts'

/** What of a chat is kept with it, so that all of it can still become a case when it is gone on with. */
export const sessionRecording = (
  recording: Cassette,
  trajectory: Trajectory,
  touched: TouchedFiles,
  allow: readonly string[],
  secrets: Redactor,
): SessionRecording => ({
  recording,
  events: trajectory.filter(({ type }) => kept.has(type)) as SessionRecording['events'],
  files: touched.before().map((file) => {
    const problem = whyNotInCase(file, secrets)
    if (problem !== undefined || !('content' in file)) return { path: file.path, problem: problem ?? '' }
    return { path: file.path, base64: Buffer.from(file.content).toString('base64') }
  }),
  absent: [...touched.absent()],
  folders: [...touched.folders()],
  made_folders: [...touched.madeFolders()],
  made_by_tools: [...touched.madeByTools()],
  changed: touched.changed().map(({ path }) => path),
  allow: [...allow],
})

const kept: ReadonlySet<TrajectoryEvent['type']> = new Set(['model', 'answer', 'selected', 'index', 'action'])

/** The trajectory of a stored chat, as far as a case is drawn from it. */
export const earlierEvents = ({ events }: SessionRecording): Trajectory => events as unknown as Trajectory

export const touchedBefore = (recorded: SessionRecording): TouchedBefore => ({
  files: recorded.files.map(({ path, base64, problem }) =>
    base64 === undefined
      ? { path, problem: problem ?? 'it was not kept' }
      : { path, content: Buffer.from(base64, 'base64') },
  ),
  absent: recorded.absent,
  folders: recorded.folders,
  changed: recorded.changed,
  madeFolders: recorded.made_folders,
  madeByTools: recorded.made_by_tools,
})

/**
 * What the model was told at the start and was told otherwise later, which a case can't: it has one start. The end of a
 * sentence; undefined where it stayed. `toolsComeLater`: that tools change in the course of it is its way.
 */
export const otherStart = ({ turns }: CassetteTrial, toolsComeLater: boolean): string | undefined => {
  const parts = starts.filter(([name]) => name !== 'tools' || !toolsComeLater)
  let requests = 0
  for (const [n, { request, agent }] of turns.entries()) {
    if (agent === undefined && request.input !== undefined) requests += 1
    const part = n === 0 ? undefined : parts.find(([name]) => request[name] !== undefined)
    if (part) return `${part[1]} changed before its request ${requests}, and a case has one start`
  }
  return undefined
}

const starts = [
  ['system', 'what the model is told at the start (AGENTS.md, or the version of skills-eval)'],
  ['index', 'the index of skills'],
  ['tools', 'the tools'],
  ['params', 'the parameters of the model'],
] as const
