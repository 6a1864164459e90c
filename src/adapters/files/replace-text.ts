import {
  closeSync,
  fchmodSync,
  fsyncSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { SkillsEvalError } from '../../core/errors.ts'
import { explained } from './output-file.ts'

/**
 * Replaces the text of a regular file, whole or not at all, and keeps its mode. Throws a SkillsEvalError where it is not
 * what was read before: a link, or changed by somebody else in the meantime.
 */
export const replaceText = (path: string, before: string, after: string): void =>
  explained(path, () => {
    const stat = lstatSync(path)
    if (!stat.isFile() || readFileSync(path, 'utf8') !== before)
      throw new SkillsEvalError('file_changed', `${path} is not what it was a moment ago, and was left as it is`, {
        hint: 'Run the command again.',
      })
    const temporary = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`)
    try {
      const file = openSync(temporary, 'wx', 0o600)
      try {
        writeFileSync(file, after)
        fchmodSync(file, stat.mode & 0o777)
        fsyncSync(file)
      } finally {
        closeSync(file)
      }
      renameSync(temporary, path)
    } catch (error) {
      rmSync(temporary, { force: true })
      throw error
    }
  })
