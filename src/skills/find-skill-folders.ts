import type { Files } from '../core/ports.ts'
import { skillLog } from './diagnose.ts'
import { baseName, dirName } from './paths.ts'
import { walkRoot } from './walk-root.ts'

/**
 * Skill folders at or below an absolute path, as they are reached, in order; none where there is no skill. Then the
 * folders that can't be looked into: each may be one.
 */
export const findSkillFolders = (path: string, files: Files): string[] => {
  const dir = files.realPath(path)
  if (dir === undefined || files.stat(dir)?.kind !== 'dir') return []
  const log = skillLog(path, 'lenient')
  const found = [...walkRoot(dir, [baseName(path)], [], files, log)].map((folder) => folder.dir)
  const closed = log.diagnostics.filter(({ code }) => code === 'skill/folder-unreadable').map(({ file }) => file)
  return [...found, ...closed].map((folder) => (folder === dir ? path : folder))
}

/** Folders whose SKILL.md has its name in another case, so that nobody reads it. */
export const findMisnamedFolders = (path: string, files: Files): string[] => {
  const dir = files.realPath(path)
  if (dir === undefined || files.stat(dir)?.kind !== 'dir') return []
  const log = skillLog(path, 'lenient')
  for (const _ of walkRoot(dir, [baseName(path)], [], files, log));
  return log.diagnostics.filter(({ code }) => code === 'skill/file-missing').map(({ file }) => dirName(file))
}
