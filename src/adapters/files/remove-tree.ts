import { randomUUID } from 'node:crypto'
import { chmodSync, lstatSync, readdirSync, renameSync, rmdirSync, rmSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { ifThere } from './on-disk.ts'

/** Removes a folder with all that is in it, whatever a script left there; nothing where it is not there. */
export const removeTree = (folder: string): void => {
  const isRemoved = ifThere(() => {
    rmSync(folder, { recursive: true, force: true, maxRetries: 2 })
    return true
  })
  if (isRemoved !== true && lstatSync(folder, { throwIfNoEntry: false })) removePiecewise(folder)
}

/**
 * For folders that are read-only, or nested so deep that their paths are too long for the system: each folder is moved
 * up to the top before it is emptied.
 */
const removePiecewise = (folder: string): void => {
  const prefix = join(folder, `.${randomUUID()}-`)
  let moved = 0
  const waiting = [folder]
  const emptied: string[] = []
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    chmodSync(next, 0o700)
    for (const entry of readdirSync(next, { withFileTypes: true })) {
      const path = join(next, entry.name)
      if (!entry.isDirectory()) {
        unlinkSync(path)
        continue
      }
      // A folder that may not be written in may not be moved either.
      chmodSync(path, 0o700)
      const top = `${prefix}${moved}`
      moved += 1
      renameSync(path, top)
      waiting.push(top)
    }
    emptied.push(next)
  }
  for (const path of emptied.reverse()) rmdirSync(path)
}
