import {
  closeSync,
  type Dirent,
  opendirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs'
import { parse } from 'node:path'
import { FileError } from '../../core/errors.ts'
import type { FileKind, Files } from '../../core/ports.ts'
import { holdInside, openHeld, refuse } from './hold-inside.ts'
import { ifThere, isRefused, onDisk } from './on-disk.ts'

const chunkBytes = 64 * 1024
/** A longer line is no line of a text file: holding it could take all memory. */
const maxLineChars = 16 * 1024 * 1024

/** The real disk. Synchronous on purpose: for small local files the promise API costs twice the CPU time. */
export const diskFiles = (): Files => {
  const looks = { stat, list, canList, canRun, realPath }
  const resolved: Files = { ...readers(reachResolved), ...looks, resolved: () => resolved }
  return { ...readers(reachAny), ...looks, resolved: () => resolved }
}

/** Opens a regular file: how many bytes it has, and its descriptor, which the caller closes. */
type Reach = (path: string) => { readonly size: number; readonly file: number }

const readers = (reach: Reach): Pick<Files, 'readText' | 'readHead' | 'readBytes' | 'readStart' | 'lines'> => ({
  readText: (path, maxBytes) => decode(path, readBytes(reach, path, maxBytes)),
  readHead: (path, maxBytes) => readHead(reach, path, maxBytes),
  readBytes: (path, maxBytes) => readBytes(reach, path, maxBytes),
  readStart: (path, maxBytes) => readStart(reach, path, maxBytes),
  lines: (path) => lines(reach, path),
})

const reachAny: Reach = (path) =>
  // Asked before opening: opening a FIFO would wait for ever.
  onDisk(path, () => ({ size: sizeOfFile(path, statSync(path)), file: openSync(path, 'r') }))

const reachResolved: Reach = (path) =>
  onDisk(path, () =>
    holdInside(parse(path).root, path, path, (held) => {
      if (held.real !== path) refuse(path, 'a part of it became a link')
      return { size: sizeOfFile(path, held.stats), file: openHeld(held) }
    }),
  )

const sizeOfFile = (path: string, stats: Stats): number => {
  if (stats.isDirectory()) throw new FileError('not_a_file', `${path} is a folder, not a file`)
  if (!stats.isFile()) throw new FileError('not_a_file', `${path} is not a regular file`)
  return stats.size
}

const readBytes = (reach: Reach, path: string, maxBytes: number): Uint8Array => {
  const { size, file } = reach(path)
  try {
    if (size > maxBytes) {
      throw new FileError('file_too_large', `${path} is larger than ${maxBytes.toLocaleString('en')} bytes`)
    }
    return onDisk(path, () => readFileSync(file))
  } finally {
    closeSync(file)
  }
}

const decode = (path: string, bytes: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw new FileError('not_utf8', `${path} is not UTF-8 text`, { cause, hint: 'Save it as UTF-8.' })
  }
}

const headBuffer = Buffer.allocUnsafe(128 * 1024)

const readHead = (reach: Reach, path: string, maxBytes: number): { text: string; size: number } =>
  onDisk(path, () => {
    const buffer = maxBytes <= headBuffer.length ? headBuffer : Buffer.allocUnsafe(maxBytes)
    const { size, file } = reach(path)
    try {
      const bytes = readSync(file, buffer, 0, maxBytes, 0)
      return { text: buffer.toString('utf8', 0, bytes), size }
    } finally {
      closeSync(file)
    }
  })

const readStart = (reach: Reach, path: string, maxBytes: number): Uint8Array =>
  onDisk(path, () => {
    const { size, file } = reach(path)
    try {
      const buffer = Buffer.allocUnsafe(Math.min(maxBytes, size))
      return buffer.subarray(0, readSync(file, buffer, 0, buffer.length, 0))
    } finally {
      closeSync(file)
    }
  })

function* lines(reach: Reach, path: string): Iterable<string> {
  const { file } = reach(path)
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true })
    const buffer = Buffer.allocUnsafe(chunkBytes)
    // Pieces of the line that has no end yet: searching them again for one would take quadratic time.
    let begun: string[] = []
    let begunChars = 0
    for (;;) {
      const bytes = onDisk(path, () => readSync(file, buffer, 0, chunkBytes, null))
      const parts = decodeChunk(decoder, path, buffer.subarray(0, bytes), bytes > 0).split('\n')
      const open = parts.pop() ?? ''
      for (const part of parts) {
        const line = begun.length === 0 ? part : begun.join('') + part
        begun = []
        begunChars = 0
        yield line.endsWith('\r') ? line.slice(0, -1) : line
      }
      if (open !== '') begun.push(open)
      begunChars += open.length
      if (begunChars > maxLineChars)
        throw new FileError('line_too_long', `${path} has a line over 16 million characters`)
      if (bytes === 0) break
    }
    if (begun.length > 0) yield begun.join('')
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
  const stats = ifThere(() => statSync(path, { throwIfNoEntry: false }))
  if (!stats) return undefined
  return { kind: stats.isFile() ? 'file' : stats.isDirectory() ? 'dir' : 'other', size: stats.size }
}

const list = (path: string): readonly { name: string; kind: FileKind; isLink: boolean }[] => {
  const entries = ifThere(() => readdirSync(path, { withFileTypes: true })) ?? []
  return entries
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((entry) => {
      const isLink = entry.isSymbolicLink()
      // A link that leads nowhere or round in circles is there, and of no kind that can be read.
      const kind = isLink ? (stat(`${path}/${entry.name}`)?.kind ?? 'other') : kindOf(entry)
      return { name: entry.name, kind, isLink }
    })
}

const kindOf = (entry: Dirent): FileKind => (entry.isFile() ? 'file' : entry.isDirectory() ? 'dir' : 'other')

const canList = (path: string): boolean => {
  try {
    opendirSync(path).closeSync()
    return true
  } catch (error) {
    return !isRefused(error)
  }
}

const canRun = (path: string): boolean | undefined => {
  if (process.platform === 'win32') return undefined
  const stats = ifThere(() => statSync(path, { throwIfNoEntry: false }))
  return stats?.isFile() ? (stats.mode & 0o111) !== 0 : undefined
}

const realPath = (path: string): string | undefined => ifThere(() => realpathSync.native(path))
