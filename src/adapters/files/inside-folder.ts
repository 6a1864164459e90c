import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  type Stats,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { FileError } from '../../core/errors.ts'
import type { FileEntry, FileKind } from '../../core/ports.ts'
import { relativePath } from '../../core/relative-path.ts'
import { type Held, holdInside, openHeld, refuse } from './hold-inside.ts'
import { ifThere, isSystemError, onDisk } from './on-disk.ts'

/** The normalised text of a path that a stranger wrote; throws a FileError for one that could not be inside a folder. */
export const insidePath = (path: string): string => {
  const result = relativePath(path)
  return 'problem' in result ? refuse(path, result.problem) : result.path
}

/** Reads at most `maxBytes` of a regular file below `root`, which is absolute with links resolved (here and below). */
export const readInside = (root: string, path: string, maxBytes: number) =>
  hold(root, insidePath(path), path, (held) => {
    if (!held.stats.isFile()) throw new FileError('not_a_file', `${path} is ${whatIs(held.stats)}, not a file`)
    const file = openHeld(held)
    try {
      const { size } = fstatSync(file)
      const content = Buffer.alloc(Math.min(size, maxBytes))
      const bytes = readSync(file, content, 0, content.length, 0)
      return { content: content.subarray(0, bytes), bytes: size }
    } finally {
      closeSync(file)
    }
  })

/**
 * Puts a file below `root`, whole or not at all, with the mode of the one that it replaces; makes missing folders. No
 * link is followed, wherever it leads: what is changed is what the path names.
 */
export const writeInside = (root: string, path: string, content: string | Uint8Array): void =>
  onDisk(
    path,
    () => {
      const { folder, name } = placeOf(path)
      const write = (held: Held) => replaceFile(`${held.path}/${name}`, content, path, held)
      try {
        holdFolder(root, folder, path, write)
      } catch (error) {
        if (!isMissing(error)) throw error
        makeFolders(root, folder, path)
        holdFolder(root, folder, path, write)
      }
    },
    'written',
  )

const replaceFile = (target: string, content: string | Uint8Array, path: string, folder: Held): void => {
  const old = lstatSync(target, { throwIfNoEntry: false })
  if (old?.isSymbolicLink()) refuse(path, 'it is a link: name the file itself')
  if (old && !old.isFile()) throw new FileError('not_a_file', `${path} is ${whatIs(old)}, not a file`)
  // A file that is read-only is meant to stay as it is, though a rename could replace it.
  if (old) accessSync(target, constants.W_OK)
  const temporary = `${folder.path}/.${process.pid}-${Math.trunc(performance.now() * 1000)}.tmp`
  const file = openSync(temporary, 'wx')
  try {
    writeAll(file, content, old?.mode)
    folder.confirm()
    renameSync(temporary, target)
  } catch (error) {
    ifThere(() => unlinkSync(temporary))
    throw error
  }
}

const writeAll = (file: number, content: string | Uint8Array, mode: number | undefined): void => {
  try {
    writeFileSync(file, content)
    // By the open file: its name may be a link by now, to somebody else's.
    if (mode !== undefined) fchmodSync(file, mode & 0o777)
  } finally {
    closeSync(file)
  }
}

/** Each folder is made in one that is held: a folder above it that is swapped for a link leads nothing astray. */
const makeFolders = (root: string, folder: string, path: string): void => {
  const names = folder.split('/')
  for (const [i, name] of names.entries()) {
    holdFolder(root, names.slice(0, i).join('/'), path, (above) => {
      const place = `${above.path}/${name}`
      if (lstatSync(place, { throwIfNoEntry: false })) return
      above.confirm()
      mkdirSync(place)
    })
  }
}

/** Deletes a file below `root`; a link is deleted itself, wherever it leads. No link on the way to it is followed. */
export const removeInside = (root: string, path: string): void =>
  onDisk(
    path,
    () => {
      const { folder, name } = placeOf(path)
      holdFolder(root, folder, path, (held) => {
        const target = `${held.path}/${name}`
        if (lstatSync(target).isDirectory()) throw new FileError('not_a_file', `${path} is a folder, not a file`)
        held.confirm()
        unlinkSync(target)
      })
    },
    'deleted',
  )

