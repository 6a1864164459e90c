import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs'
import { dirname, sep } from 'node:path'
import { FileError } from '../../core/errors.ts'
import { ifThere, isSystemError } from './on-disk.ts'

/** A file or folder that was found to be inside, and stays the same one whatever becomes of its path. */
export type Held = {
  /** Where it was when it was found: absolute, no link in it. */
  readonly real: string
  readonly stats: Stats
  /** What it is called in messages. */
  readonly shown: string
  /** The path by which to use it. */
  readonly path: string
  /** Throws where `path` has come to mean something else since. */
  confirm(): void
}

// Opens nothing, only holds: a device or a pipe does not notice. Linux's alone, which Node.js has no name for.
const O_PATH = 0o10000000
const canHold = process.platform === 'linux' && existsSync('/proc/self/fd')

/**
 * Does something with what is at `target`, which lies below `root` by its text; both are absolute and `root` has no
 * link in it. Throws a FileError `outside_workspace` where links lead elsewhere, a system error where nothing is there.
 *
 * Between a check of a path and its use, a part of it can be swapped for a link. On Linux the thing is taken hold of
 * first and asked then where it is. Elsewhere it can only be looked at before and after, which is best effort.
 */
export const holdInside = <T>(root: string, target: string, shown: string, use: (held: Held) => T): T => {
  const hold = canHold ? holdByDescriptor : holdByPath
  return hold(root, target, shown, use)
}

export const isBelow = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)

export const refuse = (path: string, problem: string): never => {
  throw new FileError('outside_workspace', `${path}: ${problem}`)
}

const holdByDescriptor: typeof holdInside = (root, target, shown, use) => {
  const descriptor = located(root, target, shown, () => openSync(target, O_PATH))
  try {
    const path = `/proc/self/fd/${descriptor}`
    const real = readlinkSync(path)
    if (!isBelow(root, real)) refuseLink(shown)
    return use({ real, stats: fstatSync(descriptor), shown, path, confirm: () => undefined })
  } finally {
    closeSync(descriptor)
  }
}

/** For systems that can't tell where an open file is. */
export const holdByPath: typeof holdInside = (root, target, shown, use) => {
  const real = located(root, target, shown, () => realpathSync(target))
  if (!isBelow(root, real)) refuseLink(shown)
  const stats = statSync(real)
  const confirm = () => {
    const isSame = realpathSync(real) === real && isSameFile(statSync(real), stats)
    if (!isSame) changed(shown)
  }
  confirm()
  return use({ real, stats, shown, path: real, confirm })
}

const changed = (shown: string): never => {
  throw new FileError('file_unreadable', `${shown} was changed while it was used`)
}

const isSameFile = (a: Stats, b: Stats): boolean => a.dev === b.dev && a.ino === b.ino

/** Opens a regular file that is held, and no other; the caller closes it. */
export const openHeld = (held: Held): number => {
  // What is held is reached through a link of the system's own, which O_NOFOLLOW would refuse.
  const noFollow = canHold ? 0 : (constants.O_NOFOLLOW ?? 0)
  const file = openSync(held.path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | noFollow)
  try {
    held.confirm()
    if (!isSameFile(fstatSync(file), held.stats)) changed(held.shown)
    return file
  } catch (error) {
    closeSync(file)
    throw error
  }
}

/** Where nothing can be had at `target`, a link to outside may be why: that must not tell what is there. */
const located = <T>(root: string, target: string, shown: string, find: () => T): T => {
  try {
    return find()
  } catch (error) {
    if (isSystemError(error)) refuseLinks(root, target, shown)
    throw error
  }
}

const refuseLinks = (root: string, target: string, shown: string): void => {
  const found = ifThere(() => lstatSync(target))
  const real = found && ifThere(() => realpathSync(target))
  if (real !== undefined ? !isBelow(root, real) : found?.isSymbolicLink()) refuseLink(shown)
  // Nothing there, or no longer: the nearest folder above that is there tells.
  if (real === undefined && target !== root) refuseLinks(root, dirname(target), shown)
}

const refuseLink = (shown: string): never => refuse(shown, 'a link in it leads outside or nowhere')
