import { SkillsEvalError } from '../core/errors.ts'
import type { ModelAdapter } from '../core/ports.ts'
import type { RecordMode } from '../core/record-mode.ts'
import type { Status } from '../core/results.ts'
import type { Usage } from '../core/trajectory.ts'
import type { Cassette, CassetteTrial } from '../schema/cassette.ts'
import { canonicalForm, type NormalizeRule } from './canonical.ts'
import {
  type CassetteName,
  cassettePath,
  cassetteText,
  fingerprintsOf,
  type ReadCassette,
  readCassette,
  withoutNoise,
} from './cassette-file.ts'
import { missingModel } from './missing-model.ts'
import { type PartBook, partBook } from './part-book.ts'
import { type Place, placeholders } from './placeholders.ts'
import { type FixedParts, fixedParts } from './read-request.ts'
import { recordModel } from './record-model.ts'
import type { Redactor } from './redactor.ts'
import { replayModel } from './replay-model.ts'
import type { StalePolicy } from './stale-policy.ts'

/** Where cassettes are kept; paths are relative to the folder of the recordings. */
export type CassetteStore = {
  /** How the folder is called in messages, relative to the project. */
  readonly shown: string
  read(path: string): string | undefined
  /** Atomic. */
  write(path: string, text: string): void
}

export type RecordedTrial = CassetteName & {
  /** From 1, of `trials` that are to be run. */
  readonly n: number
  readonly trials: number
  readonly attempt: number
  readonly mode: Exclude<RecordMode, 'off'>
  readonly protocol: 'native' | 'text'
  readonly params: Readonly<Record<string, string>>
  readonly places: readonly Place[]
  readonly normalize: readonly NormalizeRule[]
  readonly policy: StalePolicy
  /** The command that records it, for a mode. */
  again(mode: RecordMode): string
  priceOf(usage: Usage, model: string): number | null
  /** The model itself: opened only where it is asked. */
  live(): ModelAdapter
  /** What runs where nothing is recorded; undefined: that is an error. */
  readonly fallback?: () => ModelAdapter
}

export type Recordings = {
  open(trial: RecordedTrial): ModelAdapter
}

/**
 * The cassettes of one run. Each is read once, and written when the last of its case's trials has ended; what was not
 * recorded to its end leaves the old file as it was. Nothing is held of a case that is done.
 */
