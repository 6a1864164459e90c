import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

/** Looks programs up on a search path, each once. `node` is always there: it is what runs us. */
export const programFinder = (searchPath: string): ((name: string) => string | undefined) => {
  const known = new Map<string, string | undefined>()
  const folders = searchPath.split(delimiter).filter((folder) => isAbsolute(folder))
  return (name) => {
    if (!known.has(name)) known.set(name, lookUp(name, folders))
    return known.get(name)
  }
}

const lookUp = (name: string, folders: readonly string[]): string | undefined => {
  if (isAbsolute(name)) return isExecutable(name) ? name : undefined
  const found = folders.map((folder) => join(folder, name)).find(isExecutable)
  return found ?? (name === 'node' ? process.execPath : undefined)
}

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    // Not there, not ours to run, or no name that a file can have.
    return false
  }
}
