import { FileError } from '../core/errors.ts'
import type { FileEntry, Workspace } from '../core/ports.ts'
import { relativePath } from '../core/relative-path.ts'
import { isGlob, matchesGlob, unescapeGlob } from '../lib/glob.ts'
import { GraderError } from './grader-error.ts'

const maxFiles = 50_000

/** What a path of `expected.files` stands for in a workspace. */
export type FileTarget = {
  /** The file or folder, or all files that match the glob. */
  readonly found: readonly FileEntry[]
  /** Why what is there can't be looked at, in words: a link that leads out of the workspace. */
  readonly problem?: string
  readonly isGlob: boolean
  /** Whether a file, there or not, is one that is meant: it matches the glob, or is the file, or below the folder. */
  readonly covers: (path: string) => boolean
}

/** Throws a GraderError for a path that no workspace can have, and for too many files. */
export const findFiles = (written: string, workspace: Workspace): FileTarget => {
  const isPattern = isGlob(written) && unescapeGlob(written) !== written
  // No file has a pattern with backslashes for a name.
  const normal = relativePath(isPattern ? written.replaceAll(/\\[\\*?[\]{}]/g, 'x') : unescapeGlob(written))
  if ('problem' in normal) throw new GraderError(`expected.files: ${written}: ${normal.problem}`)
  if (isPattern) return matching(written.replace(/^(\.\/)+/, ''), workspace)
  const { path } = normal
  const covers = (other: string): boolean => path === '' || other === path || other.startsWith(`${path}/`)
  try {
    const entry = workspace.stat(path === '' ? '.' : path)
    if (entry !== undefined) return { found: [entry], isGlob: false, covers }
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    return { found: [], problem: error.message, isGlob: false, covers }
  }
  return isGlob(written) ? matching(path, workspace) : { found: [], isGlob: false, covers }
}

const matching = (pattern: string, workspace: Workspace): FileTarget => {
  const matches = (other: string): boolean => matchesGlob(pattern, other)
  return { found: filesBelow('.', workspace).filter((file) => matches(file.path)), isGlob: true, covers: matches }
}

/** All files below a folder. */
export const filesBelow = (folder: string, workspace: Workspace): readonly FileEntry[] => {
  const files = workspace.files(folder, maxFiles + 1)
  if (files.length > maxFiles) throw new GraderError(`the workspace has more than ${maxFiles} files`)
  return files
}
