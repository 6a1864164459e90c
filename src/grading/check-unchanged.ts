import { FileError } from '../core/errors.ts'
import type { FileEntry, Workspace } from '../core/ports.ts'
import { sha256 } from '../lib/hash.ts'
import { type FileTarget, filesBelow } from './find-files.ts'
import { GraderError } from './grader-error.ts'

/** The largest file whose content is compared. */
const maxBytes = 512 * 1024 * 1024
const maxListed = 20

/** What was added, removed or changed since the workspace was laid out, one a line, sorted by path. */
export const changesOf = ({ found, covers }: FileTarget, workspace: Workspace): string[] => {
  const before = new Map([...workspace.initial()].filter(([path]) => covers(path)))
  const now = found.flatMap((entry) => (entry.kind === 'dir' ? filesBelow(entry.path || '.', workspace) : [entry]))
  const changes = now.flatMap((entry) => changeOf(entry, before.get(entry.path), workspace))
  const present = new Set(now.map((entry) => entry.path))
  const removed = [...before.keys()].filter((path) => !present.has(path)).map((path) => ({ path, what: 'was removed' }))
  const all = [...changes, ...removed]
    .sort((a, b) => (a.path < b.path ? -1 : 1))
    .map(({ path, what }) => `${path} ${what}`)
  return all.length > maxListed ? [...all.slice(0, maxListed), `… ${all.length - maxListed} more`] : all
}

type Change = { readonly path: string; readonly what: string }

const changeOf = ({ path, kind, size }: FileEntry, before: string | undefined, workspace: Workspace): Change[] => {
  if (before === undefined) return [{ path, what: 'was added' }]
  if (kind !== 'file') return [{ path, what: 'is no regular file any more' }]
  if (size > maxBytes) throw new GraderError(`${path} is too large to compare (${size} bytes)`)
  try {
    return sha256(workspace.read(path, size).content) === before ? [] : [{ path, what: 'was changed' }]
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    return [{ path, what: `can't be read: ${error.message}` }]
  }
}
