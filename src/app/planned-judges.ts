import type { RunPlan } from '../core/plan.ts'
import { hasRubric } from '../grading/has-rubric.ts'
import type { Config } from '../schema/config.ts'
import type { Host } from './host.ts'
import { isLive } from './open-model.ts'
import { findProfile, isProfile, judgeOf } from './profiles.ts'
import { isAsked, type RecordingChoice } from './recorded-models.ts'

/** The live judges that a run may ask: those of suites whose cases have rubrics. */
export const askedJudges = (plan: RunPlan, config: Config, choice: RecordingChoice, host: Host): readonly string[] => {
  const mayBeAsked = (name: string): boolean => {
    if (!isProfile(name, config)) return false
    const profile = findProfile(name, config)
    return isLive(profile) && isAsked(profile, choice, host)
  }
  const open = new Set(plan.suites.map(judgeOf).filter(mayBeAsked))
  if (open.size === 0) return []
  const found = new Set<string>()
  for (const { suite, evalCase, trials } of plan.cases()) {
    const name = judgeOf(suite)
    if (trials > 0 && open.has(name) && hasRubric(evalCase)) found.add(name)
    if (found.size === open.size) break
  }
  return [...found]
}
