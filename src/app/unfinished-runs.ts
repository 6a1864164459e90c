import { join, resolve } from 'node:path'
import { isRunGoingOn } from '../adapters/files/run-lock.ts'
import { SkillsEvalError } from '../core/errors.ts'
import type { Status } from '../core/results.ts'
import { parseJson } from '../lib/json.ts'
import type { PlaceWords } from '../report/place-words.ts'
import type { UnfinishedRunRow } from '../report/unfinished-run-report.ts'
import type { Host } from './host.ts'
import { resumeCommand } from './resume-command.ts'
import { rowsFile, stateFile, storedRunIds, unfinishedRunIds } from './run-folders.ts'
import { readRunState } from './run-session.ts'

/** A run that was begun and has no run.json: it goes on, or was killed. `problem` where its state can't be read. */
export type UnfinishedRun = { readonly id: string } & (
  | { readonly unfinished: UnfinishedRunRow }
  | { readonly problem: string }
)

/** The run with this id, the only one whose id starts so, or that in this folder, where it is an unfinished one. */
export const findUnfinished = (wanted: string, folder: string, host: Host): string | undefined => {
  const unfinished = unfinishedRunIds(folder, host)
  if (unfinished.includes(wanted)) return wanted
  const path = resolve(host.cwd, wanted)
  const inFolder = unfinished.find((id) => join(folder, id) === path)
  if (inFolder !== undefined) return inFolder
  const starting = [...storedRunIds(folder, host), ...unfinished].filter((id) => id.startsWith(wanted))
  const [only] = starting
  return starting.length === 1 && only !== undefined && unfinished.includes(only) ? only : undefined
}

/** What is known of it. `place` is where the command that asks works. */
export const readUnfinished = async (
  folder: string,
  id: string,
  host: Host,
  place: PlaceWords,
): Promise<UnfinishedRun> => {
  try {
    const state = await readRunState(join(folder, id, stateFile), host)
    const ended = endedTrials(join(folder, id, rowsFile), host)
    const unfinished = {
      id,
      startedAt: state.started_at,
      durationMs: state.duration_ms,
      command: state.command,
      isGoingOn: isRunGoingOn(join(folder, id)),
      ended,
      trials: [...ended.values()].reduce((sum, count) => sum + count, 0),
      planned: state.counts?.trials,
      resume: resumeCommand(id, place, state.options.trustSuites),
    }
    return { id, unfinished }
  } catch (error) {
    if (error instanceof SkillsEvalError) return { id, problem: error.message }
    throw error
  }
}

/** Whether the folder is one that a run made for itself: it is not one that was copied or damaged. */
export const isOwnState = async (folder: string, id: string, host: Host): Promise<boolean> => {
  try {
    return (await readRunState(join(folder, id, stateFile), host)).id === id
  } catch (error) {
    if (error instanceof SkillsEvalError) return false
    throw error
  }
}

const endedTrials = (path: string, { files }: Host): ReadonlyMap<Status, number> => {
  const ended = new Map<Status, number>()
  if (files.stat(path)?.kind !== 'file') return ended
  const last = new Map<string, Status>()
  for (const line of files.lines(path)) {
    const parsed = parseJson(line)
    if (!parsed.ok || typeof parsed.value !== 'object' || parsed.value === null) continue
    const { suite, case: id, model, n, status } = parsed.value as Readonly<Record<string, unknown>>
    if (isStatus(status)) last.set(JSON.stringify([suite, id, model, n]), status)
  }
  for (const status of last.values()) ended.set(status, (ended.get(status) ?? 0) + 1)
  return ended
}

const statuses: Readonly<Record<Status, true>> = { passed: true, failed: true, error: true, stale: true, skipped: true }
const isStatus = (value: unknown): value is Status => typeof value === 'string' && Object.hasOwn(statuses, value)
