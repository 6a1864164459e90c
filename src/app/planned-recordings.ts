import { join } from 'node:path'
import { cassettePath } from '../cassette/cassette-file.ts'
import type { PlannedCase } from '../core/plan.ts'
import type { RecordMode } from '../core/record-mode.ts'
import { hasRubric } from '../grading/has-rubric.ts'
import type { Config } from '../schema/config.ts'
import { recordingsFolder } from './cassettes.ts'
import type { Host } from './host.ts'
import { findProfile, judgeOf } from './profiles.ts'
import type { Project } from './project.ts'
import { nameOf, type RecordingChoice, recordModeOf } from './recorded-models.ts'

/** Who would judge a case, and what would be done with the judge's recordings; undefined where it has no rubric. */
export const plannedJudge =
  (
    config: Config,
    choice: RecordingChoice,
    host: Host,
    contactOf: (profile: string) => string | null,
  ): ((planned: PlannedCase) => { profile: string; contact: string | null; mode: RecordMode } | undefined) =>
  ({ suite, evalCase }) => {
    if (!hasRubric(evalCase)) return undefined
    const profile = judgeOf(suite)
    return { profile, contact: contactOf(profile), mode: recordModeOf(findProfile(profile, config), choice, host) }
  }

/** What a run would do with its recordings, without opening any. */
export const plannedRecordings = (
  { project, config }: { readonly project: Project; readonly config: Config },
  choice: RecordingChoice,
  host: Host,
): { modeOf(model: string): RecordMode; isThere(planned: PlannedCase): boolean } => {
  const folder = recordingsFolder(project, config)
  return {
    modeOf: (model) => recordModeOf(findProfile(model, config), choice, host),
    isThere: (planned) => host.files.stat(join(folder, cassettePath(nameOf(planned, choice)))) !== undefined,
  }
}
