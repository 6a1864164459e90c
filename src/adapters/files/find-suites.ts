import { readdir, type Stats, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { glob } from 'tinyglobby'
import { FileError } from '../../core/errors.ts'
import { ifThere, isRefused } from './on-disk.ts'

export const suiteFilePatterns = ['**/*.eval.yaml', '**/*.eval.yml'] as const

/**
 * Suite files for the given paths, absolute, each once: in the order of the paths, those of a folder sorted. A path that
 * does not exist is in `missing`. Throws a FileError for a folder that can't be looked into: a run without its suites
 * would be green.
 */
export const findSuites = async (
  paths: readonly string[],
  cwd: string,
): Promise<{ readonly files: readonly string[]; readonly missing: readonly string[] }> => {
  const files = new Set<string>()
  const missing: string[] = []
  for (const path of paths) {
    const absolute = resolve(cwd, path)
    const stats = lookAt(absolute)
    if (!stats) missing.push(path)
    else if (!stats.isDirectory()) files.add(absolute)
    else for (const file of await suitesBelow(absolute)) files.add(file)
  }
  return { files: [...files], missing }
}

const lookAt = (path: string): Stats | undefined =>
  ifThere(() => {
    try {
      return statSync(path, { throwIfNoEntry: false })
    } catch (error) {
      throw isRefused(error) ? unreadable(path, error.code) : error
    }
  })

const suitesBelow = async (folder: string): Promise<string[]> => {
  const refused: { readonly path: string; readonly code: string }[] = []
  const found = await glob([...suiteFilePatterns], {
    cwd: folder,
    absolute: true,
    // Skills often live in a dot folder of a project, and their suites with them.
    dot: true,
    followSymbolicLinks: false,
    ignore: ['**/node_modules/**', '**/.git/**'],
    fs: { readdir: noting(refused) },
  })
  const [first] = refused.sort((a, b) => (a.path < b.path ? -1 : 1))
  if (first !== undefined) throw unreadable(first.path, first.code)
  return found.sort()
}

/** Reads folders as `node:fs` does, and notes those that it may not read: the search passes over them in silence. */
const noting = (refused: { readonly path: string; readonly code: string }[]): typeof readdir => {
  const read = (path: string, options: { withFileTypes: true }, done: Parameters<typeof readdir>[2]): void =>
    readdir(path, options, (error, entries) => {
      if (isRefused(error)) refused.push({ path: path.replace(/[/\\]$/, ''), code: error.code })
      ;(done as unknown as (error: unknown, entries: unknown) => void)(error, entries)
    })
  return read as unknown as typeof readdir
}

const unreadable = (path: string, code: string): FileError =>
  new FileError('file_unreadable', `${path} can't be searched for suites: permission denied (${code})`, {
    hint: 'Allow reading it, or give paths that leave it out.',
  })
