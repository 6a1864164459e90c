import type { Files } from '../core/ports.ts'
import type { SkillLog } from './diagnose.ts'
import { type DirEntry, findSkillFile, isPlainFile } from './find-skill-file.ts'
import { baseName, dirName, joinPath } from './paths.ts'

export type LocatedSkill = {
  /** As it was given, and absolute with links resolved. */
  readonly dir: string
  readonly realDir: string
  /** The folder's name. */
  readonly folder: string
  /** Its SKILL.md, below `dir`. */
  readonly file: string
  /** What the folder holds. */
  readonly entries: readonly DirEntry[]
}

/** The SKILL.md that a path means, itself or its folder; undefined where there is none and the log says why. */
export const locateSkill = (path: string, files: Files, log: SkillLog): LocatedSkill | undefined => {
  const dir = folderOf(path, files, log)
  const realDir = dir && files.realPath(dir)
  if (dir === undefined || realDir === undefined) return undefined
  const entries = files.list(dir)
  const { entry, misnamed } = findSkillFile(entries)
  if (entry === undefined) {
    if (entries.length === 0 && !files.canList(dir)) {
      const hint = 'Check the permissions of the folder.'
      log.report('file-unreadable', `the folder ${dir} can't be looked into: permission denied`, { hint })
      return undefined
    }
    const message = misnamed === undefined ? 'SKILL.md is missing' : `SKILL.md is missing: ${misnamed} is not read`
    log.report('file-missing', message, { hint: misnamed === undefined ? undefined : 'Rename it to SKILL.md.' })
    return undefined
  }
  const file = joinPath(dir, entry.name)
  if (!isPlainFile(file, entry, realDir, files, log)) return undefined
  const own = baseName(dir)
  return { dir, realDir, folder: /^\.{0,2}$/.test(own) ? baseName(realDir) : own, file, entries }
}

const folderOf = (path: string, files: Files, log: SkillLog): string | undefined => {
  // Asked first, as it also answers for links that lead round in circles.
  const kind = files.realPath(path) === undefined ? undefined : files.stat(path)?.kind
  if (kind === 'dir') return path
  if (kind !== undefined && /^skill\.md$/i.test(baseName(path))) return dirName(path)
  if (kind === undefined) log.report('path-missing', `${path} does not exist`)
  else log.report('not-a-folder', `${path} is not a directory`)
  return undefined
}
