import {
  closeSync,
  constants,
  cpSync,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { FileError } from '../../core/errors.ts'
import type { FileEntry, Workspace } from '../../core/ports.ts'
import { relativePath } from '../../core/relative-path.ts'
import { sha256 } from '../../lib/hash.ts'
import type { Fixture } from '../../schema/suite.ts'

type Laid = Readonly<Record<string, Fixture>>

/**
 * A case's own folder at `folder` (absolute, must not exist yet), made and filled with `files` when something first
 * needs it: most mocked cases never do. Sources in `files` are absolute paths of files or folders, already checked.
 */
export const diskWorkspace = (folder: string, files: Laid = {}): Workspace => {
  let root: string | undefined
  let laid: ReadonlyMap<string, string> | undefined

  const open = (): string => {
    if (root !== undefined) return root
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    root = realpathSync(folder)
    lay(root, files)
    return root
  }
  const initial = () => {
    laid ??= digests(open())
    return laid
  }
  const isUntouched = () => root === undefined && Object.keys(files).length === 0

  return {
    root: () => {
      initial()
      return open()
    },
    initial: () => (isUntouched() ? new Map() : initial()),
    read: (path, maxBytes) => readInside(open(), path, maxBytes),
    write: (path, content) => {
      initial()
      writeInside(open(), path, content)
    },
    remove: (path) => {
      initial()
      removeInside(open(), path)
    },
    stat: (path) => {
      if (isUntouched()) return text(path) === '' ? { path: '', kind: 'dir', size: 0 } : undefined
      return statInside(open(), path)
    },
    list: (path) => listInside(open(), path),
    files: (path, limit) => (isUntouched() ? [] : filesInside(open(), path, limit)),
    dispose: async () => {
      if (root !== undefined) rmSync(root, { recursive: true, force: true, maxRetries: 2 })
      root = undefined
    },
  }
}

const lay = (root: string, files: Laid): void => {
  for (const [destination, fixture] of Object.entries(files)) {
    const target = join(root, destination)
    mkdirSync(dirname(target), { recursive: true })
    if (typeof fixture === 'string') {
      // Links in a fixture folder would be holes in the workspace: their targets are copied instead.
      cpSync(fixture, target, { recursive: true, dereference: true })
    } else {
      writeFileSync(target, 'text' in fixture ? fixture.text : `${JSON.stringify(fixture.json, null, 2)}\n`)
    }
  }
}

const digests = (root: string): Map<string, string> =>
  new Map(
    filesInside(root, '.', Number.POSITIVE_INFINITY).map((f) => [f.path, sha256(readFileSync(join(root, f.path)))]),
  )

const refuse = (path: string, problem: string): never => {
  throw new FileError('outside_workspace', `${path}: ${problem}`)
}

const text = (path: string): string => {
  const result = relativePath(path)
  return 'problem' in result ? refuse(path, result.problem) : result.path
}

/** The absolute place of a path whose every existing part lies inside `root` once links are followed. */
const inside = (root: string, path: string): string => {
  const target = join(root, text(path))
  let existing = target
  while (!existsOrLink(existing)) existing = dirname(existing)
  let real: string
  try {
    real = realpathSync(existing)
  } catch (cause) {
    throw new FileError('outside_workspace', `${path}: a link in it leads nowhere`, { cause })
  }
  if (real !== root && !real.startsWith(root + sep)) refuse(path, 'a link in it leads outside the workspace')
  return target
}

const existsOrLink = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined

const missing = (path: string): never => {
  throw new FileError('file_missing', `${path} does not exist`)
}

const readInside = (root: string, path: string, maxBytes: number) => {
  const target = inside(root, path)
  const stats = statSync(target, { throwIfNoEntry: false }) ?? missing(path)
  if (!stats.isFile())
    throw new FileError('not_a_file', `${path} is ${stats.isDirectory() ? 'a folder' : 'not a regular file'}`)
  const file = openSync(realpathSync(target), constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const { size } = fstatSync(file)
    const content = Buffer.alloc(Math.min(size, maxBytes))
    const bytes = readSync(file, content, 0, content.length, 0)
    return { content: content.subarray(0, bytes), bytes: size }
  } finally {
    closeSync(file)
  }
}

const writeInside = (root: string, path: string, content: string | Uint8Array): void => {
  const target = inside(root, path)
  const stats = lstatSync(target, { throwIfNoEntry: false })
  if (stats?.isSymbolicLink()) refuse(path, 'it is a link')
  if (target === root || (stats && !stats.isFile())) throw new FileError('not_a_file', `${path} is not a regular file`)
  const folder = dirname(target)
  try {
    mkdirSync(folder, { recursive: true })
  } catch (cause) {
    throw new FileError('not_a_folder', `${path}: a part of it is a file, not a folder`, { cause })
  }
  const temporary = join(folder, `.${process.pid}-${Math.trunc(performance.now() * 1000)}.tmp`)
  writeFileSync(temporary, content, { flag: 'wx' })
  renameSync(temporary, target)
}

const removeInside = (root: string, path: string): void => {
  const target = inside(root, path)
  const stats = lstatSync(target, { throwIfNoEntry: false }) ?? missing(path)
  if (stats.isDirectory()) throw new FileError('not_a_file', `${path} is a folder`)
  unlinkSync(target)
}

const statInside = (root: string, path: string): FileEntry | undefined => {
  const target = inside(root, path)
  const stats = statSync(target, { throwIfNoEntry: false })
  if (!stats) return undefined
  const kind = stats.isFile() ? 'file' : stats.isDirectory() ? 'dir' : 'other'
  return { path: text(path), kind, size: kind === 'file' ? stats.size : 0 }
}

const listInside = (root: string, path: string): FileEntry[] => {
  const target = inside(root, path)
  const stats = statSync(target, { throwIfNoEntry: false }) ?? missing(path)
  if (!stats.isDirectory()) throw new FileError('not_a_folder', `${path} is a file, not a folder`)
  const base = text(path)
  return readdirSync(target)
    .sort()
    .map((name) => {
      const stats = lstatSync(join(target, name))
      const kind = stats.isFile() ? 'file' : stats.isDirectory() ? 'dir' : 'other'
      return { path: base === '' ? name : `${base}/${name}`, kind, size: kind === 'file' ? stats.size : 0 }
    })
}

const filesInside = (root: string, path: string, limit: number): FileEntry[] => {
  const start = inside(root, path)
  if (!existsSync(start)) return []
  const found: FileEntry[] = []
  const visit = (place: string): void => {
    if (found.length >= limit) return
    const stats = lstatSync(place)
    if (stats.isDirectory()) {
      for (const name of readdirSync(place).sort()) visit(join(place, name))
    } else if (stats.isFile()) {
      found.push({ path: relative(root, place).split(sep).join('/'), kind: 'file', size: stats.size })
    }
  }
  visit(start)
  return found
}
