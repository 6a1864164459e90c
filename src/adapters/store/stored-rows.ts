import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { parseJson } from '../../lib/json.ts'
import { onDisk } from '../files/on-disk.ts'
import { eachLine } from './jsonl-store.ts'

/** Where a line lies in its file. */
export type RowPlace = { readonly offset: number; readonly length: number }

/** A results.jsonl that is only read, also while a run writes it. */
export type StoredRows = {
  /** Tells each line that was written whole and is JSON; of a line that is not, nothing. */
  each(tell: (row: unknown, place: RowPlace) => void): void
  read(place: RowPlace): unknown
  /** When it was last written, in milliseconds since the epoch. */
  readonly writtenAt: number
  close(): void
}

/** Throws a FileError where it can't be opened. */
export const storedRows = (path: string): StoredRows => {
  const file = onDisk(path, () => openSync(path, 'r'))
  const parsedLine = (line: Buffer): unknown => {
    const parsed = parseJson(line.toString())
    return parsed.ok ? parsed.value : undefined
  }
  return {
    each: (tell) =>
      void eachLine(file, (line, offset, length) => {
        const row = parsedLine(line)
        if (row !== undefined) tell(row, { offset, length })
      }),
    read: ({ offset, length }) => {
      const line = Buffer.allocUnsafe(length)
      let at = 0
      while (at < length) {
        const bytes = readSync(file, line, at, length - at, offset + at)
        if (bytes === 0) return undefined
        at += bytes
      }
      return parsedLine(line)
    },
    writtenAt: fstatSync(file).mtimeMs,
    close: () => closeSync(file),
  }
}
