import { setMaxListeners } from 'node:events'
import type { PlannedCase, RunPlan } from '../core/plan.ts'
import { caseResult } from './case-result.ts'
import { type OpenCases, openCases } from './open-cases.ts'
import type { RunDeps } from './run-deps.ts'
import { type RunTotals, runTotals } from './run-totals.ts'
import { type FinishedTrial, runTrial } from './run-trial.ts'
import { safeListener } from './safe-listener.ts'

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
  const totals = runTotals(plan.suites, deps.seed)
  const listener = safeListener(deps.listener)
  let bad = 0
  let isBroken = false
  let isCutShort = false
  const cases = openCases(
    (at) => deps.store.read(at),
    (planned, rows) => {
      if (rows.includes(undefined)) isCutShort = true
      const result = caseResult(planned, rows, deps.redact)
      totals.addCase(planned, result)
      if (result.status === 'failed' || result.status === 'error') bad += 1
      listener.caseFinished(planned.suite, result)
    },
  )
  const run: Run = {
    deps,
    cases,
    isBailed: () => deps.bail !== undefined && bad >= deps.bail,
    isStopped: () => isBroken || deps.signal.aborted || run.isBailed(),
    break: () => {
      isBroken = true
    },
    trialStarted: (planned, n) => {
      const { suite, evalCase, model } = planned
      listener.trialStarted({ suite: suite.name, case: evalCase.id, model, n })
    },
    trialFinished: (planned, trial) => {
      totals.addTrial(planned, trial)
      listener.trialFinished(trial.row)
      cases.finish(planned, trial.row)
    },
  }
  listener.started({ cases: plan.counts.cases, trials: plan.counts.trials })
  await work(plan, run)
  cases.closeAll()
  const stopped = deps.signal.aborted ? 'aborted' : isCutShort ? 'bail' : undefined
  listener.finished(totals.summary())
  return { totals, stopped, listenerFault: listener.fault() }
}

type Run = {
  readonly deps: RunDeps
  readonly cases: OpenCases
  isBailed(): boolean
  isStopped(): boolean
  /** Something happened after which no further result could be kept. */
  break(): void
  trialStarted(planned: PlannedCase, n: number): void
  trialFinished(planned: PlannedCase, trial: FinishedTrial): void
}

const work = async (plan: RunPlan, run: Run): Promise<void> => {
  const trials = trialsOf(plan, run)
  const count = Math.max(1, Math.min(run.deps.concurrency, plan.counts.trials))
  const workers = Array.from({ length: count }, () => workThrough(trials, run))
  const ends = await Promise.allSettled(workers)
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}

type PlannedTrial = { readonly planned: PlannedCase; readonly n: number }

/** Flattens the plan lazily. A case that has no trial, or that comes after the end, is closed as it is passed by. */
function* trialsOf(plan: RunPlan, run: Run): Generator<PlannedTrial> {
  for (const planned of plan.cases()) {
    if (run.isStopped()) {
      run.cases.closeUnrun(planned)
      continue
    }
    run.cases.open(planned)
    for (let n = 1; n <= planned.trials; n += 1) yield { planned, n }
  }
}

const workThrough = async (trials: Generator<PlannedTrial>, run: Run): Promise<void> => {
  const { clock, store, signal } = run.deps
  let breath = clock.monotonic()
  for (let next = trials.next(); !next.done; next = trials.next()) {
    if (clock.monotonic() - breath > breathMs) {
      await clock.breathe()
      breath = clock.monotonic()
    }
    if (run.isStopped()) continue
    const { planned, n } = next.value
    run.trialStarted(planned, n)
    try {
      const trial = await runTrial(planned, n, run.deps)
      store.append(planned.at + n - 1, trial.row)
      run.trialFinished(planned, trial)
    } catch (error) {
      if (signal.aborted) continue
      run.break()
      throw error
    }
  }
}
