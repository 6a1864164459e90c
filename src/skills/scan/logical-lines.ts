export type LogicalLine = { readonly text: string; readonly offset: number }

const MAX_LENGTH = 2000
const OVERLAP = 200

/**
 * The lines of a program with those that one goes on in joined to it: behind `\`, `|`, `&&`, an open parenthesis, and before
 * a line that starts with `|`. Very long ones come in pieces that overlap, so that work on a line is bounded.
 */
export function* logicalLines(text: string): Generator<LogicalLine> {
  let start = 0
  while (start < text.length) {
    let end = lineEnd(text, start)
    while (end < text.length && end - start < MAX_LENGTH && goesOn(text, start, end)) end = lineEnd(text, end + 1)
    yield* pieces(text, start, end)
    start = end + 1
  }
}

const lineEnd = (text: string, from: number): number => {
  const end = text.indexOf('\n', from)
  return end === -1 ? text.length : end
}

const goesOn = (text: string, start: number, end: number): boolean =>
  /(?:\\|\||&&|\()[ \t\r]{0,20}$/.test(text.slice(Math.max(start, end - 24), end)) ||
  /^\s{0,40}\|/.test(text.slice(end + 1, end + 42))

function* pieces(text: string, start: number, end: number): Generator<LogicalLine> {
  for (let at = start; at < end; at += MAX_LENGTH - OVERLAP) {
    yield { text: text.slice(at, Math.min(end, at + MAX_LENGTH)).replace(/\\?\r?\n/g, ' '), offset: at }
    if (at + MAX_LENGTH >= end) return
  }
}
