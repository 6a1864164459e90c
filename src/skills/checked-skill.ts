import type { Files } from '../core/ports.ts'
import type { SkillBodyText } from './check-body.ts'
import type { SkillLog } from './diagnose.ts'
import type { DirEntry } from './find-skill-file.ts'

/** A skill whose files are looked at: its folder as diagnostics shall name it, and its instructions. */
export type CheckedSkill = {
  readonly dir: string
  /** What the folder holds, where it has been listed already. */
  readonly entries: readonly DirEntry[]
  readonly body: SkillBodyText
  readonly files: Files
  readonly log: SkillLog
}
