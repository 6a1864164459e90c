import { closeSync, constants, fchmodSync, fstatSync, openSync } from 'node:fs'
import { SkillsEvalError } from '../../core/errors.ts'
import { explained } from './output-file.ts'

/** Lets whoever may read a regular file run it. Throws a SkillsEvalError where it is a link, or is not ours to change. */
export const addRunBit = (path: string): void =>
  explained(path, () => {
    // Not blocking: a FIFO that took its place would be waited for.
    const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      const stat = fstatSync(file)
      if (!stat.isFile())
        throw new SkillsEvalError('file_changed', `${path} is not what it was a moment ago, and was left as it is`, {
          hint: 'Run the command again.',
        })
      const mode = stat.mode & 0o777
      fchmodSync(file, mode | ((mode & 0o444) >> 2))
    } finally {
      closeSync(file)
    }
  })
