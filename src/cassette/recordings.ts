import { SkillsEvalError } from '../core/errors.ts'
import type { ModelAdapter } from '../core/ports.ts'
import type { CassetteTrial } from '../schema/cassette.ts'
import { canonicalForm } from './canonical.ts'
import {
  type CassetteName,
  cassettePath,
  cassetteText,
  fingerprintsOf,
  readCassette,
  withoutNoise,
} from './cassette-file.ts'
import { type JudgeTape, judgeTape } from './judge-tape.ts'
import { missingModel } from './missing-model.ts'
import { absent, type CassetteStore, mergedTrials, type OpenCase, openCase } from './open-case.ts'
import { placeholders } from './placeholders.ts'
import { type FixedParts, fixedParts } from './read-request.ts'
import { recordModel } from './record-model.ts'
import type { RecordedTrial } from './recorded-trial.ts'
import type { Redactor } from './redactor.ts'
import { replayModel } from './replay-model.ts'
import { withJudge } from './with-judge.ts'

export type Recordings = {
  /** The model of one attempt at a trial; a later attempt takes the place of an earlier one. */
  open(trial: RecordedTrial): ModelAdapter
  /** What is known of the attempts at a trial so far, until its case ends. */
  tried(name: CassetteName, n: number): Tried
  /** Every trial of the case has ended: what was recorded is written. Does not throw. */
  endCase(name: CassetteName): void
}

export type Tried = {
  /** The attempt that replayed what the agent's model said, and was stale: those after it record it anew. */
  readonly staleAt?: number | undefined
  /** Whether the last attempt asked the judge itself. */
  readonly isJudgeAsked: boolean
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
    const opened = openCase(store, path, trial)
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
      const isAnew = mode === 'all' || trial.attempt > (opened.staleAt.get(trial.n) ?? Number.POSITIVE_INFINITY)
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
      opened.tapes.set(trial.n, tape)
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
        if (mode === 'stale' && replay.isStale()) opened.staleAt.set(trial.n, trial.attempt)
        else endUnrecorded()
      })
    },
    tried: (name, n) => {
      const opened = cases.get(cassettePath(name))
      return { staleAt: opened?.staleAt.get(n), isJudgeAsked: opened?.tapes.get(n)?.wasAsked() ?? false }
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
