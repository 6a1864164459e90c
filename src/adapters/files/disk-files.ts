import { closeSync, openSync, readdirSync, readFileSync, readSync, realpathSync, statSync } from 'node:fs'
import { FileError } from '../../core/errors.ts'
import type { FileKind, Files } from '../../core/ports.ts'

const chunkBytes = 64 * 1024

/** The real disk. Synchronous on purpose: for small local files the promise API costs twice the CPU time. */
export const diskFiles = (): Files => ({ readText, readHead, readBytes, lines, stat, list, realPath })

const readBytes = (path: string, maxBytes: number): Uint8Array => {
  const size = regularFileSize(path)
  if (size > maxBytes) {
    throw new FileError('file_too_large', `${path} is larger than ${maxBytes.toLocaleString('en')} bytes`)
  }
  return attempt(path, () => readFileSync(path))
}

const readText = (path: string, maxBytes: number): string => decode(path, readBytes(path, maxBytes))

const decode = (path: string, bytes: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw new FileError('not_utf8', `${path} is not UTF-8 text`, { cause, hint: 'Save it as UTF-8.' })
  }
}

const headBuffer = Buffer.allocUnsafe(128 * 1024)

const readHead = (path: string, maxBytes: number): { text: string; size: number } =>
  attempt(path, () => {
    const buffer = maxBytes <= headBuffer.length ? headBuffer : Buffer.allocUnsafe(maxBytes)
    const size = regularFileSize(path)
    const file = openSync(path, 'r')
    try {
      const bytes = readSync(file, buffer, 0, maxBytes, 0)
      return { text: buffer.toString('utf8', 0, bytes), size }
    } finally {
      closeSync(file)
    }
  })

function* lines(path: string): Iterable<string> {
  regularFileSize(path)
  const file = attempt(path, () => openSync(path, 'r'))
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true })
    const buffer = Buffer.allocUnsafe(chunkBytes)
    let rest = ''
    for (;;) {
      const bytes = readSync(file, buffer, 0, chunkBytes, null)
      rest += decodeChunk(decoder, path, buffer.subarray(0, bytes), bytes > 0)
      const parts = rest.split('\n')
      rest = parts.pop() ?? ''
      for (const line of parts) yield line.endsWith('\r') ? line.slice(0, -1) : line
      if (bytes === 0) break
    }
    if (rest !== '') yield rest
  } finally {
    closeSync(file)
  }
}

const decodeChunk = (
  decoder: InstanceType<typeof TextDecoder>,
  path: string,
  bytes: Uint8Array,
  stream: boolean,
): string => {
  try {
    return decoder.decode(bytes, { stream })
  } catch (cause) {
    throw new FileError('not_utf8', `${path} is not UTF-8 text`, { cause, hint: 'Save it as UTF-8.' })
  }
}

const stat = (path: string): { kind: FileKind; size: number } | undefined => {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats) return undefined
  return { kind: stats.isFile() ? 'file' : stats.isDirectory() ? 'dir' : 'other', size: stats.size }
}

const list = (path: string): readonly { name: string; kind: FileKind; isLink: boolean }[] => {
  let entries: import('node:fs').Dirent[]
  try {
    entries = readdirSync(path, { withFileTypes: true })
  } catch (error) {
    if (isSystemError(error)) return []
    throw error
  }
  return entries
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((entry) => {
      const isLink = entry.isSymbolicLink()
      const kind = isLink ? (safeStat(`${path}/${entry.name}`)?.kind ?? 'other') : kindOf(entry)
      return { name: entry.name, kind, isLink }
    })
}

const kindOf = (entry: import('node:fs').Dirent): FileKind =>
  entry.isFile() ? 'file' : entry.isDirectory() ? 'dir' : 'other'

/** A link that leads round in circles is not there. */
const safeStat = (path: string) => {
  try {
    return stat(path)
  } catch (error) {
    if (isSystemError(error)) return undefined
    throw error
  }
}

const realPath = (path: string): string | undefined => {
  try {
    return realpathSync(path)
  } catch (error) {
    if (isSystemError(error)) return undefined
    throw error
  }
}

/** Asked before opening: opening a FIFO would wait for ever. */
const regularFileSize = (path: string): number => {
  const stats = attempt(path, () => statSync(path))
  if (stats.isDirectory()) throw new FileError('not_a_file', `${path} is a folder, not a file`)
  if (!stats.isFile()) throw new FileError('not_a_file', `${path} is not a regular file`)
  return stats.size
}

const attempt = <T>(path: string, action: () => T): T => {
  try {
    return action()
  } catch (cause) {
    if (!isSystemError(cause)) throw cause
    if (cause.code === 'ENOENT' || cause.code === 'ENOTDIR') {
      throw new FileError('file_missing', `${path} does not exist`, { cause })
    }
    throw new FileError('file_unreadable', `${path} can't be read (${cause.code})`, { cause })
  }
}

const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && typeof (error as NodeJS.ErrnoException).code === 'string' && 'syscall' in error
