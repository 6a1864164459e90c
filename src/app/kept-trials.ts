import type { PlannedCase } from '../core/plan.ts'
import { hasRubric } from '../grading/has-rubric.ts'
import { countedRows } from '../runner/adaptive-case.ts'
import type { RunDeps } from '../runner/run-deps.ts'
import type { Config } from '../schema/config.ts'
import type { Host } from './host.ts'
import { findProfile, judgeOf } from './profiles.ts'
import { recordModeOf } from './recorded-models.ts'
import type { RunOptions } from './run-options.ts'

type Kept = NonNullable<RunDeps['kept']>

/**
 * Which results of an earlier session stand. Of a case that is being recorded all or none: its recording is written when
 * its last trial has ended, so that of one that was cut short nothing is there to be added to.
 */
export const keptTrials = <T>(
  { kept, found }: { readonly kept: (...of: Parameters<Kept>) => T | undefined; readonly found: Kept },
  config: Config,
  options: RunOptions,
  host: Host,
): ((...of: Parameters<Kept>) => T | undefined) => {
  const whole = new WeakMap<PlannedCase, boolean>()
  const isWhole = (planned: PlannedCase): boolean => {
    const known = whole.get(planned)
    if (known !== undefined) return known
    const rows = Array.from({ length: planned.trials }, (_, i) => found(planned, i + 1))
    const made = !countedRows(planned, rows).includes(undefined)
    whole.set(planned, made)
    return made
  }
  const isRecorded = (profile: string): boolean => {
    const mode = recordModeOf(findProfile(profile, config), options, host)
    return mode !== 'replay' && mode !== 'off'
  }
  return (planned, n) => {
    const { model, suite, evalCase } = planned
    const isRecording = isRecorded(model) || (hasRubric(evalCase) && isRecorded(judgeOf(suite)))
    return isRecording && !isWhole(planned) ? undefined : kept(planned, n)
  }
}
