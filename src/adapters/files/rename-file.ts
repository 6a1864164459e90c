import { linkSync, lstatSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { SkillsEvalError } from '../../core/errors.ts'
import { explained } from './output-file.ts'

/**
 * Gives a file another name in its folder, by way of a temporary one: where names differ in case alone, some disks take
 * them for the same. Throws a SkillsEvalError where something else has that name; the file keeps its own then.
 */
export const renameFile = (path: string, name: string): void =>
  explained(path, () => {
    const target = join(dirname(path), name)
    const temporary = join(dirname(path), `.${name}.${process.pid}.tmp`)
    renameSync(path, temporary)
    try {
      putInPlace(temporary, target)
    } catch (error) {
      renameSync(temporary, path)
      throw error
    }
  })

/** A link is refused where the name is taken, which a renaming is not. */
const putInPlace = (temporary: string, target: string): void => {
  try {
    linkSync(temporary, target)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error) || lstatSync(target, { throwIfNoEntry: false }))
      throw new SkillsEvalError('file_there', `${target} is there already, and was left as it is`, { cause: error })
    // Some disks have no links.
    renameSync(temporary, target)
    return
  }
  rmSync(temporary)
}
