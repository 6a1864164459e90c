import { realpathSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import { programFinder } from '../process/find-program.ts'
import { contains } from './paths.ts'

/**
 * Looks up the programs that isolate and limit: never below one of these folders, where a script or a project could
 * have put one of that name.
 */
export const trustedProgram = (name: string, searchPath: string, avoided: readonly string[]): string | undefined => {
  const folders = [...new Set([...searchPath.split(delimiter), '/usr/bin', '/bin'])].filter(isAbsolute)
  for (const folder of folders) {
    const found = programFinder(folder)(join(folder, name))
    if (found === undefined) continue
    const real = realpathSync(found)
    if (!avoided.some((place) => contains(place, found) || contains(place, real))) return real
  }
  return undefined
}
