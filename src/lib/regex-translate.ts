/** A pattern in RE2's syntax, and whether its `^` and `$` look for line ends. */
export type Re2Pattern = { readonly source: string; readonly hasLineAnchors: boolean }

type Flags = { readonly i: boolean; readonly m: boolean; readonly s: boolean; readonly u: boolean }

/**
 * Says a valid JavaScript pattern in RE2's syntax so that it means the same there. RE2 reads some of the same
 * letters otherwise (`\s`, `.`, `\a`, `\Q`, `[[:alpha:]]`), so each character and class is written out. Undefined when
 * RE2 has no word for it: look-ahead, back-references, a lone surrogate, inline flags.
 */
export const translateRegex = (body: string, flags: Flags): Re2Pattern | undefined => {
  const reader = { body, at: 0, flags }
  let source = flags.i ? '(?i)' : ''
  let hasLineAnchors = false
  while (reader.at < body.length) {
    const start = reader.at
    const piece = readPiece(reader)
    if (piece === undefined) return undefined
    hasLineAnchors ||= flags.m && (body[start] === '^' || body[start] === '$')
    source += piece
  }
  return { source, hasLineAnchors }
}

type Reader = { readonly body: string; at: number; readonly flags: Flags }

const DIGIT = '0-9'
const WORD = '0-9A-Z_a-z'
const SPACE = '\\x09-\\x0d\\x20\\xa0\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}'
const NOT_DIGIT = '\\x00-\\x2f\\x3a-\\x{10ffff}'
const NOT_WORD = '\\x00-\\x2f\\x3a-\\x40\\x5b-\\x5e\\x60\\x7b-\\x{10ffff}'
const NOT_SPACE =
  '\\x00-\\x08\\x0e-\\x1f\\x21-\\x9f\\xa1-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}'
const CLASSES: Readonly<Record<string, string>> = {
  d: DIGIT,
  D: NOT_DIGIT,
  w: WORD,
  W: NOT_WORD,
  s: SPACE,
  S: NOT_SPACE,
}
const CONTROLS: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13 }

const readPiece = (reader: Reader): string | undefined => {
  const { body, at, flags } = reader
  switch (body[at]) {
    case '(':
      return readGroup(reader)
    case '[':
      return readClass(reader)
    case '\\':
      return readEscape(reader)
    case '.':
      reader.at += 1
      return flags.s ? '(?s:.)' : '[^\\n\\r\\x{2028}\\x{2029}]'
    case '^':
    case '$':
      reader.at += 1
      return flags.m ? `(?m:${body[at]})` : `${body[at]}`
    case ')':
    case '|':
    case '*':
    case '+':
    case '?':
      reader.at += 1
      return body[at]
    case '{': {
      const [quantifier] = /^\{\d+(,\d*)?\}/.exec(body.slice(at, at + 40)) ?? []
      if (quantifier === undefined) return literal(readCharacter(reader))
      reader.at += quantifier.length
      return quantifier
    }
    default:
      return literal(readCharacter(reader))
  }
}

// Nothing is captured: only whether there is a match is ever asked.
const readGroup = (reader: Reader): string | undefined => {
  const [, name, opening] =
    /^\((?:\?(?:<([\p{ID_Start}$_\\][^>]*)>|(:|<=|<!)))?/su.exec(reader.body.slice(reader.at)) ?? []
  if (name !== undefined) {
    reader.at += name.length + 4
    return '(?:'
  }
  if (opening !== undefined) {
    reader.at += opening.length + 2
    return `(?${opening}`
  }
  if (reader.body[reader.at + 1] === '?') return undefined
  reader.at += 1
  return '(?:'
}

const readEscape = (reader: Reader): string | undefined => {
  const letter = reader.body[reader.at + 1] ?? ''
  if (letter === 'b' || letter === 'B') {
    reader.at += 2
    return `\\${letter}`
  }
  const set = readSet(reader)
  // Folding the complement of \w would add `k` and `s`, the other cases of two signs in it.
  if (set !== undefined) return `(?-i:[${set}])`
  return literal(readEscaped(reader))
}

/** `\d` and its like, as the inside of a class; undefined for another escape, which is left unread. */
const readSet = (reader: Reader): string | undefined => {
  const letter = reader.body[reader.at + 1] ?? ''
  const set = Object.hasOwn(CLASSES, letter) ? CLASSES[letter] : undefined
  if (set !== undefined) {
    reader.at += 2
    return set
  }
  // With the flag i the two engines complement and fold a property in different order.
  if ((letter !== 'p' && letter !== 'P') || !reader.flags.u || reader.flags.i) return undefined
  const [property] = /^\\[pP]\{[^}]*\}/.exec(reader.body.slice(reader.at)) ?? []
  if (property === undefined) return undefined
  reader.at += property.length
  return property
}

