import type { CheckResult, Status, TrialResult } from '../core/results.ts'
import { caseRate } from './case-rate.ts'
import { type ComparableCase, type ComparedTrial, usableTrials } from './pair-cases.ts'

/** A check as far as two arms are held against each other by it. */
export type JudgedCheck = Pick<CheckResult, 'name' | 'kind' | 'place' | 'passed' | 'score' | 'weight'>
export type GradedTrial = ComparedTrial & { readonly checks: readonly JudgedCheck[] }
export type GradedCase = Omit<ComparableCase, 'trials'> & { readonly trials: readonly GradedTrial[] }

export type SharedChecks = {
  /** The case of the run as it would have come out with the checks of its baseline alone. */
  readonly head: ComparableCase
  /** Names of the checks that the baseline has not. */
  readonly notCompared: readonly string[]
  /** Those that held in every usable trial of both; limits (`max_*`) aside, which are not there to tell arms apart. */
  readonly holdInBoth: readonly { readonly name: string; readonly index: number }[]
}

/**
 * Brings a case of the run to the checks that its baseline has: what only the run judges would lower its rate and not
 * that of the baseline. They are found by kind, name and the place they have in the suite; by kind and name alone where one
 * side was stored without places. A limit that stopped a trial counts on either side, named or not.
 */
export const overSharedChecks = (base: GradedCase, head: GradedCase, threshold: number): SharedChecks => {
  const [before, after] = [usableTrials(base), usableTrials(head)]
  const keyOf = hasPlaces(before) && hasPlaces(after) ? placedKey : namedKey
  const shared = new Set(before.flatMap(({ checks }) => checks.map(keyOf)))
  const isShared = (check: JudgedCheck): boolean => isLimit(check) || shared.has(keyOf(check))
  const trials = head.trials.map((trial): ComparedTrial => judgedAnew(trial, isShared))
  const failing = new Set(
    [...before, ...after].flatMap(({ checks }) => checks.filter(({ passed }) => !passed).map(keyOf)),
  )
  const judged = firstOfEach(after, keyOf)
  return {
    head: { ...head, trials, status: statusOf(trials, threshold, head.status) },
    notCompared: judged.flatMap(({ check }) => (isShared(check) ? [] : [check.name])),
    holdInBoth: judged.flatMap(({ check, index }) =>
      !isLimit(check) && shared.has(keyOf(check)) && !failing.has(keyOf(check)) ? [{ name: check.name, index }] : [],
    ),
  }
}

const hasPlaces = (trials: readonly GradedTrial[]): boolean =>
  trials.some(({ checks }) => checks.some(({ place }) => place !== undefined))

/** Two checks may have been given the same name. */
const placedKey = (check: JudgedCheck): string => `${check.place ?? ''}\0${namedKey(check)}`

// The digest in a redaction is of its own run; a secret in a check's name is the same secret in both.
const namedKey = ({ kind, name }: JudgedCheck): string =>
  `${kind}\0${name.includes('[redacted:') ? name.replaceAll(/\[redacted:([^:\]]*):[^\]]*\]/g, '[redacted:$1]') : name}`

const isLimit = ({ kind, name }: JudgedCheck): boolean => kind === 'constraint' && name.startsWith('max_')

/** Each check that counts, once, with its place among those of its trial. */
const firstOfEach = (
  trials: readonly GradedTrial[],
  keyOf: (check: JudgedCheck) => string,
): readonly { check: JudgedCheck; index: number }[] => {
  const found = new Map<string, { check: JudgedCheck; index: number }>()
  for (const { checks } of trials) {
    for (const [index, check] of checks.filter(counts).entries())
      if (!found.has(keyOf(check))) found.set(keyOf(check), { check, index })
  }
  return [...found.values()]
}

/** Parts of another check have no weight. */
const counts = ({ weight }: JudgedCheck): boolean => weight > 0

const judgedAnew = (trial: GradedTrial, isShared: (check: JudgedCheck) => boolean): ComparedTrial => {
  const { checks, ...rest } = trial
  if (trial.status !== 'passed' && trial.status !== 'failed') return rest
  const judged = checks.filter((check) => counts(check) && isShared(check))
  if (judged.length === checks.filter(counts).length) return rest
  const total = judged.reduce((sum, { weight }) => sum + weight, 0)
  const held = judged.reduce((sum, { weight, passed }) => sum + (passed ? weight : 0), 0)
  return {
    ...rest,
    status: judged.every(({ passed }) => passed) ? 'passed' : 'failed',
    score: total === 0 ? 1 : held / total,
  }
}

const statusOf = (trials: readonly Pick<TrialResult, 'status'>[], threshold: number, own: Status): Status => {
  if (own !== 'passed' && own !== 'failed') return own
  const count = (status: Status) => trials.filter((trial) => trial.status === status).length
  const [passed, failed] = [count('passed'), count('failed')]
  const { status } = caseRate({ passed, failed, unusable: trials.length - passed - failed, threshold })
  if (status !== 'undecided') return status
  // As for any case: an error weighs more than a stale recording.
  return count('error') === 0 && count('stale') > 0 ? 'stale' : 'error'
}
