import { mkdirSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { Workspace } from '../../core/ports.ts'
import { sha256 } from '../../lib/hash.ts'
import type { Fixture } from '../../schema/suite.ts'
import {
  filesInside,
  insidePath,
  listInside,
  readInside,
  removeInside,
  statInside,
  writeInside,
} from './inside-folder.ts'
import { layFixtures } from './lay-fixtures.ts'
import { removeTree } from './remove-tree.ts'

/**
 * A case's own folder at `folder` (absolute, must not exist yet), made and filled with `files` when something first
 * needs it: most mocked cases never do. Sources in `files` are absolute paths of files or folders.
 */
export const diskWorkspace = (folder: string, files: Readonly<Record<string, Fixture>> = {}): Workspace => {
  let isMade = false
  let root: string | undefined
  let laid: ReadonlyMap<string, string> | undefined

  const open = (): string => {
    if (root !== undefined) return root
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    isMade = true
    const real = realpathSync(folder)
    layFixtures(real, files)
    root = real
    return root
  }
  const initial = () => {
    laid ??= digests(open())
    return laid
  }
  /** Everything that may change a file asks for the place here: what was laid is noted before. */
  const openToChange = (): string => {
    initial()
    return open()
  }
  const isUntouched = () => root === undefined && Object.keys(files).length === 0

  return {
    root: openToChange,
    initial: () => (isUntouched() ? new Map() : initial()),
    read: (path, maxBytes) => readInside(open(), path, maxBytes),
    write: (path, content) => writeInside(openToChange(), path, content),
    remove: (path) => removeInside(openToChange(), path),
    stat: (path) => {
      if (isUntouched()) return insidePath(path) === '' ? { path: '', kind: 'dir', size: 0 } : undefined
      return statInside(open(), path)
    },
    list: (path) => (isUntouched() && insidePath(path) === '' ? [] : listInside(open(), path)),
    files: (path, limit) => {
      if (!isUntouched()) return filesInside(open(), path, limit)
      insidePath(path)
      return []
    },
    dispose: async () => {
      if (isMade) removeTree(folder)
      isMade = false
      root = undefined
    },
  }
}

const digests = (root: string): Map<string, string> =>
  new Map(
    filesInside(root, '.', Number.POSITIVE_INFINITY).map((f) => [f.path, sha256(readFileSync(join(root, f.path)))]),
  )
