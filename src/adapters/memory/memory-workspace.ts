import { FileError } from '../../core/errors.ts'
import type { FileEntry, Workspace } from '../../core/ports.ts'
import { relativePath } from '../../core/relative-path.ts'
import { sha256 } from '../../lib/hash.ts'

/** A workspace that never touches the disk. `root()` names a folder that does not exist: nothing can run in it. */
export const memoryWorkspace = (laid: Readonly<Record<string, string | Uint8Array>> = {}): Workspace => {
  const files = new Map<string, Uint8Array>()
  const toBytes = (content: string | Uint8Array) =>
    typeof content === 'string' ? new TextEncoder().encode(content) : content
  for (const [path, content] of Object.entries(laid)) files.set(path, toBytes(content))
  const initial = new Map([...files].map(([path, content]) => [path, sha256(content)]))

  const inside = (written: string): string => {
    const result = relativePath(written)
    if ('problem' in result) throw new FileError('outside_workspace', `${written}: ${result.problem}`)
    return result.path
  }
  const below = (path: string) => (path === '' ? '' : `${path}/`)
  const stat = (written: string): FileEntry | undefined => {
    const path = inside(written)
    const content = files.get(path)
    if (content) return { path, kind: 'file', size: content.length }
    const isDir = path === '' || [...files.keys()].some((key) => key.startsWith(below(path)))
    return isDir ? { path, kind: 'dir', size: 0 } : undefined
  }

  return {
    root: () => '/memory/workspace',
    read: (written, maxBytes) => {
      const content = files.get(inside(written))
      if (!content) throw new FileError('file_missing', `${written} does not exist`)
      return { content: content.subarray(0, maxBytes), bytes: content.length }
    },
    write: (written, content) => {
      const path = inside(written)
      if (path === '' || stat(path)?.kind === 'dir') throw new FileError('not_a_file', `${written} is a folder`)
      files.set(path, toBytes(content))
    },
    remove: (written) => {
      if (!files.delete(inside(written))) throw new FileError('file_missing', `${written} does not exist`)
    },
    stat,
    list: (written) => {
      const path = inside(written)
      if (stat(written)?.kind !== 'dir') throw new FileError('not_a_folder', `${written} is not a folder`)
      const names = new Set<string>()
      for (const key of files.keys())
        if (key.startsWith(below(path))) names.add(key.slice(below(path).length).split('/')[0] ?? '')
      return [...names].sort().flatMap((name) => stat(below(path) + name) ?? [])
    },
    files: (written, limit) => {
      const path = inside(written)
      return [...files.entries()]
        .filter(([key]) => key === path || key.startsWith(below(path)))
        .map(([key, content]): FileEntry => ({ path: key, kind: 'file', size: content.length }))
        .sort((a, b) => (a.path < b.path ? -1 : 1))
        .slice(0, limit)
    },
    initial: () => initial,
    dispose: async () => undefined,
  }
}
