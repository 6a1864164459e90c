import type { Files } from '../core/ports.ts'
import { frontmatterLimits } from './parse-frontmatter.ts'
import { splitFrontmatter } from './split-frontmatter.ts'

export type Head = {
  /** Down to the closing fence; all that was read where none was found. */
  readonly text: string
  /** Of the whole file, in bytes. */
  readonly size: number
  /** Whether nothing that could belong to the frontmatter is missing. */
  readonly complete: boolean
}

const usual = 4096
// The fences, their line ends and a byte order mark come on top of the frontmatter.
const most = frontmatterLimits.maxBytes + 64

/**
 * The head of a SKILL.md: 4 KiB are read, and only where its frontmatter does not end there up to the frontmatter's
 * limit. Throws the port's FileError for what can't be read.
 */
export const readHead = (file: string, files: Files): Head => {
  const head = read(file, files, usual)
  return head.complete ? head : read(file, files, most)
}

const read = (file: string, files: Files, maxBytes: number): Head => {
  const { text, size } = files.readHead(file, maxBytes)
  const isWhole = size <= maxBytes
  const split = splitFrontmatter(text, { complete: isWhole, skipBlankLines: true })
  if (!split.ok) {
    const isCut = !isWhole && (split.problem === 'not-closed' || text.trim() === '')
    return { text, size, complete: !isCut }
  }
  // A copy: parts of the text would keep all of it in memory.
  return { text: Buffer.from(text.slice(0, split.bodyStart)).toString(), size, complete: true }
}
