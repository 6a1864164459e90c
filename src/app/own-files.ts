import { SkillsEvalError } from '../core/errors.ts'
import type { Workspace } from '../core/ports.ts'
import { type IgnoreRules, isIgnored, readIgnoreRules } from '../distribution/ignore-rules.ts'

/**
 * Whose a file of a project is: of its people (`own`); of a tool that made it, so that nobody keeps it (`made`: what a
 * .gitignore names, `node_modules`); or of version control and the configuration (`kept`).
 */
export type Owner = 'own' | 'made' | 'kept'

/** By its path alone. */
export const isKept = (path: string): boolean => /^(\.agent|\.git)(\/|$)/i.test(path)

/** Folders of so many files, none of them the project's own, that they are not looked through. */
export const isSkipped = (path: string): boolean => isKept(path) || /(^|\/)(node_modules|\.git)(\/|$)/i.test(path)

/** Whose a path of the workspace is, by the .gitignore files as they are when they are first asked. */
export const ownerIn = (workspace: Pick<Workspace, 'stat' | 'read'>): ((path: string) => Owner) => {
  const known = new Map<string, IgnoreRules>()
  const rulesOf = (folder: string): IgnoreRules => {
    const rules = known.get(folder) ?? readRules(folder === '' ? '.gitignore' : `${folder}/.gitignore`, workspace)
    known.set(folder, rules)
    return rules
  }
  const folders = new Map<string, boolean>()
  const isNamed = (path: string, isFolder: boolean): boolean => {
    const parts = path.split('/')
    for (let depth = parts.length - 1; depth >= 0; depth -= 1) {
      const folder = parts.slice(0, depth).join('/')
      const says = isIgnored(rulesOf(folder), parts.slice(depth).join('/'), isFolder)
      if (says !== undefined) return says
    }
    return false
  }
  // What is in a folder that is left out can't be taken in again.
  const isFolderLeftOut = (folder: string): boolean => {
    if (folder === '') return false
    const found = folders.get(folder) ?? (isFolderLeftOut(parentOf(folder)) || isNamed(folder, true))
    folders.set(folder, found)
    return found
  }
  return (path) => {
    if (isKept(path)) return 'kept'
    if (isSkipped(path)) return 'made'
    try {
      return isFolderLeftOut(parentOf(path)) || isNamed(path, false) ? 'made' : 'own'
    } catch (error) {
      // A pattern that takes too long says nothing.
      if (error instanceof SkillsEvalError) return 'own'
      throw error
    }
  }
}

export const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

const maxRulesBytes = 64 * 1024

const readRules = (path: string, workspace: Pick<Workspace, 'stat' | 'read'>): IgnoreRules => {
  try {
    if (workspace.stat(path)?.kind !== 'file') return []
    return readIgnoreRules(new TextDecoder().decode(workspace.read(path, maxRulesBytes).content))
  } catch (error) {
    if (error instanceof SkillsEvalError) return []
    throw error
  }
}
