import type { Files } from '../core/ports.ts'
import type { DirEntry } from './find-skill-file.ts'
import { joinPath } from './paths.ts'

export type SkillFile = {
  /** Relative to the skill, forward slashes. */
  readonly path: string
  /** The entry itself is a link (to a file inside the skill). */
  readonly isLink: boolean
}

const limits = { files: 1000, folders: 1000, depth: 16 } as const

/**
 * The files that belong to a skill as an agent may know it, sorted by path: without SKILL.md, `evals/`, version
 * control, dependencies, caches, dot files and a pack's manifest, and without links that lead out of the skill. Linked
 * folders are not entered. `entries` are what the folder holds, if that is known. `complete` is false where a bound
 * (1,000 files, 1,000 folders, 16 levels) ended the walk; `closed` are the folders that may not be looked into.
 */
export const skillFiles = (
  dir: string,
  files: Files,
  entries: readonly DirEntry[] = files.list(dir),
): {
  readonly files: readonly SkillFile[]
  readonly complete: boolean
  readonly closed: readonly string[]
} => {
  const closed: string[] = []
  const found: SkillFile[] = []
  let folders = 0
  let complete = true

  function* walk(folder: string, depth: number): Generator<SkillFile> {
    if (depth > limits.depth || folders === limits.folders) {
      complete = false
      return
    }
    folders += 1
    const inFolder = depth === 0 ? entries : files.list(joinPath(dir, folder))
    if (inFolder.length === 0 && !files.canList(joinPath(dir, folder))) closed.push(folder)
    for (const { name, kind, isLink } of inFolder) {
      const path = folder === '' ? name : `${folder}/${name}`
      if (isOutOfSight(path)) continue
      if (kind === 'dir' && !isLink) yield* walk(path, depth + 1)
      else if (kind === 'file' && (!isLink || leadsInside(dir, path, files))) yield { path, isLink }
    }
  }

  for (const file of walk('', 0)) {
    if (found.length === limits.files) {
      complete = false
      break
    }
    found.push(file)
  }
  return { files: found.sort((a, b) => (a.path < b.path ? -1 : 1)), complete, closed }
}

/** Whether a skill's own path is none of an agent's business; by its text, in any case. */
export const isOutOfSight = (path: string): boolean => {
  const segments = path.toLowerCase().split('/')
  const [top] = segments
  if (segments.length === 1 && (top === 'skill.md' || top === 'manifest.json' || top === 'manifest.sig')) return true
  return top === 'evals' || segments.some((segment) => segment.startsWith('.') || unwanted.has(segment))
}

const unwanted: ReadonlySet<string> = new Set(['node_modules', '__pycache__'])

const leadsInside = (dir: string, path: string, files: Files): boolean => {
  const own = relativeTo(files.realPath(dir), files.realPath(joinPath(dir, path)))
  return own !== undefined && !isOutOfSight(own)
}

/** The part of `path` below `dir`, both absolute with links resolved; undefined where it is not below. */
export const relativeTo = (dir: string | undefined, path: string | undefined): string | undefined => {
  if (dir === undefined || path === undefined) return undefined
  const prefix = joinPath(dir, '')
  return path.startsWith(prefix) && path.length > prefix.length ? path.slice(prefix.length) : undefined
}
