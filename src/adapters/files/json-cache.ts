import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** JSON values by a key that is a digest of all that they came from. What can't be read or written is just not cached. */
export const jsonCache = (folder: string) => ({
  read: (key: string): unknown => {
    try {
      return JSON.parse(readFileSync(join(folder, `${key}.json`), 'utf8'))
    } catch {
      // Not there, or torn by a crash: made anew.
      return undefined
    }
  },
  write: (key: string, value: unknown): void => {
    const path = join(folder, `${key}.json`)
    try {
      mkdirSync(folder, { recursive: true })
      writeFileSync(`${path}.${process.pid}`, JSON.stringify(value))
      renameSync(`${path}.${process.pid}`, path)
    } catch {
      // A read-only home, a full disk: the run does not depend on it.
    }
  },
})
