import { SkillsEvalError } from '../core/errors.ts'
import type { ModelAdapter } from '../core/ports.ts'
import type { RecordMode } from '../core/record-mode.ts'
import type { RecordingUse, Status } from '../core/results.ts'
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
import { type JudgeTape, judgeTape, type RecordedJudge } from './judge-tape.ts'
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
  /** From 1. */
  readonly n: number
  readonly attempt: number
  /** `off`: of this trial its judge alone is recorded. */
  readonly mode: RecordMode
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
  /** Where the trial is judged. */
  readonly judge?: RecordedJudge
}

export type Recordings = {
  /** The model of one attempt at a trial; a later attempt takes the place of an earlier one. */
  open(trial: RecordedTrial): ModelAdapter
  /** Every trial of the case has ended: what was recorded is written. Does not throw. */
  endCase(name: CassetteName): void
}

/**
 * The cassettes of one run. Each is read once, and written when its case has ended; what was not recorded to its end
 * leaves the old file as it was. Nothing is held of a case that is done.
 */
export const openRecordings = (options: {
  readonly store: CassetteStore
  readonly redactor: Redactor
  /** `2026-11-21` */
  readonly today: string
  /** Told why a recording was not kept. */
  notKept(path: string, reason: string): void
  /** Told what the disk did not take. */
  failed(path: string, reason: string): void
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
      mode: trial.mode === 'off' ? (trial.judge?.mode ?? 'off') : trial.mode,
      fresh: new Map(),
      broken: new Set(),
      asked: 0,
    }
    cases.set(path, opened)
    return opened
  }

  const keep = (opened: OpenCase, name: CassetteName): void => {
    const { cassette: old, fresh, broken, path, mode } = opened
    if (broken.size > 0) options.notKept(shownPath(path), 'a trial did not end in order')
    if (fresh.size === 0 || (mode === 'all' && broken.size > 0)) return
    const trials = mergedTrials(mode === 'all' ? [] : (old?.trials ?? []), opened)
    // A gap before it: nothing that is new can be kept.
    if (!trials.some((one, i) => one === fresh.get(i + 1))) return
    const { suite, case: id, profile, arm } = name
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
    const read = readCassette(written, name)
    if ('problem' in read) {
      options.notKept(shownPath(path), read.problem)
      return
    }
    const text = cassetteText(withoutNoise(read.cassette, old))
    if (redactor.leaks(text)) {
      options.notKept(shownPath(path), 'a secret could not be taken out of it')
      return
    }
    try {
      store.write(path, text)
    } catch (error) {
      if (!(error instanceof SkillsEvalError)) throw error
      options.failed(shownPath(path), error.message)
    }
  }

  const shownPath = (path: string): string => `${store.shown}/${path}`

  return {
    open: (trial) => {
      const opened = caseOf(trial)
      opened.asked = Math.max(opened.asked, trial.n)
      const { mode } = trial
      const hidden = placeholders(trial.places)
      const fixed = fixedOf.get(trial.suite) ?? fixedParts()
      fixedOf.set(trial.suite, fixed)
      const canonical = canonicalForm(hidden, redactor, trial.normalize)
      const path = shownPath(opened.path)
      const label = `${trial.suite}/${trial.case}${trial.arm === undefined ? '' : ` ${trial.arm}`}`
      const kept = opened.cassette?.trials[trial.n - 1]
      // Without turns it holds what was said of a scripted model's answers.
      const recorded = kept?.turns.length ? kept : undefined
      const isAnew = mode === 'all' || (mode === 'stale' && trial.attempt > 1)
      const tape = tapeOf(trial, kept, isAnew, {
        canonical,
        placeholders: hidden,
        policy: trial.policy.judge,
        book: opened.book,
        path,
        label,
        again: trial.again,
        problem: opened.problem,
      })
      const judgeKept = (): Pick<CassetteTrial, 'judge'> => {
        const judge = tape === undefined ? trial.judge && kept?.judge : tape.calls()
        return judge === undefined || judge.length === 0 ? {} : { judge: [...judge] }
      }
      /** Of several attempts the last one counts. */
      const settle = (made: CassetteTrial | undefined, isBroken: boolean): void => {
        opened.fresh.delete(trial.n)
        opened.broken.delete(trial.n)
        if (made) opened.fresh.set(trial.n, made)
        else if (isBroken) opened.broken.add(trial.n)
      }
      /** What is new of a trial whose own answers are not. */
      const endUnrecorded = (): void => {
        if (!tape?.hasNews()) return
        const made = { ...(kept ?? { turns: [], outside: [] }), ...judgeKept() }
        settle(tape.isBroken() ? undefined : made, true)
      }
      if (mode === 'off') return withJudge(trial.live(), tape, path, endUnrecorded)
      if (isAnew || (mode === 'missing' && !recorded && !opened.problem)) {
        const model = recordModel(trial.live(), {
          params: trial.params,
          canonical,
          fixed,
          path,
          book: opened.book,
          ended: (done) => settle(done && !tape?.isBroken() ? { ...done, ...judgeKept() } : undefined, true),
        })
        return withJudge(model, tape, path)
      }
      if (recorded === undefined) {
        if (trial.fallback && !opened.problem && (!opened.cassette || kept)) {
          return withJudge(trial.fallback(), tape, path, endUnrecorded)
        }
        return missingModel(trial.profile, trial.protocol, absent(label, path, trial, opened))
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
      return withJudge(replay, tape, path, () => {
        // It is opened once more, to be recorded.
        if (mode === 'stale' && replay.isStale()) return
        endUnrecorded()
      })
    },
    endCase: (name) => {
      const opened = cases.get(cassettePath(name))
      if (!opened) return
      cases.delete(opened.path)
      keep(opened, name)
    },
  }
}

