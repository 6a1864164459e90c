import type { PlannedCase, PlannedSuite, RunPlan } from '../core/plan.ts'

/**
 * The part of a plan whose cases are wanted, in the same order. Cases are told with their place in the whole plan, from
 * 0. Suites of which nothing is left are left out, unless `suites` says which there are.
 */
export const narrowPlan = (
  plan: RunPlan,
  isWanted: (planned: PlannedCase, place: number) => boolean,
  options: {
    /** What becomes of each case that is left. */
    readonly change?: (planned: PlannedCase, place: number) => PlannedCase
    readonly keepSuites?: boolean
  } = {},
): RunPlan => {
  const { change = (planned) => planned, keepSuites = false } = options
  function* cases(): Generator<PlannedCase> {
    let place = 0
    let at = 0
    for (const planned of plan.cases()) {
      if (isWanted(planned, place)) {
        yield { ...change(planned, place), at }
        at += planned.trials
      }
      place += 1
    }
  }
  const counts = { cases: 0, trials: 0, skipped: 0 }
  const left = new Set<PlannedSuite>()
  for (const { suite, trials } of cases()) {
    counts.cases += 1
    counts.trials += trials
    if (trials === 0) counts.skipped += 1
    left.add(suite)
  }
  return { suites: keepSuites ? plan.suites : plan.suites.filter((suite) => left.has(suite)), counts, cases }
}
