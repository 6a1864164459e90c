import { setMaxListeners } from 'node:events'
import type { PlannedCase, RunPlan } from '../core/plan.ts'
import { countedRows } from './adaptive-case.ts'
import { caseResult } from './case-result.ts'
import { openCases } from './open-cases.ts'
import type { RunDeps } from './run-deps.ts'
import { type RunTotals, runTotals } from './run-totals.ts'
import { type FinishedTrial, keptTrial, runTrial } from './run-trial.ts'
import { safeListener } from './safe-listener.ts'
import { type TrialQueue, trialQueue } from './trial-queue.ts'

export type FinishedRun = {
  readonly totals: RunTotals
  /** Why not every trial was run: aborted from outside, or enough cases had failed. */
  readonly stopped: 'aborted' | 'bail' | undefined
  /** The first thing that the listener threw, to be told once; undefined: nothing. */
  readonly listenerFault: unknown
}

/** How long mocked trials may follow each other before signals and the terminal get their turn. */
const breathMs = 25

/**
 * Runs every trial of the plan, at most `concurrency` at a time, in plan order of their start. Each finished trial
 * goes to the store and into the running sums and is not held. Never rejects for what happens inside a trial; rejects
 * when the plan can't be read on or the store can't take a result, once the trials under way have ended.
 */
export const runPlan = async (plan: RunPlan, deps: RunDeps): Promise<FinishedRun> => {
  // Each trial under way listens for the end; past ten of them Node would warn of a leak.
  setMaxListeners(0, deps.signal)
  const totals = runTotals(plan.suites, deps.seed, plan.isPart !== true)
  const listener = safeListener(deps.listener)
  let bad = 0
  let isBroken = false
  let isCutShort = false
  let isBehindUs = false
  const cases = openCases(
    (at) => deps.store.read(at),
    (planned, rows) => {
      if (countedRows(planned, rows).includes(undefined)) isCutShort = true
      const result = caseResult(planned, rows, deps.redact)
      totals.addCase(planned, result)
      // What an earlier session of the run brought does not stop this one.
      if (!isBehindUs && (result.status === 'failed' || result.status === 'error')) bad += 1
      listener.caseFinished(planned.suite, result)
    },
  )
  const finished = (planned: PlannedCase, trial: FinishedTrial, isLast: boolean) => {
    totals.addTrial(planned, trial)
    listener.trialFinished(trial.row)
    if (isLast) cases.close(planned, trial.row)
  }
  const run: Run = {
    deps,
    isStopped: () => isBroken || deps.signal.aborted || (deps.bail !== undefined && bad >= deps.bail),
    break: () => {
      isBroken = true
    },
    trialStarted: (planned, n) => {
      const { suite, evalCase, model } = planned
      listener.trialStarted({ suite: suite.name, case: evalCase.id, model, n })
    },
    trialFinished: (planned, trial) => {
      const isLast = cases.ended(planned, trial.row)
      // A recording is there before the result is: who goes on from here finds both or neither.
      if (isLast) deps.caseEnded?.(planned)
      deps.store.append(planned.at + trial.row.n - 1, trial.row)
      finished(planned, trial, isLast)
    },
  }
  const queue = trialQueue(plan, cases, {
    isStopped: run.isStopped,
    kept: (planned, n) => deps.kept?.(planned, n),
    keep: (planned, row) => {
      isBehindUs = true
      finished(planned, keptTrial(planned, row, deps), cases.ended(planned, row))
      isBehindUs = false
    },
  })
  listener.started({ cases: plan.counts.cases, trials: plan.counts.trials })
  await work(queue, plan.counts.trials, run)
  cases.closeAll()
  const stopped = deps.signal.aborted ? 'aborted' : isCutShort ? 'bail' : undefined
  listener.finished(totals.summary())
  return { totals, stopped, listenerFault: listener.fault() }
}

type Run = {
  readonly deps: RunDeps
  isStopped(): boolean
  /** Something happened after which no further result could be kept. */
  break(): void
  trialStarted(planned: PlannedCase, n: number): void
  trialFinished(planned: PlannedCase, trial: FinishedTrial): void
}

const work = async (queue: TrialQueue, trials: number, run: Run): Promise<void> => {
  const count = Math.max(1, Math.min(run.deps.concurrency, trials))
  const workers = Array.from({ length: count }, () => workThrough(queue, run))
  const ends = await Promise.allSettled(workers)
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}

const workThrough = async (queue: TrialQueue, run: Run): Promise<void> => {
  const { clock, signal } = run.deps
  let breath = clock.monotonic()
  for (let next = queue.take(); next !== undefined; next = queue.take()) {
    if (next === 'later') {
      await queue.changed()
      continue
    }
    if (clock.monotonic() - breath > breathMs) {
      await clock.breathe()
      breath = clock.monotonic()
    }
    if (run.isStopped()) continue
    const { planned, n } = next
    run.trialStarted(planned, n)
    try {
      run.trialFinished(planned, await runTrial(planned, n, run.deps))
    } catch (error) {
      if (signal.aborted) continue
      run.break()
      throw error
    } finally {
      queue.ended(planned)
    }
  }
}
