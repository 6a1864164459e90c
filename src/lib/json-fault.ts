export type JsonFault = { readonly offset: number; readonly message: string }

/**
 * Where a text stops being JSON (RFC 8259), and what was expected there; undefined: it is JSON. JSON.parse says this
 * in other words, or not at all, from one version of Node to the next. Walks the text once, without recursion.
 */
export const findJsonFault = (text: string): JsonFault | undefined => {
  const closers: string[] = []
  let at = skipBlanks(text, 0)
  let expecting: 'value' | 'value or ]' | 'key' | 'key or }' | 'end of value' = 'value'
  const fault = (offset: number, message: string): JsonFault => ({
    offset,
    message: offset >= text.length ? `${message}, but the text ends` : message,
  })

  for (;;) {
    const sign = text[at] ?? ''
    if (expecting === 'end of value') {
      const closer = closers.at(-1)
      if (closer === undefined) return sign === '' ? undefined : fault(at, 'expected nothing more after the value')
      if (sign === ',') {
        expecting = closer === '}' ? 'key' : 'value'
        at += 1
      } else if (sign === closer) {
        closers.pop()
        at += 1
      } else {
        return fault(at, `expected "," or "${closer}"`)
      }
    } else if (expecting === 'key' || expecting === 'key or }') {
      if (sign === '}' && expecting === 'key or }') {
        closers.pop()
        expecting = 'end of value'
        at += 1
      } else if (sign === '"') {
        const end = stringEnd(text, at)
        if (typeof end !== 'number') return fault(end.offset, end.message)
        at = skipBlanks(text, end)
        if (text[at] !== ':') return fault(at, 'expected ":" after the key')
        expecting = 'value'
        at += 1
      } else {
        return fault(
          at,
          expecting === 'key' ? 'expected a key in double quotes' : 'expected a key in double quotes or "}"',
        )
      }
    } else if (sign === ']' && expecting === 'value or ]') {
      closers.pop()
      expecting = 'end of value'
      at += 1
    } else if (sign === '{' || sign === '[') {
      closers.push(sign === '{' ? '}' : ']')
      expecting = sign === '{' ? 'key or }' : 'value or ]'
      at += 1
    } else {
      const end = sign === '"' ? stringEnd(text, at) : wordEnd(text, at)
      if (typeof end !== 'number') return fault(end.offset, end.message)
      at = end
      expecting = 'end of value'
    }
    at = skipBlanks(text, at)
  }
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
