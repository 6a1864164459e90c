import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { ifThere } from '../files/on-disk.ts'

export type PromptHistory = {
  /** Newest first. */
  lines(): readonly string[]
  add(line: string): void
}

const MAX_LINES = 1000
const MAX_LENGTH = 4000

/**
 * The lines that were typed, in a file for its owner alone. One that begins with a blank is not kept, as in shells.
 * Where the file can't be read or written the lines of this session are all there is.
 */
export const promptHistory = (file: string): PromptHistory => {
  const lines = (ifThere(() => readFileSync(file, 'utf8')) ?? '')
    .split('\n')
    .filter((line) => line !== '')
    .slice(-MAX_LINES)
    .reverse()
  return {
    lines: () => lines,
    add: (line) => {
      if (line.trim() === '' || /^\s/.test(line) || line === lines[0] || line.length > MAX_LENGTH) return
      lines.unshift(line)
      lines.length = Math.min(lines.length, MAX_LINES)
      ifThere(() => {
        mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
        writeFileSync(file, `${lines.toReversed().join('\n')}\n`, { mode: 0o600 })
        // It may have been there before, open to others.
        chmodSync(file, 0o600)
      })
    },
  }
}