const placeOf = (path: string): { readonly folder: string; readonly name: string } => {
  const inside = insidePath(path)
  if (inside === '') throw new FileError('not_a_file', `${path} is the workspace itself, not a file`)
  const slash = inside.lastIndexOf('/')
  return { folder: inside.slice(0, Math.max(0, slash)), name: inside.slice(slash + 1) }
}

/** Holds a folder in which something is to be changed: it must be where its path says, through no link. */
const holdFolder = <T>(root: string, folder: string, path: string, use: (held: Held) => T): T => {
  const place = join(root, folder)
  return holdInside(root, place, path, (held) => {
    if (held.real !== place) refuse(path, 'a folder in it is a link: name the place itself')
    if (!held.stats.isDirectory()) {
      throw new FileError('not_a_folder', `${path}: a part of it is a file, not a folder`)
    }
    return use(held)
  })
}

export const statInside = (root: string, path: string): FileEntry | undefined => {
  const inside = insidePath(path)
  return ifThere(() => holdInside(root, join(root, inside), path, ({ stats }) => entryOf(inside, stats)))
}

export const listInside = (root: string, path: string): FileEntry[] => {
  const base = insidePath(path)
  return hold(root, base, path, (held) => {
    if (!held.stats.isDirectory()) throw new FileError('not_a_folder', `${path} is ${whatIs(held.stats)}, not a folder`)
    const names = readdirSync(held.path).sort()
    held.confirm()
    return names.flatMap((name) => {
      const stats = lstatSync(`${held.path}/${name}`, { throwIfNoEntry: false })
      return stats ? [entryOf(below(base, name), stats)] : []
    })
  })
}

/** The regular files below a path of `root`, sorted by path, at most `limit`; no link below it is followed. */
export const filesInside = (root: string, path: string, limit: number): FileEntry[] => {
  const start = insidePath(path)
  const found: FileEntry[] = []
  /** `place` is where it really is: what is found elsewhere was swapped for a link just now. */
  const visit = (at: string, place: string): void => {
    for (const child of childrenOf(root, place, path, limit - found.length)) {
      if (found.length >= limit) return
      if (child.stats === undefined) visit(below(at, child.name), join(place, child.name))
      else if (child.stats.isFile()) found.push(entryOf(below(at, child.name), child.stats))
    }
  }
  if (limit <= 0 || statInside(root, path) === undefined) return found
  const { real, stats } = hold(root, start, path, ({ real, stats }) => ({ real, stats }))
  if (stats.isFile()) found.push(entryOf(start, stats))
  if (stats.isDirectory()) onDisk(path, () => visit(start, real))
  return found
}

type Child = { readonly name: string /** Not asked of a folder. */; readonly stats: Stats | undefined }

/** What is in a folder, in the order of the paths, no more than the first `limit` files; nothing where it is gone. */
const childrenOf = (root: string, place: string, path: string, limit: number): readonly Child[] => {
  try {
    return holdInside(root, place, path, (held) => {
      if (held.real !== place) return []
      // A folder sorts as what is in it: `a.txt` comes before `a/b`.
      const entries = readdirSync(held.path, { withFileTypes: true })
        .map((entry) => ({ entry, key: entry.isDirectory() ? `${entry.name}/` : entry.name }))
        .sort((a, b) => (a.key < b.key ? -1 : 1))
      held.confirm()
      const children: Child[] = []
      let files = 0
      for (const { entry } of entries) {
        if (files >= limit) break
        if (entry.isDirectory()) children.push({ name: entry.name, stats: undefined })
        if (!entry.isFile()) continue
        const stats = lstatSync(`${held.path}/${entry.name}`, { throwIfNoEntry: false })
        if (stats) children.push({ name: entry.name, stats })
        files += 1
      }
      return children
    })
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

const below = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`)

const isMissing = (error: unknown): boolean =>
  isSystemError(error) && (error.code === 'ENOENT' || error.code === 'ENOTDIR')

const hold = <T>(root: string, inside: string, shown: string, use: (held: Held) => T): T =>
  onDisk(shown, () => holdInside(root, join(root, inside), shown, use))

const entryOf = (path: string, stats: Stats): FileEntry => {
  const kind: FileKind = stats.isFile() ? 'file' : stats.isDirectory() ? 'dir' : 'other'
  return { path, kind, size: kind === 'file' ? stats.size : 0 }
}

const whatIs = (stats: Stats): string =>
  stats.isDirectory() ? 'a folder' : stats.isFile() ? 'a file' : 'a special file (a pipe, a device or a socket)'
