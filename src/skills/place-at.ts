import type { Place } from './diagnose.ts'

/** Line and column of an offset in a text whose first line is `firstLine` of its file. */
export const placeAt = (text: string, offset: number, firstLine = 1): Place => {
  let line = firstLine
  let start = 0
  for (let end = text.indexOf('\n'); end !== -1 && end < offset; end = text.indexOf('\n', start)) {
    line += 1
    start = end + 1
  }
  return { line, column: offset - start + 1 }
}
