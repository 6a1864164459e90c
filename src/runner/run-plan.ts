import type { PlannedCase, RunPlan } from '../core/plan.ts'
import type { TrialRow } from '../core/results.ts'
import { caseResult } from './case-result.ts'
import type { RunDeps } from './run-deps.ts'
import { type RunTotals, runTotals } from './run-totals.ts'
import { runTrial } from './run-trial.ts'

export type FinishedRun = {
  readonly totals: RunTotals
  /** Why not every trial was run: aborted from outside, or enough cases had failed. */
  readonly stopped: 'aborted' | 'bail' | undefined
}

/** How long mocked trials may follow each other before signals and the terminal get their turn. */
const breathMs = 25

/**
 * Runs every trial of the plan, at most `concurrency` at a time, in plan order of their start. Each finished trial
 * goes to the store and into the running sums and is not held. Never rejects for what happens inside a trial.
 */
export const runPlan = async (plan: RunPlan, deps: RunDeps): Promise<FinishedRun> => {
  const totals = runTotals(plan.suites, deps.seed)
  const run = openRun(deps, totals)
  deps.listener.started?.({ cases: plan.counts.cases, trials: plan.counts.trials })
  const trials = trialsOf(plan, run)
  const workers = Array.from({ length: Math.max(1, Math.min(deps.concurrency, plan.counts.trials || 1)) }, () =>
    work(trials, run, deps),
  )
  await Promise.all(workers)
  run.closeUnfinished()
  deps.listener.finished?.(totals.summary())
  return { totals, stopped: deps.signal.aborted ? 'aborted' : run.isBailed() ? 'bail' : undefined }
}

type PlannedTrial = { readonly planned: PlannedCase; readonly n: number }
type OpenRun = ReturnType<typeof openRun>

/** Flattens the plan lazily. A skipped case has no trial; it is closed as it is passed by. */
function* trialsOf(plan: RunPlan, run: OpenRun): Generator<PlannedTrial> {
  for (const planned of plan.cases()) {
    run.open(planned)
    for (let n = 1; n <= planned.trials; n += 1) yield { planned, n }
  }
}

const work = async (trials: Generator<PlannedTrial>, run: OpenRun, deps: RunDeps): Promise<void> => {
  let breath = deps.clock.monotonic()
  for (const { planned, n } of trials) {
    if (deps.clock.monotonic() - breath > breathMs) {
      await deps.clock.breathe()
      breath = deps.clock.monotonic()
    }
    if (deps.signal.aborted || run.isBailed()) continue
    const { suite, evalCase, model } = planned
    deps.listener.trialStarted?.({ suite: suite.name, case: evalCase.id, model, n })
    try {
      const trial = await runTrial(planned, n, deps)
      deps.store.append(planned.at + n - 1, trial.row)
      run.finish(planned, trial)
    } catch (error) {
      if (!deps.signal.aborted) throw error
    }
  }
}

/** The cases under way: how many of their trials are still out, and what they came to. */
const openRun = (deps: RunDeps, totals: RunTotals) => {
  const open = new Map<number, { readonly planned: PlannedCase; left: number }>()
  let bad = 0

  const close = (planned: PlannedCase, only?: TrialRow) => {
    const rows = Array.from({ length: planned.trials }, (_, i) => only ?? deps.store.read(planned.at + i))
    const result = caseResult(planned, rows)
    totals.addCase(planned, result)
    if (result.status === 'failed' || result.status === 'error') bad += 1
    deps.listener.caseFinished?.(planned.suite, result)
  }

  return {
    open: (planned: PlannedCase) => {
      if (planned.trials === 0) close(planned)
      else open.set(planned.at, { planned, left: planned.trials })
    },
    finish: (planned: PlannedCase, trial: Awaited<ReturnType<typeof runTrial>>) => {
      totals.addTrial(planned, trial)
      deps.listener.trialFinished?.(trial.row)
      const entry = open.get(planned.at)
      if (!entry) return
      entry.left -= 1
      if (entry.left > 0) return
      open.delete(planned.at)
      close(planned, planned.trials === 1 ? trial.row : undefined)
    },
    isBailed: () => deps.bail !== undefined && bad >= deps.bail,
    /** After an abort or a bail: what did not run to its end is closed as not run. */
    closeUnfinished: () => {
      for (const { planned } of open.values()) close(planned)
      open.clear()
    },
  }
}
