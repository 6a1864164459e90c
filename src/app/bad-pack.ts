import { SkillsEvalError } from '../core/errors.ts'
import { visibleLine } from '../lib/visible.ts'

/** Something is wrong with a pack itself: `bad_pack`, which `verify` calls tampered. Nothing was installed. */
export const badPack = (problem: string, entry?: string, hint?: string): SkillsEvalError =>
  new SkillsEvalError(
    'bad_pack',
    `the pack is refused: ${entry === undefined ? '' : `${visibleLine(entry, 120)}: `}${problem}`,
    hint === undefined ? {} : { hint },
  )

/** Whether an error says that a pack is not what it should be. */
export const isBadPack = (error: unknown): error is SkillsEvalError =>
  error instanceof SkillsEvalError && (error.code === 'bad_pack' || error.code === 'bad_zip')
