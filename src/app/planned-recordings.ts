import { join } from 'node:path'
import { cassettePath } from '../cassette/cassette-file.ts'
import type { PlannedCase } from '../core/plan.ts'
import type { RecordMode } from '../core/record-mode.ts'
import type { Config } from '../schema/config.ts'
import { recordingsFolder } from './cassettes.ts'
import type { Host } from './host.ts'
import { findProfile } from './profiles.ts'
import type { Project } from './project.ts'
import { nameOf, type RecordingChoice, recordModeOf } from './recorded-models.ts'

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
