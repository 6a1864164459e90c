/** A long run of base64 or hex in a text, and what it says where that is text. */
export type EncodedText = {
  readonly offset: number
  readonly length: number
  readonly decoded: string | undefined
  /** Numbers and escapes that are rather data than text: worth telling only for what they say. */
  readonly isData: boolean
}

/**
 * Finds what is encoded: at least 40 characters running, also where lines or quotes part them, so that hashes and ids are none.
 * What is a picture, a font or the checksum of a package is left out.
 */
export function* encodedTexts(text: string): Generator<EncodedText> {
  for (const match of text.matchAll(runs)) {
    const whole = encodedRun(text, match[0], match.index)
    // Lines, and words with a dash, that belong together say something together; else each is looked at by itself.
    const parts = whole?.decoded === undefined ? [...match[0].matchAll(/[A-Za-z0-9+/]{40,}={0,2}/g)] : []
    const read = parts.flatMap((part) => encodedRun(text, part[0], match.index + part.index) ?? [])
    if (read.some(({ decoded }) => decoded !== undefined)) yield* read
    else if (whole !== undefined && !/^sha\d{1,3}-/.test(match[0])) yield whole
  }
  for (const match of text.matchAll(escapes)) {
    const decoded = asText(
      Uint8Array.from(match[0].matchAll(/[0-9a-fA-F]{2}(?![0-9a-fA-F])/g), ([hex]) => Number.parseInt(hex, 16)),
    )
    if (decoded !== undefined)
      yield { offset: match.index, length: match[0].length, decoded, isData: !/^\\x/.test(match[0]) }
  }
  for (const match of text.matchAll(/(?<![\d.])\d{2,3}(?:\s{0,3},\s{0,3}\d{2,3}){11,}(?![\d.])/g)) {
    const codes = match[0].split(',').map(Number)
    const decoded = codes.every((code) => code < 127) ? asText(Uint8Array.from(codes)) : undefined
    if (decoded !== undefined) yield { offset: match.index, length: match[0].length, decoded, isData: true }
  }
}

const encodedRun = (text: string, written: string, offset: number): EncodedText | undefined => {
  const bytes = decode(written.replace(/["'`][ \t]*[+,.]?[ \t]*\\?\s*["'`]|\\?\s+/g, ''))
  if (bytes === undefined || isMedia(bytes) || isChecksum(text, offset, written)) return undefined
  return { offset, length: written.length, decoded: asText(bytes), isData: false }
}

// The second form is of lines: each ends where a text does, and the next one begins with more of it.
const runs =
  /(?<![A-Za-z0-9+/_-])(?:[A-Za-z0-9+/_-]{40,}={0,2}|[A-Za-z0-9+/]{16,39})(?:(?:["'`][ \t]{0,8}[+,.]?[ \t]{0,8}\\?\r?\n?[ \t]{0,20}["'`]|\\?\r?\n[ \t]{0,20})[A-Za-z0-9+/]{4,}={0,2}(?![A-Za-z0-9+/_-])){0,2000}/g
const escapes = /(?:(?:\\x|%|\\u00|0x)[0-9a-fA-F]{2}(?![0-9a-fA-F])[ ,]{0,2}){12,}/g

const decode = (written: string): Uint8Array | undefined => {
  if (written.length < 40) return undefined
  if (/^[0-9a-fA-F]+$/.test(written)) {
    if (written.length <= 128 && asText(Buffer.from(written, 'hex')) === undefined) return undefined
    return Buffer.from(written, 'hex')
  }
  if (/^[A-Z2-7]+=*$/.test(written)) return fromBase32(written)
  // Paths, identifiers and rules are long words as well.
  const isWord = !/[0-9]/.test(written) || !/[a-z]/.test(written) || !/[A-Z]/.test(written) || /[-_/]{3}/.test(written)
  return isWord ? undefined : Buffer.from(written, 'base64')
}

const fromBase32 = (written: string): Uint8Array | undefined => {
  const bytes: number[] = []
  let bits = 0
  let value = 0
  for (const letter of written.replace(/=+$/, '')) {
    value = ((value << 5) | 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter)) & 0xfff
    bits += 5
    if (bits >= 8) {
      bits -= 8
      bytes.push((value >> bits) & 0xff)
    }
  }
  const decoded = Uint8Array.from(bytes)
  return asText(decoded) === undefined ? undefined : decoded
}

const asText = (bytes: Uint8Array): string | undefined => {
  // PowerShell takes its commands in UTF-16.
  const isWide = bytes.length >= 16 && bytes.every((byte, i) => i > 200 || (i % 2 === 1 ? byte === 0 : byte !== 0))
  try {
    const text = isWide
      ? new TextDecoder('utf-16le').decode(bytes)
      : new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, wholeCharacters(bytes)))
    return /^[\P{Cc}\n\r\t]+$/u.test(text) && /[\p{L} ]{3}/u.test(text) ? text : undefined
  } catch {
    // Not every run of letters says something.
    return undefined
  }
}

/** Without a character at the end that is cut off. */
const wholeCharacters = (bytes: Uint8Array): number => {
  for (let back = 1; back <= 3 && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte >= 0xc0) return bytes.length - back
    if (byte < 0x80) break
  }
  return bytes.length
}

const isMedia = (bytes: Uint8Array): boolean =>
  /^(?:\x89PNG|GIF8[79]a|\xff\xd8\xff|RIFF|wOF[F2]|OTTO|%PDF|\x00\x01\x00\x00)/.test(
    Buffer.from(bytes.subarray(0, 8)).toString('latin1'),
  ) && asText(bytes) === undefined

const lengths: ReadonlyMap<string, number> = new Map([
  ['sha1-', 28],
  ['sha256-', 44],
  ['sha384-', 64],
  ['sha512-', 88],
])

/** Of the form that package managers write, and exactly as long as its kind is. */
const isChecksum = (text: string, offset: number, written: string): boolean => {
  const [, length = ''] = /^([A-Za-z0-9+/]+={0,2})/.exec(written) ?? []
  const [before = ''] = /sha(?:1|256|384|512)-$/.exec(text.slice(Math.max(0, offset - 8), offset)) ?? []
  return length.length === written.length && lengths.get(before) === written.length
}
