export type FrontmatterSplit =
  | {
      readonly ok: true
      /** The text between the fences, its line ends included. */
      readonly frontmatter: string
      /** The file's line on which it starts, from 1. */
      readonly line: number
      /** Where the body starts: offset in the text, and the file's line. */
      readonly bodyStart: number
      readonly bodyLine: number
      /** A byte order mark was passed over. */
      readonly bom: boolean
    }
  | {
      readonly ok: false
      readonly problem: 'no-opening-fence' | 'leading-blank-line' | 'not-closed'
      readonly bom: boolean
    }

export type SplitOptions = {
  /** False where the text is only the head of a file: its last, perhaps cut, line is then no fence. */
  readonly complete?: boolean
  /** Take blank lines above the opening fence for nothing, instead of for a problem. */
  readonly skipBlankLines?: boolean
}

/**
 * Finds the frontmatter: the lines between a first line `---` and the next one. A fence is a line of its own, spaces
 * after it allowed, so `---` inside a value is text; line ends may be LF or CRLF, the closing fence may end the file.
 * Never throws.
 */
export const splitFrontmatter = (text: string, options: SplitOptions = {}): FrontmatterSplit => {
  const { complete = true, skipBlankLines = false } = options
  const bom = text.charCodeAt(0) === 0xfeff
  let at = bom ? 1 : 0
  let line = 1
  let end = lineEnd(text, at)
  while (end < text.length && isBlank(text, at, end)) {
    at = end + 1
    end = lineEnd(text, at)
    line += 1
  }
  if (!isFence(text, at, end)) return { ok: false, problem: 'no-opening-fence', bom }
  if (line > 1 && !skipBlankLines) return { ok: false, problem: 'leading-blank-line', bom }

  const start = end + 1
  const firstLine = line + 1
  for (at = start, line = firstLine; at < text.length; at = end + 1, line += 1) {
    end = lineEnd(text, at)
    if (!isFence(text, at, end) || (end === text.length && !complete)) continue
    return {
      ok: true,
      frontmatter: text.slice(start, at),
      line: firstLine,
      bodyStart: Math.min(end + 1, text.length),
      bodyLine: line + 1,
      bom,
    }
  }
  return { ok: false, problem: 'not-closed', bom }
}

const lineEnd = (text: string, at: number): number => {
  const end = text.indexOf('\n', at)
  return end === -1 ? text.length : end
}

const isFence = (text: string, at: number, end: number): boolean =>
  text.startsWith('---', at) && isBlank(text, at + 3, end)

const isBlank = (text: string, at: number, end: number): boolean => {
  for (let i = at; i < end; i += 1) {
    const code = text.charCodeAt(i)
    if (code !== 0x20 && code !== 0x09 && !(code === 0x0d && i === end - 1)) return false
  }
  return true
}
