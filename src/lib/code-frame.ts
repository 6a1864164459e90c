import { visibleLine } from './visible.ts'

export type CodeFrameOptions = {
  /** Lines shown above; 3 unless told, because a fault is often seen only after an unclosed bracket or quote. */
  readonly before?: number
  /** Lines shown below; none unless told. */
  readonly after?: number
}

const WIDTH = 100
const TAB = '  '

/**
 * The line of a fault with some lines around it, numbered, and a caret below the column:
 *
 *       2 | cases:
 *     > 3 |   - idd: one
 *         |     ^
 *
 * Line and column count from 1, columns in UTF-16 code units; a place outside the text moves to the nearest one
 * inside. Tabs become two spaces, control characters visible, and lines over 100 characters are cut around the column.
 */
export const codeFrame = (source: string, line: number, column: number, options: CodeFrameOptions = {}): string => {
  const { before = 3, after = 0 } = options
  const { first, lines } = linesAround(source, line, before, after)
  const faulty = Math.min(Math.max(line, 1), first + lines.length - 1)
  const digits = String(first + lines.length - 1).length
  const gutter = (label: string | number, mark: string) => `${mark} ${String(label).padStart(digits)} |`

  return lines
    .flatMap((text, index) => {
      const number = first + index
      if (number !== faulty) return [`${gutter(number, ' ')} ${render(text.slice(0, WIDTH * 2))}`.trimEnd()]
      const { shown, caret } = markedLine(text, Math.max(column, 1) - 1)
      return [`${gutter(number, '>')} ${shown}`.trimEnd(), `${gutter('', ' ')} ${' '.repeat(caret)}^`]
    })
    .join('\n')
}

// Only what is shown is cut out of the text: a file of a megabyte may have twenty faults.
const linesAround = (source: string, line: number, before: number, after: number) => {
  const starts = [0]
  let total = 1
  for (let at = source.indexOf('\n'); at !== -1 && total < line + after; at = source.indexOf('\n', at + 1)) {
    starts.push(at + 1)
    total += 1
  }
  const last = Math.min(total, Math.max(line, 1) + after)
  const first = Math.max(1, Math.min(line, total) - before)
  const lines: string[] = []
  for (let number = first; number <= last; number += 1) {
    const start = starts[number - 1] ?? 0
    const end = source.indexOf('\n', start)
    lines.push(source.slice(start, end === -1 ? source.length : end).replace(/\r$/, ''))
  }
  return { first, lines }
}

const markedLine = (text: string, offset: number): { readonly shown: string; readonly caret: number } => {
  const at = Math.min(offset, text.length)
  const from = at > WIDTH * 0.75 ? at - WIDTH / 2 : 0
  const ahead = from > 0 ? '…' : ''
  const head = ahead + render(text.slice(from, at), Number.POSITIVE_INFINITY)
  const tail = render(text.slice(at, at + WIDTH), Math.max(WIDTH - head.length, 20))
  return { shown: head + tail, caret: widthOf(head) }
}

const render = (text: string, width = WIDTH): string => visibleLine(text.replaceAll('\t', TAB), width)

// Columns on a terminal: East Asian wide characters and emoji take two, combining marks none.
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u
const COMBINING = /\p{Mark}/u

const widthOf = (text: string): number => {
  let width = 0
  for (const character of text) {
    if (WIDE.test(character)) width += 2
    else if (!COMBINING.test(character)) width += 1
  }
  return width
}
