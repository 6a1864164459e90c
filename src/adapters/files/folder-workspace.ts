import { realpathSync } from 'node:fs'
import type { Workspace } from '../../core/ports.ts'
import { filesInside, listInside, readInside, removeInside, statInside, writeInside } from './inside-folder.ts'
import { onDisk } from './on-disk.ts'

/** A folder that is somebody's own, as a workspace: it is there, nothing is laid into it, and it is not removed. */
export const folderWorkspace = (folder: string): Workspace => {
  const root = onDisk(folder, () => realpathSync(folder))
  return {
    root: () => root,
    initial: () => new Map(),
    read: (path, maxBytes) => readInside(root, path, maxBytes),
    write: (path, content) => writeInside(root, path, content),
    remove: (path) => removeInside(root, path),
    stat: (path) => statInside(root, path),
    list: (path) => listInside(root, path),
    files: (path, limit) => filesInside(root, path, limit),
    dispose: async () => undefined,
  }
}
