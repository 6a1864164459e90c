import { type CodeLanguage, isCommentLine } from './code-language.ts'

export type LogicalLine = { readonly text: string; readonly offset: number }

const MAX_LENGTH = 2000
const OVERLAP = 200

/**
 * The lines of a program with those that one goes on in joined to it: behind `\`, `|`, `&&`, an open parenthesis, and before
 * a line that starts with `|`. A line that is a comment is none, goes on in no other, and ends what stands before it. Very
 * long ones come in pieces that overlap, so that work on a line is bounded.
 */
export function* logicalLines(text: string, language: CodeLanguage): Generator<LogicalLine> {
  let start = 0
  while (start < text.length) {
    let end = lineEnd(text, start)
    if (isComment(text, start, end, language)) {
      start = end + 1
      continue
    }
    while (end < text.length && end - start < MAX_LENGTH && goesOn(text, start, end)) {
      const next = lineEnd(text, end + 1)
      if (isComment(text, end + 1, next, language)) break
      end = next
    }
    yield* pieces(text, start, end)
    start = end + 1
  }
}

const lineEnd = (text: string, from: number): number => {
  const end = text.indexOf('\n', from)
  return end === -1 ? text.length : end
}

const isComment = (text: string, start: number, end: number, language: CodeLanguage): boolean =>
  isCommentLine(text.slice(start, Math.min(end, start + 120)), language)

const goesOn = (text: string, start: number, end: number): boolean =>
  /(?:\\|\||&&|\()[ \t\r]{0,20}$/.test(text.slice(Math.max(start, end - 24), end)) ||
  /^\s{0,40}\|/.test(text.slice(end + 1, end + 42))

function* pieces(text: string, start: number, end: number): Generator<LogicalLine> {
  for (let at = start; at < end; at += MAX_LENGTH - OVERLAP) {
    yield { text: text.slice(at, Math.min(end, at + MAX_LENGTH)).replace(/\\?\r?\n/g, ' '), offset: at }
    if (at + MAX_LENGTH >= end) return
  }
}
