import type { PlannedCase, RunPlan } from '../core/plan.ts'
import type { TrialRow } from '../core/results.ts'
import type { OpenCases } from './open-cases.ts'

export type PlannedTrial = { readonly planned: PlannedCase; readonly n: number }

export type TrialQueue = {
  /** The next trial to run; `later` where none may start before one under way has ended; undefined at the end. */
  take(): PlannedTrial | 'later' | undefined
  /** A trial of this case is over, or given up: more of them may start. */
  ended(planned: PlannedCase): void
  /** Resolves when a trial under way has ended. */
  changed(): Promise<void>
}

/**
 * Flattens the plan lazily, in its order; a case whose next trial hangs on those under way is come back to as they end.
 * Trials that are kept of an earlier session are handed to `keep` as they are passed by. After the end of the run, cases
 * are closed as they are passed by, with what was kept of them.
 */
export const trialQueue = (
  plan: RunPlan,
  cases: OpenCases,
  run: {
    isStopped(): boolean
    kept(planned: PlannedCase, n: number): TrialRow | undefined
    keep(planned: PlannedCase, row: TrialRow): void
  },
): TrialQueue => {
  const planned = plan.cases()[Symbol.iterator]()
  const openAgain: PlannedCase[] = []
  let current: PlannedCase | undefined
  let waiting: (() => void)[] = []

  /** The next trial of the case that is to be run; those that are kept are told on the way. */
  const nextOf = (one: PlannedCase): PlannedTrial | undefined => {
    for (let n = cases.next(one); n !== undefined; n = cases.next(one)) {
      const row = run.kept(one, n)
      if (row !== undefined) run.keep(one, row)
      else if (!run.isStopped()) return { planned: one, n }
    }
    return undefined
  }

  const take = (): PlannedTrial | 'later' | undefined => {
    for (let again = openAgain.at(-1); again !== undefined; again = openAgain.at(-1)) {
      const trial = nextOf(again)
      if (trial) return trial
      openAgain.pop()
    }
    for (;;) {
      const trial = current && nextOf(current)
      if (trial) return trial
      const next = planned.next()
      current = next.done ? undefined : next.value
      if (!current) return cases.isWaiting() && !run.isStopped() ? 'later' : undefined
      cases.open(current)
      if (run.isStopped()) passBy(current)
    }
  }

  const passBy = (one: PlannedCase): void => {
    nextOf(one)
    if (cases.isOpen(one)) cases.close(one)
  }

  return {
    take,
    ended: (one) => {
      if (one.adaptive && one !== current) openAgain.unshift(one)
      const told = waiting
      waiting = []
      for (const wake of told) wake()
    },
    changed: () =>
      new Promise((resolve) => {
        waiting.push(resolve)
      }),
  }
}
