import { isAtLeast } from './tolerance.ts'
import { type Interval, wilson } from './wilson.ts'

export type CaseTrials = {
  readonly passed: number
  readonly failed: number
  /** Trials that could not be judged: an error, or stale. */
  readonly unusable: number
  /** The share of all trials that must pass, 0..1. */
  readonly threshold: number
}

export type CaseRate = {
  readonly pass_rate: number | null
  readonly interval: Interval | null
  readonly flaky: boolean
  readonly status: 'passed' | 'failed' | 'undecided'
}

/**
 * The numbers of one case. The rate and its 95 % Wilson interval are over usable trials, null without any; flaky
 * is a case of which some but not all usable trials passed. The status is decided only when the unusable trials
 * could not have changed it, whatever they would have been; the caller turns `undecided` into error or stale.
 */
export const caseRate = ({ passed, failed, unusable, threshold }: CaseTrials): CaseRate => {
  const usable = passed + failed
  return {
    pass_rate: usable === 0 ? null : passed / usable,
    interval: wilson(passed, usable),
    flaky: passed > 0 && failed > 0,
    status: decide(passed, usable, unusable, threshold),
  }
}

const decide = (passed: number, usable: number, unusable: number, threshold: number): CaseRate['status'] => {
  // Nothing was seen: even a threshold of 0 is not met by that.
  if (usable === 0) return 'undecided'
  const n = usable + unusable
  if (isAtLeast(passed / n, threshold)) return 'passed'
  return isAtLeast((passed + unusable) / n, threshold) ? 'undecided' : 'failed'
}
