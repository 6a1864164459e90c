import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { glob } from 'tinyglobby'
import { ifThere } from './on-disk.ts'

export const suiteFilePatterns = ['**/*.eval.yaml', '**/*.eval.yml'] as const

/**
 * Suite files for the given paths, absolute, each once: in the order of the paths, those of a folder sorted. A path that
 * does not exist is in `missing`.
 */
export const findSuites = async (
  paths: readonly string[],
  cwd: string,
): Promise<{ readonly files: readonly string[]; readonly missing: readonly string[] }> => {
  const files = new Set<string>()
  const missing: string[] = []
  for (const path of paths) {
    const absolute = resolve(cwd, path)
    const stats = ifThere(() => statSync(absolute, { throwIfNoEntry: false }))
    if (!stats) missing.push(path)
    else if (!stats.isDirectory()) files.add(absolute)
    else for (const file of await suitesBelow(absolute)) files.add(file)
  }
  return { files: [...files], missing }
}

const suitesBelow = async (folder: string): Promise<string[]> => {
  const found = await glob([...suiteFilePatterns], {
    cwd: folder,
    absolute: true,
    // Skills often live in a dot folder of a project, and their suites with them.
    dot: true,
    followSymbolicLinks: false,
    ignore: ['**/node_modules/**', '**/.git/**'],
  })
  return found.sort()
}
