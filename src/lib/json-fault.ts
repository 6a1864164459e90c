export type JsonFault = { readonly offset: number; readonly message: string }

/**
 * Where a text stops being JSON (RFC 8259), and what was expected there; undefined: it is JSON. JSON.parse says this
 * in other words, or not at all, from one version of Node to the next. Walks the text once, without recursion.
 */
export const findJsonFault = (text: string): JsonFault | undefined => {
  const reader: Reader = { text, at: skipBlanks(text, 0), closers: [], expecting: 'value' }
  while (!isDone(reader)) {
    const fault = step(reader)
    if (fault !== undefined) {
      const { offset, message } = fault
      return { offset, message: offset >= text.length ? `${message}, but the text ends` : message }
    }
    reader.at = skipBlanks(text, reader.at)
  }
  return undefined
}

type Expecting = 'value' | 'value or ]' | 'key' | 'key or }' | ':' | 'next'
type Reader = { readonly text: string; at: number; readonly closers: ('}' | ']')[]; expecting: Expecting }

const isDone = ({ text, at, closers, expecting }: Reader): boolean =>
  expecting === 'next' && closers.length === 0 && at === text.length

/** Reads one sign, key or plain value, and sets what may follow it. */
const step = (reader: Reader): JsonFault | undefined => {
  const { text, at, closers, expecting } = reader
  const sign = text[at]
  switch (expecting) {
    case 'next':
      if (sign === ',' && closers.length > 0) return pass(reader, closers.at(-1) === '}' ? 'key' : 'value')
      return sign !== undefined && sign === closers.at(-1) ? close(reader) : { offset: at, message: nextOf(closers) }
    case ':':
      return sign === ':' ? pass(reader, 'value') : { offset: at, message: 'expected ":" after the key' }
    case 'key or }':
      if (sign === '}') return close(reader)
      return sign === '"' ? readKey(reader) : { offset: at, message: 'expected a key in double quotes or "}"' }
    case 'key':
      return sign === '"' ? readKey(reader) : { offset: at, message: 'expected a key in double quotes' }
    case 'value or ]':
      return sign === ']' ? close(reader) : readValue(reader)
    case 'value':
      return readValue(reader)
  }
}

const pass = (reader: Reader, expecting: Expecting): undefined => {
  reader.at += 1
  reader.expecting = expecting
}

const close = (reader: Reader): undefined => {
  reader.closers.pop()
  return pass(reader, 'next')
}

const nextOf = (closers: readonly string[]): string =>
  closers.length === 0 ? 'expected nothing more after the value' : `expected "," or "${closers.at(-1)}"`

const readValue = (reader: Reader): JsonFault | undefined => {
  const { text, at, closers } = reader
  if (text[at] === '{') {
    closers.push('}')
    return pass(reader, 'key or }')
  }
  if (text[at] === '[') {
    closers.push(']')
    return pass(reader, 'value or ]')
  }
  return readTo(reader, text[at] === '"' ? stringEnd(text, at) : wordEnd(text, at), 'next')
}

const readKey = (reader: Reader): JsonFault | undefined => readTo(reader, stringEnd(reader.text, reader.at), ':')

const readTo = (reader: Reader, end: number | JsonFault, expecting: Expecting): JsonFault | undefined => {
  if (typeof end !== 'number') return end
  reader.at = end
  reader.expecting = expecting
  return undefined
}

const skipBlanks = (text: string, from: number): number => matchEnd(/[ \t\n\r]*/y, text, from)

const wordEnd = (text: string, from: number): number | JsonFault => {
  const end = matchEnd(/true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y, text, from)
  return end > from ? end : { offset: from, message: 'expected a value' }
}

// Piece by piece: one pattern for the whole of a long string would overflow the matcher's stack.
const stringEnd = (text: string, from: number): number | JsonFault => {
  let at = from + 1
  for (;;) {
    at = matchEnd(/[^"\\\x00-\x1f]*/y, text, at)
    if (text[at] === '"') return at + 1
    if (at >= text.length) return { offset: at, message: 'expected "' }
    if (text[at] !== '\\') return { offset: at, message: 'expected an escape instead of a control character' }
    const end = matchEnd(/\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y, text, at)
    if (end === at) return { offset: at, message: 'expected one of \\" \\\\ \\/ \\b \\f \\n \\r \\t \\u0000' }
    at = end
  }
}

const matchEnd = (pattern: RegExp, text: string, from: number): number => {
  pattern.lastIndex = from
  return from + (pattern.exec(text)?.[0].length ?? 0)
}
