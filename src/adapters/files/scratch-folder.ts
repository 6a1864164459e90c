import { mkdirSync, mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FileError } from '../../core/errors.ts'
import { onExit } from '../process/on-exit.ts'
import { isSystemError } from './on-disk.ts'
import { removeTree } from './remove-tree.ts'

export type ScratchFolder = {
  path(): string
  folder(name: string): string
  removeFolder(name: string): void
  remove(): void
}

/**
 * A private folder in the system's temporary one, made when it is first needed, removed with all that is in it, also
 * where the process exits on the spot. Throws a FileError where the temporary one can't be used.
 */
export const scratchFolder = (prefix: string): ScratchFolder => {
  let made: string | undefined
  let takeBack: () => void = () => undefined
  const path = () => {
    if (made !== undefined) return made
    const folder = privateFolder(prefix)
    takeBack = onExit(() => removeTree(folder))
    made = folder
    return folder
  }
  return {
    path,
    folder: (name) => {
      const folder = join(path(), name)
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      return folder
    },
    removeFolder: (name) => {
      if (made !== undefined) removeTree(join(made, name))
    },
    remove: () => {
      if (made !== undefined) removeTree(made)
      made = undefined
      takeBack()
    },
  }
}

const privateFolder = (prefix: string): string => {
  const temporary = tmpdir()
  try {
    return realpathSync(mkdtempSync(join(temporary, prefix)))
  } catch (error) {
    if (!isSystemError(error)) throw error
    throw new FileError('no_temporary_folder', `no folder can be made in ${temporary} (TMPDIR): ${error.code}`, {
      hint: 'The folder that TMPDIR names must be there, writable and not full.',
      cause: error,
    })
  }
}
