/**
 * Bytes as text: UTF-16 with or without its mark, else UTF-8 read leniently. The mark of UTF-8 stays, for it is
 * looked at as well.
 */
export const decodeText = (bytes: Uint8Array): string =>
  new TextDecoder(encodingOf(bytes), { ignoreBOM: true }).decode(bytes)

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be'

const encodingOf = (bytes: Uint8Array): Encoding => {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  // Of Latin letters every second byte is zero.
  const start = bytes.subarray(0, 512)
  const zeros = (from: number) => start.reduce((sum, byte, i) => sum + (i % 2 === from && byte === 0 ? 1 : 0), 0)
  const most = start.length * 0.4
  if (start.length < 4 || start.length % 2 !== 0) return 'utf-8'
  if (zeros(1) >= most && zeros(0) === 0) return 'utf-16le'
  return zeros(0) >= most && zeros(1) === 0 ? 'utf-16be' : 'utf-8'
}

/**
 * Whether it reads as text: few of the first characters are controls or could not be decoded. A NUL now and then hides a
 * script from nobody but a reader: shells pass over it.
 */
export const isText = (text: string): boolean => {
  const start = text.slice(0, 8192)
  return share(start, /[\x00-\x08\x0e-\x1a\x1c-\x1f]/g) <= 0.1 && share(start, /\ufffd/g) <= 0.3
}

const share = (text: string, pattern: RegExp): number =>
  text === '' ? 0 : (text.match(pattern)?.length ?? 0) / text.length

/**
 * The text of code with every line end that a language knows as `\n`, at the same offsets: behind a lone `\r` a reader sees
 * one long comment where Python sees the next line.
 */
export const withLineFeeds = (text: string): string => text.replace(/\r(?!\n)|[\u2028\u2029]/g, '\n')
