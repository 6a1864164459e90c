import { crc32, inflateRawSync } from 'node:zlib'
import { dataPlace } from './zip-layout.ts'
import type { ZipRecord } from './zip-record.ts'

/** The content of an entry, never more than it says that it has; or what is wrong with it. */
export const unpackRecord = (zip: Uint8Array, record: ZipRecord): Buffer | { readonly problem: string } => {
  const bytes = Buffer.from(zip.buffer, zip.byteOffset, zip.byteLength)
  const at = dataPlace(bytes, record)
  const packed = bytes.subarray(at, at + record.packedSize)
  const content = record.method === 0 ? { buffer: packed, used: packed.length } : inflate(packed, record.size)
  if (content === undefined) return { problem: 'its data can not be unpacked to what it says' }
  // What follows the end of packed data is seen by some readers only.
  if (content.used !== packed.length || content.buffer.length !== record.size)
    return { problem: 'its data is not as long as it says' }
  return crc32(content.buffer) === record.crc ? content.buffer : { problem: 'its checksum is wrong' }
}

type Inflated = { readonly buffer: Buffer; readonly used: number }

const inflate = (packed: Buffer, size: number): Inflated | undefined => {
  try {
    // `info` is not in the types: the result is then the output with the engine that tells how much it has read.
    const options = { maxOutputLength: Math.max(size, 1), info: true } as const
    const { buffer, engine } = inflateRawSync(packed, options) as unknown as {
      readonly buffer: Buffer
      readonly engine: { readonly bytesWritten: number }
    }
    return { buffer, used: engine.bytesWritten }
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined
    throw error
  }
}
