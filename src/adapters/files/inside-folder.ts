import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { FileError } from '../../core/errors.ts'
import type { FileEntry, FileKind } from '../../core/ports.ts'
import { relativePath } from '../../core/relative-path.ts'
import { ifThere, isSystemError, onDisk } from './on-disk.ts'

/** The normalised text of a path that a stranger wrote; throws a FileError for one that could not be inside a folder. */
export const insidePath = (path: string): string => {
  const result = relativePath(path)
  return 'problem' in result ? refuse(path, result.problem) : result.path
}

/** Reads at most `maxBytes` of a regular file below `root`, which is absolute with links resolved (here and below). */
export const readInside = (root: string, path: string, maxBytes: number) => {
  const target = placeInside(root, path)
  return onDisk(path, () => {
    const stats = statSync(target)
    if (!stats.isFile()) throw new FileError('not_a_file', `${path} is ${whatIs(stats)}, not a file`)
    const file = openSync(realpathSync(target), constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW)
    try {
      const { size } = fstatSync(file)
      const content = Buffer.alloc(Math.min(size, maxBytes))
      const bytes = readSync(file, content, 0, content.length, 0)
      return { content: content.subarray(0, bytes), bytes: size }
    } finally {
      closeSync(file)
    }
  })
}

/** Puts a file below `root`, whole or not at all; makes missing folders. A link is refused, wherever it leads. */
export const writeInside = (root: string, path: string, content: string | Uint8Array): void => {
  const target = placeInside(root, path)
  const stats = linkStats(target)
  if (stats?.isSymbolicLink()) refuse(path, 'it is a link')
  if (stats && !stats.isFile()) throw new FileError('not_a_file', `${path} is ${whatIs(stats)}, not a file`)
  onDisk(path, () => replaceFile(target, content, path), 'written')
}

const replaceFile = (target: string, content: string | Uint8Array, path: string): void => {
  const folder = dirname(target)
  makeFolders(folder, path)
  const temporary = join(folder, `.${process.pid}-${Math.trunc(performance.now() * 1000)}.tmp`)
  try {
    writeFileSync(temporary, content, { flag: 'wx' })
    renameSync(temporary, target)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

const makeFolders = (folder: string, path: string): void => {
  try {
    mkdirSync(folder, { recursive: true })
  } catch (cause) {
    const isInTheWay = isSystemError(cause) && (cause.code === 'EEXIST' || cause.code === 'ENOTDIR')
    if (!isInTheWay) throw cause
    throw new FileError('not_a_folder', `${path}: a part of it is a file, not a folder`, { cause })
  }
}

/** Deletes a file below `root`; a link is deleted itself, wherever it leads. */
export const removeInside = (root: string, path: string): void => {
  const written = insidePath(path)
  // Only where the entry lies must be inside: what it leads to is not touched.
  const target = join(placeInside(root, dirname(written) || '.'), written.slice(written.lastIndexOf('/') + 1))
  const stats = linkStats(target) ?? missing(path)
  if (stats.isDirectory()) throw new FileError('not_a_file', `${path} is a folder, not a file`)
  onDisk(path, () => unlinkSync(target), 'written')
}

export const statInside = (root: string, path: string): FileEntry | undefined => {
  const target = placeInside(root, path)
  const stats = ifThere(() => statSync(target, { throwIfNoEntry: false }))
  return stats && entryOf(insidePath(path), stats)
}

export const listInside = (root: string, path: string): FileEntry[] => {
  const target = placeInside(root, path)
  return onDisk(path, () => {
    const stats = statSync(target)
    if (!stats.isDirectory()) throw new FileError('not_a_folder', `${path} is ${whatIs(stats)}, not a folder`)
    const base = insidePath(path)
    return readdirSync(target)
      .sort()
      .flatMap((name) => {
        const stats = lstatSync(join(target, name), { throwIfNoEntry: false })
        return stats ? [entryOf(base === '' ? name : `${base}/${name}`, stats)] : []
      })
  })
}

/** The regular files below a path of `root`, sorted by path, at most `limit`; links are not followed. */
export const filesInside = (root: string, path: string, limit: number): FileEntry[] => {
  const start = placeInside(root, path)
  const found: FileEntry[] = []
  const visit = (at: string): void => {
    const place = join(root, at)
    const stats = lstatSync(place, { throwIfNoEntry: false })
    if (stats?.isFile()) found.push(entryOf(at, stats))
    if (!stats?.isDirectory()) return
    // A folder sorts as what is in it: `a.txt` comes before `a/b`.
    const names = readdirSync(place, { withFileTypes: true }).map((entry) => ({
      name: entry.name,
      key: entry.isDirectory() ? `${entry.name}/` : entry.name,
    }))
    for (const { name } of names.sort((a, b) => (a.key < b.key ? -1 : 1))) {
      if (found.length >= limit) return
      visit(at === '' ? name : `${at}/${name}`)
    }
  }
  if (limit > 0 && linkStats(start)) onDisk(path, () => visit(insidePath(path)))
  return found
}

/** The absolute place of a path: whatever of it exists lies inside `root` once links are followed. */
const placeInside = (root: string, path: string): string => {
  const target = join(root, insidePath(path))
  let existing = target
  while (existing !== root && linkStats(existing) === undefined) existing = dirname(existing)
  const real = ifThere(() => realpathSync(existing)) ?? refuse(path, 'a link in it leads nowhere')
  if (real !== root && !real.startsWith(root + sep)) refuse(path, 'a link in it leads outside the workspace')
  return target
}

const linkStats = (path: string): Stats | undefined => ifThere(() => lstatSync(path, { throwIfNoEntry: false }))

const entryOf = (path: string, stats: Stats): FileEntry => {
  const kind: FileKind = stats.isFile() ? 'file' : stats.isDirectory() ? 'dir' : 'other'
  return { path, kind, size: kind === 'file' ? stats.size : 0 }
}

const whatIs = (stats: Stats): string =>
  stats.isDirectory() ? 'a folder' : stats.isFile() ? 'a file' : 'a special file (a pipe, a device or a socket)'

const refuse = (path: string, problem: string): never => {
  throw new FileError('outside_workspace', `${path}: ${problem}`)
}

const missing = (path: string): never => {
  throw new FileError('file_missing', `${path} does not exist`)
}
