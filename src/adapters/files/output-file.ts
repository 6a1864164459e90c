import {
  appendFileSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { SkillsEvalError } from '../../core/errors.ts'

const blockBytes = 256 * 1024

export type TextWriter = { write(text: string): void; close(): void; discard(): void }

/**
 * Writes a text in pieces, in blocks; the file appears at `path` whole, at `close`, or not at all. Makes its folder.
 * After a failure nothing is left of it; `discard` may be called at any time. Throws a SkillsEvalError `write_failed`.
 */
export const openTextWriter = (path: string): TextWriter =>
  explained(path, () => {
    makeFolders(dirname(path))
    const temporary = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`)
    const file = openSync(temporary, 'w')
    let isOpen = true
    let pending: string[] = []
    let size = 0
    const flush = () => {
      if (size === 0) return
      const bytes = Buffer.from(pending.join(''))
      pending = []
      size = 0
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
    }
    const discard = () => {
      if (!isOpen) return
      isOpen = false
      closeSync(file)
      rmSync(temporary, { force: true })
    }
    const orDiscard = (action: () => void) =>
      explained(path, () => {
        try {
          action()
        } catch (error) {
          discard()
          throw error
        }
      })
    return {
      write: (text) => {
        pending.push(text)
        size += text.length
        if (size >= blockBytes) orDiscard(flush)
      },
      close: () =>
        orDiscard(() => {
          flush()
          renameSync(temporary, path)
          isOpen = false
          closeSync(file)
        }),
      discard,
    }
  })

export const writeText = (path: string, text: string): void => {
  const writer = openTextWriter(path)
  writer.write(text)
  writer.close()
}

/** Writes a new file; false where one is there already, which is left as it is. */
export const writeNewText = (path: string, text: string | Uint8Array, mode = 0o644): boolean =>
  explained(path, () => {
    if (existsSync(path)) return false
    makeFolders(dirname(path))
    const file = openSync(path, 'wx', mode)
    try {
      writeFileSync(file, text)
    } catch (error) {
      // What was written half would be taken for the whole, and be in the way of it.
      rmSync(path, { force: true })
      throw error
    } finally {
      closeSync(file)
    }
    return true
  })

/** Who may do what with a file; on systems without such modes only its owner may anything. */
export const modeOf = (path: string): number =>
  process.platform === 'win32' ? 0o600 : explained(path, () => statSync(path).mode & 0o777)

export const appendText = (path: string, text: string): void => explained(path, () => appendFileSync(path, text))

export const makeFolder = (path: string): void => explained(path, () => makeFolders(path))

/** Not with `recursive`: where the parent is there and the system says otherwise (/proc), Node tries for ever. */
const makeFolders = (path: string): void => {
  const isThere = () => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  if (isThere()) return
  if (dirname(path) !== path) makeFolders(dirname(path))
  try {
    mkdirSync(path)
  } catch (error) {
    // Another process may have made it since.
    if (!isThere()) throw error
  }
}

/** Points `link` at a folder beside it, replacing what it pointed at; where links can't be made, a file names it. */
export const pointTo = (link: string, target: string): void =>
  explained(link, () => {
    const existing = lstatSync(link, { throwIfNoEntry: false })
    if (existing?.isDirectory()) return
    const temporary = `${link}.${process.pid}.tmp`
    rmSync(temporary, { force: true })
    try {
      symlinkSync(target, temporary, 'dir')
    } catch {
      // Windows without the right to make links.
      writeFileSync(temporary, `${target}\n`)
    }
    // Two runs may end at once: each replaces the whole link.
    renameSync(temporary, link)
  })

export const explained = <T>(path: string, action: () => T): T => {
  try {
    return action()
  } catch (cause) {
    throw notWritten(path, cause)
  }
}

/** A failure of the system in words, with what to do next; anything else as it is. */
export const notWritten = (path: string, cause: unknown): unknown => {
  if (cause instanceof SkillsEvalError || !(cause instanceof Error) || !('code' in cause)) return cause
  const code = String(cause.code)
  const hint = hints.get(code)
  return new SkillsEvalError('write_failed', `${path} can't be written: ${reasons.get(code) ?? cause.message}`, {
    ...(hint === undefined ? {} : { hint }),
    cause,
  })
}

const reasons: ReadonlyMap<string, string> = new Map([
  ['ENOSPC', 'the disk is full'],
  ['EDQUOT', 'the quota of the disk is used up'],
  ['EACCES', 'permission denied'],
  ['EROFS', 'the disk is read-only'],
  ['ENOTDIR', 'a part of its path is no folder'],
  ['EISDIR', 'it is a folder'],
  ['ENOENT', 'its folder is not there'],
  ['EEXIST', 'something else is in its place'],
  ['ELOOP', 'a link in its path leads round in circles'],
])

const hints: ReadonlyMap<string, string> = new Map([
  ['ENOSPC', 'Make room on it, or write elsewhere.'],
  ['EDQUOT', 'Make room, or write elsewhere.'],
  ['EACCES', 'Write to a place that is yours, or have the right to write here given to you.'],
  ['EROFS', 'Write to a place on another disk.'],
])