const readClass = (reader: Reader): string | undefined => {
  reader.at += 1
  const isNegated = reader.body[reader.at] === '^'
  if (isNegated) reader.at += 1
  let members = ''
  while (reader.body[reader.at] !== ']') {
    const member = readMember(reader)
    if (member === undefined) return undefined
    members += member
  }
  reader.at += 1
  if (members === '') return isNegated ? '(?s:.)' : '[^\\x00-\\x{10ffff}]'
  return `[${isNegated ? '^' : ''}${members}]`
}

const readMember = (reader: Reader): string | undefined => {
  const { body } = reader
  if (body[reader.at] === '\\') {
    if (reader.flags.i && body[reader.at + 1] === 'W') return undefined
    const set = readSet(reader)
    // In `[\d-x]` the hyphen is a member of its own.
    if (set !== undefined) return body[reader.at] === '-' && body[reader.at + 1] !== ']' ? undefined : set
  }
  const low = readClassCharacter(reader)
  if (low === undefined) return undefined
  if (body[reader.at] !== '-' || body[reader.at + 1] === ']') return literal(low)
  reader.at += 1
  const high = readClassCharacter(reader)
  if (high === undefined || (reader.flags.i && FOLDED_INTO_ASCII.some((code) => low <= code && code <= high)))
    return undefined
  return `${literal(low)}-${literal(high)}`
}

// The long s and the Kelvin sign: RE2 takes them for `s` and `k` in another case, JavaScript does not.
const FOLDED_INTO_ASCII = [0x17f, 0x212a]

const readClassCharacter = (reader: Reader): number | undefined => {
  if (reader.body[reader.at] !== '\\') return readCharacter(reader)
  if (reader.body[reader.at + 1] !== 'b') return readEscaped(reader)
  reader.at += 2
  return 8
}

/** The code point that an escape stands for; undefined for those that are no single, whole character everywhere. */
const readEscaped = (reader: Reader): number | undefined => {
  const { body, at, flags } = reader
  const take = (length: number, code: number): number => {
    reader.at += length
    return code
  }
  const rest = body.slice(at + 1, at + 12)
  const letter = rest[0] ?? ''
  const control = Object.hasOwn(CONTROLS, letter) ? CONTROLS[letter] : undefined
  if (control !== undefined) return take(2, control)
  const [hex, digits] = /^(?:x|u)([\da-f]{2}(?:(?<=^u..)[\da-f]{2})?)/i.exec(rest) ?? []
  if (hex !== undefined && digits !== undefined && hex.length === (letter === 'x' ? 3 : 5)) {
    return readPair(reader, take(hex.length + 1, Number.parseInt(digits, 16)))
  }
  const [braced, point] = flags.u ? (/^u\{([\da-f]+)\}/i.exec(rest) ?? []) : []
  if (braced !== undefined && point !== undefined) return whole(take(braced.length + 1, Number.parseInt(point, 16)))
  if (letter === '0' && !/^\d/.test(rest.slice(1))) return take(2, 0)
  if (letter === 'c' && /^c[a-z]/i.test(rest)) return take(3, rest.charCodeAt(1) % 32)
  // What is left of letters and digits: back-references, octal numbers, names, and slips that JavaScript forgives.
  if (letter === '' || /[0-9ckpPuxdDwWsS]/.test(letter)) return undefined
  reader.at += 1
  return readCharacter(reader)
}

// `\ud83d\ude42` is one character to RE2; half of one is none.
const readPair = (reader: Reader, code: number): number | undefined => {
  const [low] = /^\\u(d[c-f][\da-f]{2})/i.exec(reader.body.slice(reader.at, reader.at + 6)) ?? []
  if (code < 0xd800 || code > 0xdbff || low === undefined) return whole(code)
  reader.at += 6
  return 0x10000 + (code - 0xd800) * 0x400 + (Number.parseInt(low.slice(2), 16) - 0xdc00)
}

const readCharacter = (reader: Reader): number | undefined => {
  const code = reader.body.codePointAt(reader.at) ?? 0
  reader.at += code > 0xffff ? 2 : 1
  return whole(code)
}

const whole = (code: number): number | undefined => (code >= 0xd800 && code <= 0xdfff ? undefined : code)

const literal = (code: number | undefined): string | undefined => {
  if (code === undefined) return undefined
  const isPlain = (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a)
  return isPlain ? String.fromCodePoint(code) : `\\x{${code.toString(16)}}`
}
