import { realpathSync } from 'node:fs'
import type { Workspace } from '../../core/ports.ts'
import { filesInside, listInside, readInside, removeInside, statInside, writeInside } from './inside-folder.ts'
import { ifThere, onDisk } from './on-disk.ts'
import { refuseProtected } from './protected-places.ts'

/**
 * A folder that is somebody's own, as a workspace: it is there, nothing is laid into it, and it is not removed. Nothing
 * is changed in `.agent`, `.git` and the like, nor in `places`: absolute files and folders, which need not exist.
 */
export const folderWorkspace = (folder: string, places: readonly string[] = []): Workspace => {
  const root = onDisk(folder, () => realpathSync(folder))
  // A link is fenced itself, and so is where it leads.
  const fenced = places.flatMap((place) => [place, ifThere(() => realpathSync(place)) ?? place])
  return {
    root: () => root,
    initial: () => new Map(),
    read: (path, maxBytes) => readInside(root, path, maxBytes),
    write: (path, content) => {
      refuseProtected(root, path, fenced)
      writeInside(root, path, content)
    },
    remove: (path) => {
      refuseProtected(root, path, fenced)
      removeInside(root, path)
    },
    stat: (path) => statInside(root, path),
    list: (path) => listInside(root, path),
    files: (path, limit) => filesInside(root, path, limit),
    dispose: async () => undefined,
  }
}
