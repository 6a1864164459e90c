import { type Dirent, lstatSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ifThere } from './on-disk.ts'

/** What is in a folder at one moment, by path; no content was read for it. */
export type FolderStamps = {
  /** Regular files with a text that is another once the file was changed, replaced or renamed. */
  readonly files: ReadonlyMap<string, { readonly stamp: string; readonly size: number }>
  readonly folders: ReadonlySet<string>
  readonly links: ReadonlySet<string>
  /** False where there was more than is looked at. */
  readonly isWhole: boolean
}

/** Files and folders below `root`, at most `most`, none of folders that `skips` names; links are not followed. */
export const folderStamps = (
  root: string,
  { skips, most }: { readonly skips: (path: string) => boolean; readonly most: number },
): FolderStamps => {
  const files = new Map<string, { stamp: string; size: number }>()
  const folders = new Set<string>()
  const links = new Set<string>()
  const open = ['']
  const visit = (path: string, entry: Dirent): void => {
    if (entry.isSymbolicLink()) links.add(path)
    if (entry.isDirectory() && !skips(path)) {
      folders.add(path)
      open.push(path)
    }
    const stats = entry.isFile() ? ifThere(() => lstatSync(join(root, path))) : undefined
    if (!stats) return
    const { ino, size, mtimeMs, ctimeMs } = stats
    files.set(path, { stamp: `${ino} ${size} ${mtimeMs} ${ctimeMs}`, size })
  }
  for (let folder = open.shift(); folder !== undefined; folder = open.shift()) {
    const at = folder
    // A folder that nobody may read is none that anything is known of.
    for (const entry of entriesOf(join(root, at))) {
      if (files.size + folders.size >= most) return { files, folders, links, isWhole: false }
      visit(at === '' ? entry.name : `${at}/${entry.name}`, entry)
    }
  }
  return { files, folders, links, isWhole: true }
}

/** When a file was changed or renamed last, in milliseconds since 1970; links are followed. No program can set it back. */
export const changedAt = (root: string, path: string): number | undefined =>
  ifThere(() => statSync(join(root, path)))?.ctimeMs

const entriesOf = (folder: string): readonly Dirent[] => {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
