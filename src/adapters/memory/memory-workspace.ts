import { FileError } from '../../core/errors.ts'
import type { FileEntry, Workspace } from '../../core/ports.ts'
import { relativePath } from '../../core/relative-path.ts'
import { sha256 } from '../../lib/hash.ts'

/** A workspace that never touches the disk. `root()` names a folder that does not exist: nothing can run in it. */
export const memoryWorkspace = (laid: Readonly<Record<string, string | Uint8Array>> = {}): Workspace => {
  const files = new Map<string, Uint8Array>()
  const folders = new Set<string>([''])

  const inside = (written: string): string => {
    const result = relativePath(written)
    if ('problem' in result) throw new FileError('outside_workspace', `${written}: ${result.problem}`)
    return result.path
  }
  const kindOf = (path: string): 'file' | 'dir' | undefined =>
    files.has(path) ? 'file' : folders.has(path) ? 'dir' : undefined

  const fileAt = (written: string): { readonly path: string; readonly content: Uint8Array } => {
    const path = inside(written)
    if (folders.has(path)) throw new FileError('not_a_file', `${written} is a folder, not a file`)
    const content = files.get(path)
    if (!content) throw new FileError('file_missing', `${written} does not exist`)
    return { path, content }
  }
  const write = (written: string, content: string | Uint8Array): void => {
    const path = inside(written)
    if (folders.has(path)) throw new FileError('not_a_file', `${written} is a folder, not a file`)
    const above = foldersAbove(path)
    if (above.some((folder) => files.has(folder))) {
      throw new FileError('not_a_folder', `${written}: a part of it is a file, not a folder`)
    }
    for (const folder of above) folders.add(folder)
    files.set(path, typeof content === 'string' ? new TextEncoder().encode(content) : content.slice())
  }
  const entry = (path: string): FileEntry | undefined => {
    const kind = kindOf(path)
    return kind && { path, kind, size: files.get(path)?.length ?? 0 }
  }

  for (const [path, content] of Object.entries(laid)) write(path, content)
  const initial = new Map([...files].sort(byPath).map(([path, content]) => [path, sha256(content)]))

  return {
    root: () => '/memory/workspace',
    read: (written, maxBytes) => {
      const { content } = fileAt(written)
      return { content: content.slice(0, maxBytes), bytes: content.length }
    },
    write,
    remove: (written) => void files.delete(fileAt(written).path),
    stat: (written) => entry(inside(written)),
    list: (written) => {
      const path = inside(written)
      const kind = kindOf(path)
      if (kind === undefined) throw new FileError('file_missing', `${written} does not exist`)
      if (kind === 'file') throw new FileError('not_a_folder', `${written} is a file, not a folder`)
      return [...files.keys(), ...folders]
        .filter((other) => other !== '' && parentOf(other) === path)
        .sort()
        .flatMap((other) => entry(other) ?? [])
    },
    files: (written, limit) => {
      const path = inside(written)
      const isBelow = (other: string) => path === '' || other === path || other.startsWith(`${path}/`)
      return [...files]
        .filter(([other]) => isBelow(other))
        .sort(byPath)
        .slice(0, limit)
        .map(([other, content]): FileEntry => ({ path: other, kind: 'file', size: content.length }))
    },
    initial: () => initial,
    dispose: async () => undefined,
  }
}

const byPath = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1)

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

/** `a/b/c` → `a`, `a/b`. */
const foldersAbove = (path: string): string[] =>
  path
    .split('/')
    .slice(0, -1)
    .map((_, i, parts) => parts.slice(0, i + 1).join('/'))
