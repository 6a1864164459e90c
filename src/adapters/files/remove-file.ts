import { rmdirSync, unlinkSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { isSystemError, onDisk } from './on-disk.ts'

/** Removes a file, and the folders above it that are empty then, up to `root`, which stays. */
export const removeFile = (file: string, root: string): void =>
  onDisk(
    file,
    () => {
      unlinkSync(file)
      for (let folder = dirname(file); isBelow(root, folder); folder = dirname(folder)) {
        if (!removedEmpty(folder)) return
      }
    },
    'written',
  )

const isBelow = (root: string, folder: string): boolean => {
  const path = relative(root, folder)
  return path !== '' && !path.startsWith('..')
}

const removedEmpty = (folder: string): boolean => {
  try {
    rmdirSync(folder)
    return true
  } catch (error) {
    if (isSystemError(error)) return false
    throw error
  }
}