const tapeOf = (
  { judge }: RecordedTrial,
  kept: CassetteTrial | undefined,
  isAnew: boolean,
  options: Omit<Parameters<typeof judgeTape>[1], 'judge'>,
): JudgeTape | undefined => {
  if (judge === undefined || judge.mode === 'off') return undefined
  return judgeTape(kept?.judge ? [...kept.judge] : isAnew ? [] : undefined, { ...options, judge })
}

/** A model with the judge of its trial, whose recordings are used or made at the same time. */
const withJudge = (
  model: ModelAdapter,
  tape: JudgeTape | undefined,
  path: string,
  ended: (() => void) | undefined = undefined,
): ModelAdapter => {
  const ending = ended === undefined ? model : withEnd(model, ended)
  if (tape === undefined) return ending
  const use = (): RecordingUse => {
    const [own, judge] = [model.recording?.use(), tape.use()]
    const modes = [own?.mode, judge.mode]
    const differences = [...(own?.differences ?? []), ...(judge.differences ?? [])]
    return {
      path,
      mode: modes.find((mode) => mode === 'record') ?? modes.find((mode) => mode === 'positional') ?? 'replay',
      stale_parts: [...(own?.stale_parts ?? []), ...judge.stale_parts],
      ...(differences.length === 0 ? {} : { differences }),
    }
  }
  return { ...ending, recording: { tool: (tool) => model.recording?.tool(tool) ?? tool, use, judge: tape.model } }
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
  readonly mode: RecordedTrial['mode']
  /** Trials that were recorded to their end, by number. */
  readonly fresh: Map<number, CassetteTrial>
  /** Those of which the last attempt was not. */
  readonly broken: Set<number>
  /** The highest number of a trial that was opened. */
  asked: number
}

/** In order and without a gap. Where one was stale, those that nobody has asked for since are not to be trusted. */
const mergedTrials = (old: readonly CassetteTrial[], { mode, fresh, asked }: OpenCase): readonly CassetteTrial[] => {
  const merged: CassetteTrial[] = []
  const last = mode === 'stale' ? asked : Math.max(asked, old.length)
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

/** Whether a trial that ended so is to be recorded now. */
export const isToRecord = (mode: RecordMode, status: Status, attempt: number): boolean =>
  mode === 'stale' && status === 'stale' && attempt === 1
