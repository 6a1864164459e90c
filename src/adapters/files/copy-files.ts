import { constants, copyFileSync, existsSync, mkdirSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { onDisk } from './on-disk.ts'
import { removeTree } from './remove-tree.ts'

/** Copies these files of a folder into another that appears whole or not at all, in place of one that is there. */
export const copyFiles = (from: string, to: string, names: readonly string[]): void =>
  onDisk(
    to,
    () => {
      const temporary = `${to}.${process.pid}.tmp`
      removeTree(temporary)
      mkdirSync(temporary, { recursive: true })
      try {
        // Where the disk can, the copy takes no room of its own.
        for (const name of names) copyFileSync(join(from, name), join(temporary, name), constants.COPYFILE_FICLONE)
        if (existsSync(to)) removeTree(to)
        mkdirSync(dirname(to), { recursive: true })
        renameSync(temporary, to)
      } catch (error) {
        removeTree(temporary)
        throw error
      }
    },
    'written',
  )
