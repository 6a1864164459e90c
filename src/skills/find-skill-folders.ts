import type { Files } from '../core/ports.ts'
import { skillLog } from './diagnose.ts'
import { baseName } from './paths.ts'
import { walkRoot } from './walk-root.ts'

/** Skill folders at or below an absolute path, as they are reached, in order; none where there is no skill. */
export const findSkillFolders = (path: string, files: Files): string[] => {
  const dir = files.realPath(path)
  if (dir === undefined || files.stat(dir)?.kind !== 'dir') return []
  const found = walkRoot(dir, [baseName(path)], [], files, skillLog(path, 'lenient'))
  return [...found].map((folder) => (folder.dir === dir ? path : folder.dir))
}
