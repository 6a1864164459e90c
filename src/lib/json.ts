import { findJsonFault } from './json-fault.ts'

export type JsonResult =
  | { readonly ok: true; readonly value: unknown }
  | {
      readonly ok: false
      readonly message: string
      /** In UTF-16 code units from 0; line and column count from 1. Absent where the whole text is meant. */
      readonly offset?: number
      readonly line?: number
      readonly column?: number
    }

/** Deeper values overflow the stack of most that walks them: schema validators, differs, JSON.stringify itself. */
const MAX_DEPTH = 512

/**
 * Reads a text as one JSON value. A byte order mark at its start is skipped; `__proto__` is a key like any other;
 * nesting beyond 512 levels and more bytes than `maxBytes` are refused. It never throws: a fault says what was expected
 * where, the same on every version of Node.
 */
export const parseJson = (text: string, options: { readonly maxBytes?: number } = {}): JsonResult => {
  const { maxBytes = Number.POSITIVE_INFINITY } = options
  if (text.length > maxBytes || (text.length * 3 > maxBytes && Buffer.byteLength(text) > maxBytes)) {
    return { ok: false, message: `larger than ${maxBytes} bytes` }
  }
  const start = text.charCodeAt(0) === 0xfeff ? 1 : 0
  const json = start === 0 ? text : text.slice(start)
  const deep = tooDeepAt(json)
  if (deep !== undefined) return faultAt(text, deep + start, `nested deeper than ${MAX_DEPTH} levels`)
  try {
    return { ok: true, value: JSON.parse(json) }
  } catch {
    const fault = findJsonFault(json) ?? { offset: 0, message: 'not JSON' }
    return faultAt(text, fault.offset + start, fault.message)
  }
}

/**
 * Finds the JSON value in an answer: the whole text, or else the only code block of it that is fenced as `json`, or
 * else its only code block without a language.
 */
export const extractJson = (text: string): JsonResult => {
  const whole = parseJson(text)
  if (whole.ok) return whole
  const blocks = fencedBlocks(text)
  for (const language of ['json', '']) {
    const matching = blocks.filter((block) => block.language === language)
    if (matching.length > 1)
      return { ok: false, message: `${matching.length} JSON code blocks: which one is meant is unclear` }
    const [block] = matching
    if (block === undefined) continue
    const result = parseJson(block.code)
    return result.ok || result.offset === undefined
      ? result
      : faultAt(text, block.offset + result.offset, result.message)
  }
  return whole
}

// Jumps over strings, of which most JSON consists, so that it costs little beside parsing.
const tooDeepAt = (json: string): number | undefined => {
  let depth = 0
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at)
    if (code === QUOTE) {
      at = closingQuote(json, at + 1)
      if (at === -1) return undefined
    } else if (code === OPEN_LIST || code === OPEN_MAP) {
      depth += 1
      if (depth > MAX_DEPTH) return at
    } else if (code === CLOSE_LIST || code === CLOSE_MAP) {
      depth -= 1
    }
  }
  return undefined
}

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_MAP, CLOSE_MAP] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d]

const closingQuote = (json: string, from: number): number => {
  for (let at = json.indexOf('"', from); at !== -1; at = json.indexOf('"', at + 1)) {
    let backslashes = 0
    while (json.charCodeAt(at - 1 - backslashes) === BACKSLASH && at - backslashes > from) backslashes += 1
    if (backslashes % 2 === 0) return at
  }
  return -1
}

const faultAt = (text: string, offset: number, message: string): JsonResult => {
  const before = text.slice(0, offset)
  const lineStart = before.lastIndexOf('\n') + 1
  return { ok: false, message, offset, line: before.split('\n').length, column: offset - lineStart + 1 }
}

type Block = { readonly language: string; readonly code: string; readonly offset: number }

/** Fenced code blocks as in CommonMark: a fence closes with at least as many of the same signs, or at the end. */
const fencedBlocks = (text: string): readonly Block[] => {
  const blocks: Block[] = []
  let open: { readonly fence: string; readonly language: string; readonly from: number } | undefined
  let at = 0
  for (const line of text.split('\n')) {
    const [, fence = '', info = ''] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line.trimEnd()) ?? []
    if (open === undefined) {
      if (fence !== '') open = { fence, language: info.trim().toLowerCase(), from: at + line.length + 1 }
    } else if (fence.startsWith(open.fence) && info === '') {
      blocks.push({ language: open.language, code: text.slice(open.from, at), offset: open.from })
      open = undefined
    }
    at += line.length + 1
  }
  if (open !== undefined) blocks.push({ language: open.language, code: text.slice(open.from), offset: open.from })
  return blocks
}
