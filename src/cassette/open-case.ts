import { SkillsEvalError } from '../core/errors.ts'
import type { Cassette, CassetteTrial } from '../schema/cassette.ts'
import { type CassetteName, type ReadCassette, readCassette } from './cassette-file.ts'
import type { JudgeTape } from './judge-tape.ts'
import { type PartBook, partBook } from './part-book.ts'
import type { RecordedTrial } from './recorded-trial.ts'

/** Where cassettes are kept; paths are relative to the folder of the recordings. */
export type CassetteStore = {
  /** How the folder is called in messages, relative to the project. */
  readonly shown: string
  read(path: string): string | undefined
  /** Atomic. */
  write(path: string, text: string): void
}

/** A case of which trials are recorded or replayed, with what came of them so far. */
export type OpenCase = {
  readonly path: string
  readonly cassette: Cassette | undefined
  /** Why the file that is there is no use. */
  readonly problem: string | undefined
  readonly book: PartBook
  readonly mode: RecordedTrial['mode']
  /** Trials that were recorded to their end, by number. */
  readonly fresh: Map<number, CassetteTrial>
  /** Those of which the last attempt was not. */
  readonly broken: Set<number>
  /** The attempts at trials that found the recording of the agent stale. */
  readonly staleAt: Map<number, number>
  /** The judge of the last attempt at each trial. */
  readonly tapes: Map<number, JudgeTape | undefined>
  /** The highest number of a trial that was opened. */
  asked: number
}

/** Reads what is recorded of a case. */
export const openCase = (store: CassetteStore, path: string, trial: RecordedTrial): OpenCase => {
  const found = readFrom(store, path, trial)
  const cassette = found && 'cassette' in found ? found.cassette : undefined
  return {
    path,
    cassette,
    problem: found && 'problem' in found ? found.problem : undefined,
    book: partBook(cassette?.parts),
    mode: trial.mode === 'off' ? (trial.judge?.mode ?? 'off') : trial.mode,
    fresh: new Map(),
    broken: new Set(),
    staleAt: new Map(),
    tapes: new Map(),
    asked: 0,
  }
}

const readFrom = (store: CassetteStore, path: string, name: CassetteName): ReadCassette | undefined => {
  try {
    const text = store.read(path)
    return text === undefined ? undefined : readCassette(text, name)
  } catch (error) {
    if (error instanceof SkillsEvalError) return { problem: error.message }
    throw error
  }
}

/** In order and without a gap. Where one was stale, those that nobody has asked for since are not to be trusted. */
export const mergedTrials = (
  old: readonly CassetteTrial[],
  { mode, fresh, asked }: OpenCase,
): readonly CassetteTrial[] => {
  const merged: CassetteTrial[] = []
  const last = mode === 'stale' ? asked : Math.max(asked, old.length)
  for (let n = 1; n <= last; n += 1) {
    const trial = fresh.get(n) ?? old[n - 1]
    if (trial === undefined) break
    merged.push(trial)
  }
  return merged
}

/** Why nothing can be replayed, and the command that records it. */
export const absent = (label: string, path: string, trial: RecordedTrial, { problem, cassette }: OpenCase): string => {
  if (problem !== undefined) {
    return `The recording of ${label} (${path}) can't be used: ${problem}.\n  Record it anew: ${trial.again('all')}`
  }
  const count = cassette?.trials.length ?? 0
  const what =
    count === 0
      ? `There is no recording of ${label} on ${trial.profile} (${path}).`
      : `Trial ${trial.n} of ${label} on ${trial.profile} is not recorded: ${path} has ${count === 1 ? '1 trial' : `${count} trials`}.`
  return `${what}\n  Record: ${trial.again('missing')}`
}
