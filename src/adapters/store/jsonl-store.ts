import { closeSync, openSync, readSync, writeSync } from 'node:fs'
import { SkillsEvalError } from '../../core/errors.ts'
import type { Store } from '../../core/ports.ts'
import type { TrialRow } from '../../core/results.ts'

const BLOCK_BYTES = 64 * 1024

/**
 * results.jsonl at `path`: a line per finished trial, handed to the system as it ends, read back by its place.
 * In memory is only where each line lies.
 */
export const jsonlStore = (path: string): Store => {
  const file = openSync(path, 'wx+')
  let offsets = new Float64Array(1024)
  let lengths = new Uint32Array(1024)
  let end = 0

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

const writeAll = (file: number, bytes: Uint8Array, position: number): void => {
  let written = 0
  while (written < bytes.length) written += writeSync(file, bytes, written, bytes.length - written, position + written)
}
