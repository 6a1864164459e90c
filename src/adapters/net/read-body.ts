import { PassThrough, pipeline, type Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

/** The server's answer can't be read as what it says it is. */
export class BodyError extends Error {
  readonly code = 'BODY'
}

/**
 * The decoded head of a body, at most `keepBytes`. Reads no further once it has that: a decoder makes its output
 * in small pieces as it is asked for, so what a bomb would unfold to is never there.
 */
export const readBody = async (
  body: Readable,
  encoding: string,
  keepBytes: number,
): Promise<{ readonly body: Uint8Array; readonly isCut: boolean }> => {
  const decoder = decoderOf(encoding)
  const pieces: Buffer[] = []
  let bytes = 0
  // The loop reports what breaks; leaving it early closes everything.
  const decoded = pipeline(body, atMost(4 * keepBytes + encodedSlack), decoder, () => undefined)
  for await (const piece of decoded as AsyncIterable<Buffer>) {
    pieces.push(piece)
    bytes += piece.length
    if (bytes > keepBytes) break
  }
  return { body: Buffer.concat(pieces).subarray(0, keepBytes), isCut: bytes > keepBytes }
}

const encodedSlack = 64 * 1024

/** An encoded body can be long and say nothing: names in a gzip header, empty blocks. */
const atMost = (limit: number) =>
  async function* (source: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
    let bytes = 0
    for await (const piece of source) {
      bytes += piece.length
      if (bytes > limit) throw new BodyError('its encoded body is long and holds next to nothing')
      yield piece
    }
  }

/** We ask for a body without encoding; some servers encode it all the same. */
const decoderOf = (encoding: string): Transform => {
  switch (encoding.trim().toLowerCase()) {
    case '':
    case 'identity':
      return new PassThrough()
    case 'gzip':
    case 'x-gzip':
      return createGunzip()
    case 'deflate':
      return createInflate()
    case 'br':
      return createBrotliDecompress()
    default:
      throw new BodyError(`its body is encoded in a way that can't be read here: ${encoding}`)
  }
}
