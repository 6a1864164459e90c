import { join } from 'node:path'
import { readTree } from '../adapters/files/read-tree.ts'
import { type IgnoreRules, isIgnored, readIgnoreRules } from '../distribution/ignore-rules.ts'
import { treeLimits } from '../distribution/limits.ts'
import type { PackTree } from '../distribution/manifest.ts'
import { leftOutBecause } from '../distribution/shipping.ts'
import type { Host } from './host.ts'

export type LeftOut = { readonly path: string; readonly why: string }

export type GatheredSkill = PackTree & {
  readonly leftOut: readonly LeftOut[]
  /** What can't ship, and why. */
  readonly others: readonly { readonly path: string; readonly what: string }[]
}

/**
 * What of a skill's folder ships: not what belongs to version control or tools, and not what a .gitignore or
 * .skillignore in the skill names. The same folder gives the same on every machine.
 */
export const gatherSkill = (dir: string, host: Pick<Host, 'files'>): GatheredSkill => {
  const leftOut: LeftOut[] = []
  const ignored = ignoredIn(dir, host)
  const found = readTree(dir, treeLimits, (path, isFolder) => {
    const why = leftOutBecause(path.slice(path.lastIndexOf('/') + 1), isFolder) ?? ignored(path, isFolder)
    if (why !== undefined) leftOut.push({ path: isFolder ? `${path}/` : path, why })
    return why !== undefined
  })
  return { ...found, leftOut }
}

/** The ignore files of every folder on the way, the nearest first; in one folder .skillignore has the last word. */
const ignoredIn = (dir: string, { files }: Pick<Host, 'files'>) => {
  const known = new Map<string, IgnoreRules>()
  const rulesOf = (folder: string): IgnoreRules => {
    const rules = known.get(folder) ?? ['.gitignore', '.skillignore'].flatMap((name) => read(join(dir, folder, name)))
    known.set(folder, rules)
    return rules
  }
  const read = (path: string): IgnoreRules =>
    files.stat(path)?.kind === 'file' ? readIgnoreRules(files.readHead(path, 64 * 1024).text) : []
  return (path: string, isFolder: boolean): string | undefined => {
    const parts = path.split('/')
    for (let depth = parts.length - 1; depth >= 0; depth -= 1) {
      const folder = parts.slice(0, depth).join('/')
      const says = isIgnored(rulesOf(folder), parts.slice(depth).join('/'), isFolder)
      if (says !== undefined) return says ? 'named in an ignore file' : undefined
    }
    return undefined
  }
}
