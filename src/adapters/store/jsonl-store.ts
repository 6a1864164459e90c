import { closeSync, constants, ftruncateSync, openSync, readSync, writeSync } from 'node:fs'
import { SkillsEvalError } from '../../core/errors.ts'
import type { Store } from '../../core/ports.ts'
import type { TrialRow } from '../../core/results.ts'
import { onDisk } from '../files/on-disk.ts'
import { explained } from '../files/output-file.ts'
import { rowIndex } from './row-index.ts'

const BLOCK_BYTES = 64 * 1024
/** What is longer has no end: nobody wrote it here. */
const MAX_LINE_BYTES = 512 * 1024 * 1024

/**
 * results.jsonl at `path`: a line per finished trial, handed to the system as it ends, read back by its place.
 * In memory is only where each line lies.
 */
export const jsonlStore = (path: string): Store => storeIn(openSync(path, 'wx+'))

/** A store that goes on in the file of an earlier session. */
export type ResumedStore = Store & {
  /** The result that the file has for these inputs, which from now on is the one at this place of the plan. */
  adopt(at: number, inputs: string, n: number): TrialRow | undefined
  /** That result, and nothing else. */
  look(inputs: string, n: number): TrialRow | undefined
  /** Whether a line is said to be that result; it is not read, and may prove to be none. */
  has(inputs: string, n: number): boolean
  /** How many results the file had, also such as nothing will ask for. */
  readonly found: number
}

/**
 * results.jsonl of a run that did not end: what was written whole is there to be adopted, a torn last line is cut off.
 * `checked` gives what a line holds if it is a result. Where there is no file yet, one is made. Throws a FileError where
 * it can't be opened.
 */
export const resumedStore = (path: string, checked: (line: unknown) => TrialRow | undefined): ResumedStore => {
  const file = onDisk(path, () => openSync(path, constants.O_RDWR | constants.O_CREAT))
  const index = rowIndex()
  const end = eachLine(file, (line, offset, length) => {
    const row = parsed(line)
    if (typeof row?.inputs === 'string' && typeof row.n === 'number') index.add(row.inputs, row.n, { offset, length })
  })
  ftruncateSync(file, end)
  const store = storeIn(file, end)
  const look = (inputs: string, n: number): TrialRow | undefined => {
    const line = index.find(inputs, n)
    const row = line && checked(store.readLine(line.offset, line.length))
    return row?.inputs === inputs && row.n === n ? row : undefined
  }
  return {
    ...store,
    found: index.size,
    has: (inputs, n) => index.find(inputs, n) !== undefined,
    look,
    adopt: (at, inputs, n) => {
      const row = look(inputs, n)
      const line = row && index.find(inputs, n)
      if (line) store.place(at, line.offset, line.length)
      return row
    },
  }
}

type FileStore = Store & {
  place(at: number, offset: number, length: number): void
  readLine(offset: number, length: number): unknown
}

const storeIn = (file: number, begin = 0): FileStore => {
  let offsets = new Float64Array(1024)
  let lengths = new Uint32Array(1024)
  let end = begin

  const place = (at: number, offset: number, length: number) => {
    while (at >= offsets.length) {
      offsets = grown(offsets, new Float64Array(offsets.length * 2))
      lengths = grown(lengths, new Uint32Array(lengths.length * 2))
    }
    offsets[at] = offset
    lengths[at] = length
  }

  // Reports read in the order of the plan, which is nearly that of the file: one block serves many lines.
  const block = Buffer.allocUnsafe(BLOCK_BYTES)
  let held = { from: 0, to: 0 }

  const read = (offset: number, length: number): string => {
    if (length > BLOCK_BYTES) {
      const line = Buffer.allocUnsafe(length)
      readAll(file, line, offset)
      return line.toString()
    }
    if (offset < held.from || offset + length > held.to) {
      held = { from: offset, to: offset }
      const to = Math.min(offset + BLOCK_BYTES, end)
      readAll(file, block.subarray(0, to - offset), offset)
      held = { from: offset, to }
    }
    return block.toString('utf8', offset - held.from, offset - held.from + length)
  }

  return {
    place,
    readLine: (offset, length) => JSON.parse(read(offset, length)),
    append: (at, row) => {
      const line = Buffer.from(`${JSON.stringify(row)}\n`)
      writeAll(file, line, end)
      place(at, end, line.length)
      end += line.length
    },
    read: (at) => {
      const length = lengths[at] ?? 0
      if (length === 0) return undefined
      return JSON.parse(read(offsets[at] ?? 0, length)) as TrialRow
    },
    close: () => closeSync(file),
  }
}

/** Tells each line that has an end, and returns where the last of them ends. */
export const eachLine = (file: number, tell: (line: Buffer, offset: number, length: number) => void): number => {
  const block = Buffer.allocUnsafe(BLOCK_BYTES)
  let begun: Buffer[] = []
  let begunBytes = 0
  let end = 0
  for (let position = 0; ; ) {
    const bytes = readSync(file, block, 0, block.length, position)
    if (bytes === 0) return end
    position += bytes
    let from = 0
    for (let at = block.indexOf(10); at !== -1 && at < bytes; at = block.indexOf(10, from)) {
      const rest = block.subarray(from, at + 1)
      const line = begun.length === 0 ? rest : Buffer.concat([...begun, rest])
      tell(line, end, line.length)
      end += line.length
      from = at + 1
      begun = []
      begunBytes = 0
    }
    if (from < bytes) begun.push(Buffer.from(block.subarray(from, bytes)))
    begunBytes += bytes - from
    if (begunBytes > MAX_LINE_BYTES) return end
  }
}

const parsed = (line: Buffer): Partial<TrialRow> | undefined => {
  try {
    const value: unknown = JSON.parse(line.toString())
    return typeof value === 'object' && value !== null ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

const grown = <T extends Float64Array | Uint32Array>(from: T, to: T): T => {
  to.set(from)
  return to
}

const readAll = (file: number, into: Uint8Array, position: number): void => {
  let read = 0
  while (read < into.length) {
    const bytes = readSync(file, into, read, into.length - read, position + read)
    if (bytes === 0) throw new SkillsEvalError('store_torn', 'results.jsonl is shorter than what was written to it')
    read += bytes
  }
}

const writeAll = (file: number, bytes: Uint8Array, position: number): void =>
  explained('results.jsonl', () => {
    let written = 0
    while (written < bytes.length)
      written += writeSync(file, bytes, written, bytes.length - written, position + written)
  })