export const openRecordings = (options: {
  readonly store: CassetteStore
  readonly redactor: Redactor
  /** `2026-11-21` */
  readonly today: string
  /** Told why a recording was not kept. */
  notKept(path: string, reason: string): void
}): Recordings => {
  const { store, redactor } = options
  const cases = new Map<string, OpenCase>()
  // The places of skills are those of a suite.
  const fixedOf = new Map<string, FixedParts>()

  const caseOf = (trial: RecordedTrial): OpenCase => {
    const path = cassettePath(trial)
    const known = cases.get(path)
    if (known) return known
    const found = readFrom(store, path, trial)
    const cassette = found && 'cassette' in found ? found.cassette : undefined
    const opened: OpenCase = {
      path,
      cassette,
      problem: found && 'problem' in found ? found.problem : undefined,
      book: partBook(cassette?.parts),
      fresh: new Map(),
      ended: new Set(),
      hasBroken: false,
    }
    cases.set(path, opened)
    return opened
  }

  const end = (opened: OpenCase, trial: RecordedTrial): void => {
    opened.ended.add(trial.n)
    if (opened.ended.size < trial.trials) return
    cases.delete(opened.path)
    keep(opened, trial)
  }

  const keep = (opened: OpenCase, trial: RecordedTrial): void => {
    const { cassette: old, fresh, path } = opened
    if (opened.hasBroken) options.notKept(shownPath(path), 'a trial did not end in order')
    if (fresh.size === 0 || (trial.mode === 'all' && opened.hasBroken)) return
    const trials = mergedTrials(trial.mode === 'all' ? [] : (old?.trials ?? []), fresh, trial)
    // A gap before it: nothing that is new can be kept.
    if (!trials.some((one, i) => one === fresh.get(i + 1))) return
    const { suite, case: id, profile, arm } = trial
    const written = cassetteText({
      format: 'skills-eval/cassette@1',
      suite,
      case: id,
      profile,
      ...(arm === undefined ? {} : { arm }),
      recorded: options.today,
      parts: opened.book.only(fingerprintsOf(trials)),
      trials: [...trials],
    })
    const read = readCassette(written, trial)
    if ('problem' in read) {
      options.notKept(shownPath(path), read.problem)
      return
    }
    const text = cassetteText(withoutNoise(read.cassette, old))
    if (redactor.leaks(text)) {
      options.notKept(shownPath(path), 'a secret could not be taken out of it')
      return
    }
    store.write(path, text)
  }

  const shownPath = (path: string): string => `${store.shown}/${path}`

  return {
    open: (trial) => {
      const opened = caseOf(trial)
      opened.ended.delete(trial.n)
      const { mode } = trial
      const hidden = placeholders(trial.places)
      const fixed = fixedOf.get(trial.suite) ?? fixedParts()
      fixedOf.set(trial.suite, fixed)
      const canonical = canonicalForm(hidden, redactor, trial.normalize)
      const path = shownPath(opened.path)
      const label = `${trial.suite}/${trial.case}${trial.arm === undefined ? '' : ` ${trial.arm}`}`
      const recorded = opened.cassette?.trials[trial.n - 1]
      const isAnew = mode === 'all' || (mode === 'stale' && trial.attempt > 1)
      if (isAnew || (mode === 'missing' && !recorded && !opened.problem)) {
        return recordModel(trial.live(), {
          params: trial.params,
          canonical,
          fixed,
          path,
          book: opened.book,
          ended: (done) => {
            if (done) opened.fresh.set(trial.n, done)
            else opened.hasBroken = true
            end(opened, trial)
          },
        })
      }
      if (recorded === undefined) {
        if (trial.fallback && !opened.cassette && !opened.problem)
          return withEnd(trial.fallback(), () => end(opened, trial))
        const message = absent(label, path, trial, opened)
        return withEnd(missingModel(trial.profile, trial.protocol, message), () => end(opened, trial))
      }
      const replay = replayModel(recorded, {
        profile: trial.profile,
        protocol: trial.protocol,
        params: trial.params,
        canonical,
        fixed,
        placeholders: hidden,
        policy: trial.policy,
        book: opened.book,
        path,
        label,
        again: trial.again('stale'),
        priceOf: trial.priceOf,
      })
      return withEnd(replay, () => {
        // It is opened once more, to be recorded.
        if (mode === 'stale' && replay.isStale()) return
        end(opened, trial)
      })
    },
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

type OpenCase = {
  readonly path: string
  readonly cassette: Cassette | undefined
  /** Why the file that is there is no use. */
  readonly problem: string | undefined
  readonly book: PartBook
  /** Trials that were recorded to their end, by number. */
  readonly fresh: Map<number, CassetteTrial>
  readonly ended: Set<number>
  hasBroken: boolean
}

/** In order and without a gap. Where one was stale, those that nobody has asked for since are not to be trusted. */
const mergedTrials = (
  old: readonly CassetteTrial[],
  fresh: ReadonlyMap<number, CassetteTrial>,
  { mode, trials }: RecordedTrial,
): readonly CassetteTrial[] => {
  const merged: CassetteTrial[] = []
  const last = mode === 'stale' ? trials : Math.max(trials, old.length)
  for (let n = 1; n <= last; n += 1) {
    const trial = fresh.get(n) ?? old[n - 1]
    if (trial === undefined) break
    merged.push(trial)
  }
  return merged
}

const absent = (label: string, path: string, trial: RecordedTrial, { problem, cassette }: OpenCase): string => {
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

const withEnd = (model: ModelAdapter, ended: () => void): ModelAdapter => ({
  ...model,
  close: async (isInOrder) => {
    try {
      await model.close(isInOrder)
    } finally {
      ended()
    }
  },
})

/** Whether a trial that ended so is to be recorded now. */
export const isToRecord = (mode: RecordMode, status: Status, attempt: number): boolean =>
  mode === 'stale' && status === 'stale' && attempt === 1
