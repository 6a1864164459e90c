import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import type { Mount } from './mount.ts'

/** What other programs obey without being asked, so it is kept from a script even where it is not there yet. */
const guardedFolders = ['.agent', '.agents', '.claude', '.git'] as const
/** The same for programs that fewer people have: read-only where it is there. */
const guardedIfThere = ['.codex', '.cursor', '.envrc', '.husky', '.idea', '.mcp.json', '.vscode'] as const

/** How these entries of a workspace are shown to a script: nothing can be planted in them. */
export const guardedEntries = (workspace: string): Mount[] => [
  ...guardedFolders.map((name): Mount => {
    const path = join(workspace, name)
    const stats = lstatSync(path, { throwIfNoEntry: false })
    // A repository may be read; all of it is read-only, since config and hooks can be reached by more names than theirs.
    const isShown = stats !== undefined && (name === '.git' || !stats.isDirectory())
    return { kind: isShown ? 'read' : 'empty', path }
  }),
  ...guardedIfThere
    .map((name) => join(workspace, name))
    .filter((path) => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === false)
    .map((path): Mount => ({ kind: 'read', path })),
]

/** The guarded folders that are not there: mounting something on them makes them. */
export const absentGuarded = (workspace: string): string[] =>
  guardedFolders.map((name) => join(workspace, name)).filter((path) => !lstatSync(path, { throwIfNoEntry: false }))

/** A link could be removed and another thing put in its place: nothing can be mounted on it. */
export const guardedLink = (workspace: string): string | undefined =>
  guardedFolders.find((name) => lstatSync(join(workspace, name), { throwIfNoEntry: false })?.isSymbolicLink())
