import type { PlannedCase, PlannedSuite, RunPlan } from '../core/plan.ts'
import { type ArmSkills, caseInArm, type LeftOut } from './arm-case.ts'

export type ArmPlan = {
  readonly plan: RunPlan
  /** How many cases of the run do not run in the arm, by the reason; `same_skills`: the arm changes nothing for them. */
  readonly leftOut: Readonly<Record<LeftOut | 'same_skills', number>>
}

/**
 * The cases of a run as they run in its other arm. `suiteInArm` says which suite of the arm stands for one of the run, with
 * its skills; undefined where both arms would have the same skills.
 */
export const armPlan = (
  { cases: casesOfRun }: RunPlan,
  suiteInArm: (suite: PlannedSuite) => { readonly suite: PlannedSuite; readonly skills: ArmSkills } | undefined,
): ArmPlan => {
  const leftOut = { skipped: 0, xfail: 0, with_skills: 0, no_checks: 0, no_input: 0, same_skills: 0 }
  const counts = { cases: 0, trials: 0, skipped: 0 }
  const suites = new Set<PlannedSuite>()

  function* cases(tell?: (why: keyof typeof leftOut) => void): Generator<PlannedCase> {
    let at = 0
    for (const planned of casesOfRun()) {
      const arm = suiteInArm(planned.suite)
      const evalCase = arm ? caseInArm(planned.evalCase, arm.skills) : 'same_skills'
      if (typeof evalCase === 'string') tell?.(evalCase)
      else if (arm) {
        yield { ...planned, suite: arm.suite, evalCase, at }
        at += planned.trials
      }
    }
  }

  for (const { suite, trials } of cases((why) => leftOut[why]++)) {
    suites.add(suite)
    counts.cases++
    counts.trials += trials
  }
  return { plan: { suites: [...suites], counts, cases: () => cases() }, leftOut }
}
