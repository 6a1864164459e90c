/** A long run of base64 or hex in a text, and what it says where that is text. */
export type EncodedText = {
  readonly offset: number
  readonly length: number
  readonly decoded: string | undefined
  /** It is part of an address of data, or known harmless content: a picture, a hash, a font. */
  readonly isHarmless: boolean
}

const MAX_DECODED = 16 * 1024
const MAX_FOUND = 50

/** Finds what is encoded: at least 40 characters running, so that hashes and ids are none. */
export function* encodedTexts(text: string): Generator<EncodedText> {
  let found = 0
  for (const match of text.matchAll(/[A-Za-z0-9+/_-]{40,}={0,2}|(?:\\x[0-9a-fA-F]{2}){12,}/g)) {
    if (found === MAX_FOUND) return
    const [written] = match
    const bytes = decode(written.slice(0, MAX_DECODED))
    if (bytes === undefined) continue
    found += 1
    const decoded = asText(bytes)
    const before = text.slice(Math.max(0, match.index - 60), match.index)
    yield {
      offset: match.index,
      length: written.length,
      decoded,
      isHarmless:
        /data:(?:image|font|audio|video|application\/(?:font|pdf|wasm))[^,\s]{0,40},$|sha\d{3}-$|integrity/.test(
          before,
        ) || isMedia(bytes),
    }
  }
}

const decode = (written: string): Uint8Array | undefined => {
  if (written.startsWith('\\x')) return Buffer.from(written.replaceAll('\\x', ''), 'hex')
  if (/^[0-9a-fA-F]+$/.test(written)) return written.length > 128 ? Buffer.from(written, 'hex') : undefined
  // Paths, identifiers and rules are long words as well.
  const isWord = !/[0-9]/.test(written) || !/[a-z]/.test(written) || !/[A-Z]/.test(written) || /[-_/]{3}/.test(written)
  return isWord ? undefined : Buffer.from(written, 'base64')
}

const asText = (bytes: Uint8Array): string | undefined => {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, bytes.length - (bytes.length % 4)))
    return /^[\P{Cc}\n\r\t]+$/u.test(text) && /[\p{L} ]{3}/u.test(text) ? text : undefined
  } catch {
    // Not every run of letters says something.
    return undefined
  }
}

const isMedia = (bytes: Uint8Array): boolean =>
  /^(?:\x89PNG|GIF8|\xff\xd8\xff|RIFF|wOF|OTTO|%PDF|<svg|\x00\x01\x00\x00)/.test(
    Buffer.from(bytes.subarray(0, 8)).toString('latin1'),
  )
