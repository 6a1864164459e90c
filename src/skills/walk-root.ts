import type { Files } from '../core/ports.ts'
import { visibleLine } from '../lib/visible.ts'
import type { SkillLog } from './diagnose.ts'
import { type DirEntry, findSkillFile } from './find-skill-file.ts'
import { baseName, isInside, joinPath } from './paths.ts'

export type SkillFolder = {
  /** Absolute, links resolved. */
  readonly dir: string
  /** The names under which it was reached: its entry in the root, and its own where a link led to it. */
  readonly folders: readonly string[]
  /** The entry that is its SKILL.md. */
  readonly entry: DirEntry
  /** What it holds. */
  readonly entries: readonly DirEntry[]
}

const maxDepth = 5
const maxNestedFolders = 2000
const skipped: ReadonlySet<string> = new Set(['.git', 'node_modules'])

/**
 * Finds the skill folders below a root (absolute, links resolved), or the root itself where it is one, in the order of
 * their paths. Looks five levels deep and into 2,000 folders below the direct ones, does not descend into a skill, and
 * follows no link that leaves the root; what is not looked at is reported. `elsewhere` are the other roots: what a
 * link reaches there is found there. `names` are what the root's own folder is called.
 */
export function* walkRoot(
  root: string,
  names: readonly string[],
  elsewhere: readonly string[],
  files: Files,
  log: SkillLog,
): Generator<SkillFolder> {
  const visited = new Set<string>()
  let nested = 0
  let tooDeep = false
  let tooMany = false

  function* walk(dir: string, folders: readonly string[], depth: number): Generator<SkillFolder> {
    if (visited.has(dir)) return
    visited.add(dir)
    if (depth > 1) nested += 1
    const entries = files.list(dir)
    if (!canBeListed(dir, entries, files, log)) return
    const { entry, misnamed } = findSkillFile(entries)
    if (entry !== undefined) return yield { dir, folders, entry, entries }
    if (misnamed !== undefined) {
      log.report('file-missing', `${misnamed} is not read: the file must be called SKILL.md`, {
        file: joinPath(dir, misnamed),
        hint: 'Rename it to SKILL.md.',
      })
      return
    }
    for (const child of entries) {
      if (child.kind !== 'dir' || skipped.has(child.name)) continue
      if (depth === maxDepth) tooDeep = true
      else if (depth > 0 && nested >= maxNestedFolders) tooMany = true
      else yield* enter(dir, child, depth + 1)
    }
  }

  function* enter(dir: string, child: DirEntry, depth: number): Generator<SkillFolder> {
    const path = joinPath(dir, child.name)
    if (!child.isLink) return yield* walk(path, [child.name], depth)
    const real = files.realPath(path)
    if (real === undefined) return
    if (isInside(root, real)) return yield* walk(real, [child.name, baseName(real)], depth)
    if (elsewhere.some((other) => isInside(other, real))) return
    log.report('link-outside', `${visibleLine(child.name)} is a link that leaves the root, and is not followed`, {
      file: path,
    })
  }

  yield* walk(root, names, 0)
  if (tooDeep) log.report('not-checked', `folders more than ${maxDepth} levels below the root were not looked at`)
  if (tooMany) log.report('not-checked', `only ${maxNestedFolders.toLocaleString('en')} nested folders were looked at`)
}

/** Whether what is listed of a folder is what it holds; reports the folder where it is not. */
export const canBeListed = (dir: string, entries: readonly DirEntry[], files: Files, log: SkillLog): boolean => {
  if (entries.length > 0 || files.canList(dir)) return true
  log.report('folder-unreadable', `the folder ${visibleLine(dir)} can't be looked into: permission denied`, {
    file: dir,
  })
  return false
}
