import type { Files } from '../core/ports.ts'
import type { SkillLog } from './diagnose.ts'
import { isInside } from './paths.ts'

export type DirEntry = ReturnType<Files['list']>[number]

/**
 * The SKILL.md among a folder's entries; `skill.md` where there is none in capitals. `misnamed` is one in another
 * case, which no client reads.
 */
export const findSkillFile = (
  entries: readonly DirEntry[],
): { readonly entry: DirEntry | undefined; readonly misnamed: string | undefined } => {
  let lower: DirEntry | undefined
  let misnamed: string | undefined
  for (const entry of entries) {
    if (entry.name === 'SKILL.md') return { entry, misnamed: undefined }
    if (entry.name === 'skill.md') lower = entry
    else if (entry.name.length === 8 && entry.name.toLowerCase() === 'skill.md') misnamed ??= entry.name
  }
  return { entry: lower, misnamed: lower === undefined ? misnamed : undefined }
}

/**
 * Whether an entry may be opened as a SKILL.md: a regular file, not by a link that leaves `root`; else the log says
 * why.
 */
export const isPlainFile = (file: string, entry: DirEntry, root: string, files: Files, log: SkillLog): boolean => {
  if (entry.name !== 'SKILL.md') log.report('file-name', `the file is called ${entry.name}`, { file })
  if (entry.isLink && !isInside(root, files.realPath(file) ?? '')) {
    log.report('link-outside', `${entry.name} is a link that leads out of ${root}`, { file })
    return false
  }
  if (entry.kind === 'file') return true
  log.report('not-a-file', `${entry.name} is ${entry.kind === 'dir' ? 'a folder' : 'not a regular file'}`, { file })
  return false
}
