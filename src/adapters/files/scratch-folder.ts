import { mkdirSync, mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onExit } from '../process/on-exit.ts'
import { removeTree } from './remove-tree.ts'

export type ScratchFolder = {
  path(): string
  folder(name: string): string
  removeFolder(name: string): void
  remove(): void
}

/**
 * A private folder in the system's temporary one, made when it is first needed, removed with all that is in it, also
 * where the process exits on the spot.
 */
export const scratchFolder = (prefix: string): ScratchFolder => {
  let made: string | undefined
  let takeBack: () => void = () => undefined
  const path = () => {
    if (made !== undefined) return made
    const folder = realpathSync(mkdtempSync(join(tmpdir(), prefix)))
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
