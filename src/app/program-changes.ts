import { changedAt, type FolderStamps, folderStamps } from '../adapters/files/folder-stamps.ts'
import { SkillsEvalError } from '../core/errors.ts'
import type { Workspace } from '../core/ports.ts'
import { isSkipped, type Owner, parentOf } from './own-files.ts'

/** How a folder is looked at without reading a file. */
export type FolderLook = {
  list(): FolderStamps
  /** When a file was changed last, in milliseconds since 1970. */
  changedAt(path: string): number | undefined
}

/** More files than that are not looked through each time a program runs. */
const mostEntries = 20_000

export const folderLook = (root: string): FolderLook => ({
  list: () => folderStamps(root, { skips: isSkipped, most: mostEntries }),
  changedAt: (path) => changedAt(root, path),
})

/** What a program did to the files of a workspace. */
export type ProgramChanges = {
  readonly made: readonly string[]
  readonly madeFolders: readonly string[]
  /** Folders that were there, and that something was made in. */
  readonly filledFolders: readonly string[]
  /** What it changed or deleted; `content` as it was before, where there is a copy. */
  readonly changed: readonly { readonly path: string; readonly content?: Uint8Array }[]
}

const limits = { fileBytes: 256 * 1024, bytes: 8 * 1024 * 1024, files: 2_000 } as const

// The clock of a disk runs a little behind.
const clockMs = 100

/**
 * Knows what programs that nobody sees into, scripts and tools of others, do to a workspace: each is looked at before
 * and after. Small files are copied before, as what a program has changed can't be had as it was.
 */
export const programChanges = (inner: Workspace, look: FolderLook, ownerOf: (path: string) => Owner) => {
  const copies = new Map<string, { readonly stamp: string; readonly content: Uint8Array }>()
  let first: { readonly at: number } | undefined
  let latest: FolderStamps | undefined

  const copyAll = ({ files }: FolderStamps): void => {
    for (const [path, { stamp }] of copies) if (files.get(path)?.stamp !== stamp) copies.delete(path)
    let bytes = [...copies.values()].reduce((sum, { content }) => sum + content.length, 0)
    const small = [...files].filter(([path, { size }]) => size <= limits.fileBytes && !copies.has(path))
    const [own, others] = [[], []] as [typeof small, typeof small]
    for (const file of small) (ownerOf(file[0]) === 'own' ? own : others).push(file)
    for (const [path, { stamp, size }] of [...own, ...others]) {
      if (copies.size >= limits.files) return
      if (bytes + size > limits.bytes) continue
      const content = readIfCan(inner, path)
      if (content === undefined) continue
      copies.set(path, { stamp, content })
      bytes += content.length
    }
  }

  const isListed = (path: string, { files, links, isWhole }: FolderStamps): boolean => {
    if (files.has(path)) return true
    for (let above = path; above !== ''; above = parentOf(above)) if (links.has(above)) return false
    return isWhole && !isSkipped(path)
  }

  return {
    /** To be called before a program starts; what it gives, once it has ended. */
    watch: (): (() => ProgramChanges) => {
      const startedAt = Date.now()
      const before = look.list()
      first ??= { at: startedAt }
      copyAll(before)
      return () => {
        const after = look.list()
        latest = after
        const isNew = (path: string): boolean =>
          !before.files.has(path) && (before.isWhole || (look.changedAt(path) ?? 0) >= startedAt - clockMs)
        const made = [...after.files.keys()].filter(isNew)
        const parents = new Set(made.map(parentOf))
        return {
          made,
          madeFolders: before.isWhole ? [...after.folders].filter((folder) => !before.folders.has(folder)) : [],
          filledFolders: [...parents].filter((folder) => before.folders.has(folder)),
          changed: [...before.files].flatMap(([path, { stamp }]) => {
            const now = after.files.get(path)
            const isSame =
              now === undefined ? !after.isWhole && look.changedAt(path) !== undefined : now.stamp === stamp
            if (isSame) return []
            const copy = copies.get(path)
            return [copy?.stamp === stamp ? { path, content: copy.content } : { path }]
          }),
        }
      }
    },
    /** Whether a program may have made or changed a file without that having been seen. */
    mayHaveChanged: (path: string): boolean =>
      first !== undefined &&
      !(latest !== undefined && isListed(path, latest)) &&
      (look.changedAt(path) ?? 0) >= first.at - clockMs,
  }
}

const readIfCan = (inner: Workspace, path: string): Uint8Array | undefined => {
  try {
    return Uint8Array.from(inner.read(path, limits.fileBytes).content)
  } catch (error) {
    if (error instanceof SkillsEvalError) return undefined
    throw error
  }
}
