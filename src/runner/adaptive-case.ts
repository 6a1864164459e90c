import type { PlannedCase } from '../core/plan.ts'
import type { TrialRow } from '../core/results.ts'
import { counted, decidedAfter, isDecided, type StopRule, type Tally } from '../metrics/sequential-test.ts'

/** When a case's trials may end early; undefined where all are run. */
export const stopRule = ({ evalCase, trials, adaptive }: PlannedCase): StopRule | undefined =>
  adaptive && trials > 0 ? { threshold: evalCase.pass_threshold, max: trials, min: adaptive.min } : undefined

/**
 * The rows that count: all, or those up to the trial that decided. What ran beyond it, under another threshold, is not
 * looked at: the verdict is that of the trials in their order, whatever ran at the same time.
 */
export const countedRows = <Row extends Pick<TrialRow, 'status'> | undefined>(
  planned: PlannedCase,
  rows: readonly Row[],
): readonly Row[] => {
  const rule = stopRule(planned)
  const last =
    rule &&
    decidedAfter(
      rows.map((row) => row?.status),
      rule,
    )
  return last === undefined ? rows : rows.slice(0, last)
}

export type AdaptiveCase = {
  /** The number of the next trial, if it will be needed whatever becomes of those before it. */
  next(): number | undefined
  /** Takes in how a trial ended; true where no more are needed. */
  ended(n: number, status: string): boolean
}

/**
 * Which trials of a case may start. Several run at a time as long as none of them could prove needless: a trial is
 * started once no outcome of those still out could decide the case before it. So nothing is paid for that is not
 * counted, and what is counted does not depend on how many run at a time.
 */
export const adaptiveCase = (rule: StopRule): AdaptiveCase => {
  const statuses: (string | undefined)[] = []
  let started = 0
  /** Up to here every trial has ended. */
  let settled = 0
  let tally: Tally = { passed: 0, failed: 0, unusable: 0 }
  let isOver = false
  let needed = soonest({ tally, settled, statuses, rule })
  return {
    next: () => {
      if (isOver || started >= needed) return undefined
      started += 1
      return started
    },
    ended: (n, status) => {
      statuses[n - 1] = status
      for (let next = statuses[settled]; next !== undefined && !isOver; next = statuses[settled]) {
        tally = counted(tally, next)
        settled += 1
        isOver = isDecided(tally, rule)
      }
      // What is known can only put the soonest decision off.
      if (!isOver && started >= needed) needed = soonest({ tally, settled, statuses, rule })
      return isOver
    },
  }
}

/** The first trial after which the case might be decided: sooner than if all that is open passes, or all fails, it can't be. */
const soonest = (at: {
  readonly tally: Tally
  readonly settled: number
  readonly statuses: readonly (string | undefined)[]
  readonly rule: StopRule
}): number => {
  const { statuses, settled, rule } = at
  // Both are looked at in step: to follow one to its end where the other decides at once would be quadratic over a case.
  let passing = at.tally
  let failing = at.tally
  for (let n = settled; n < rule.max; n += 1) {
    passing = counted(passing, statuses[n] ?? 'passed')
    failing = counted(failing, statuses[n] ?? 'failed')
    if (isDecided(passing, rule) || isDecided(failing, rule)) return n + 1
  }
  return rule.max
}
