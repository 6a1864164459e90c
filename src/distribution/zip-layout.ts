import { extraFields, extraProblem } from './zip-extra.ts'
import { readRecord, type ZipRecord } from './zip-record.ts'

export type ZipProblem = { readonly problem: string; readonly entry?: string }

const END = 0x06054b50
const END_BYTES = 22
const LOCAL = 0x04034b50
const LOCAL_BYTES = 30
const DESCRIPTOR = 0x08074b50
const DESCRIPTOR_FLAG = 8
const MAX_COMMENT = 0xffff

/**
 * Reads the structure of a zip (APPNOTE 6.3.10) and refuses every one that two readers could read differently: its
 * entries must fill the file from its first byte without gap or overlap, then the central directory, then one end
 * record; what is said of an entry in two places must be the same. Zip64 is refused: nothing so large is taken.
 */
export const readZipLayout = (zip: Uint8Array, maxEntries: number): readonly ZipRecord[] | ZipProblem => {
  const bytes = Buffer.from(zip.buffer, zip.byteOffset, zip.byteLength)
  const end = findEnd(bytes)
  if ('problem' in end) return end
  if (end.count > maxEntries) return { problem: `it has ${end.count} entries, more than ${maxEntries}` }
  const records: ZipRecord[] = []
  let at = end.directoryAt
  for (let i = 0; i < end.count; i += 1) {
    const read = readRecord(bytes, at, end.at)
    if ('problem' in read) return read
    records.push(read.record)
    at = read.next
  }
  if (at !== end.at) return { problem: 'its directory has other bytes than those of its entries' }
  return checkPlaces(bytes, records, end.directoryAt) ?? records
}

type End = { readonly at: number; readonly count: number; readonly directoryAt: number }

/** The end record: the last one, and the only one whose comment ends where the file does. */
const findEnd = (bytes: Buffer): End | ZipProblem => {
  const places = endPlaces(bytes)
  const whole = places.filter((at) => at + END_BYTES + bytes.readUInt16LE(at + 20) === bytes.length)
  const [at] = whole
  if (at === undefined) {
    const isZip = bytes.length > 4 && bytes.readUInt32LE(0) === LOCAL
    return { problem: isZip ? 'it was cut off, or has something behind its end' : 'it is not a zip file' }
  }
  const end = { at, count: bytes.readUInt16LE(at + 10), directoryAt: bytes.readUInt32LE(at + 16) }
  const size = bytes.readUInt32LE(at + 12)
  if (end.count === 0xffff || size === 0xffffffff || end.directoryAt === 0xffffffff)
    return { problem: 'it is in the zip64 form, which nothing of this size needs' }
  // In the data of an entry it may stand: a zip in a zip has one.
  if (whole.length > 1 || places.some((place) => place > at || (place < at && place >= end.directoryAt)))
    return { problem: 'it has two end records, so that readers may take either' }
  if (bytes.readUInt16LE(at + 4) !== 0 || bytes.readUInt16LE(at + 6) !== 0)
    return { problem: 'it is a part of an archive in several files' }
  if (bytes.readUInt16LE(at + 8) !== end.count) return { problem: 'its end record tells two numbers of entries' }
  return end.directoryAt + size === at ? end : { problem: 'its directory does not end where its end record begins' }
}

/** Where an end record could be. */
const endPlaces = (bytes: Buffer): readonly number[] => {
  const from = Math.max(0, bytes.length - END_BYTES - MAX_COMMENT)
  const places: number[] = []
  for (let at = bytes.length - END_BYTES; at >= from; at -= 1) if (bytes.readUInt32LE(at) === END) places.push(at)
  return places
}

/** Each entry begins where the one before it ends, the directory where the last one does. */
const checkPlaces = (bytes: Buffer, records: readonly ZipRecord[], directoryAt: number): ZipProblem | undefined => {
  let at = 0
  for (const record of [...records].sort((a, b) => a.localAt - b.localAt)) {
    if (record.localAt !== at) return gap(at, record.localAt < at, record.name)
    const end = localEnd(bytes, record, directoryAt)
    if (typeof end === 'string') return { problem: end, entry: record.name }
    at = end
  }
  return at === directoryAt ? undefined : gap(at, false)
}

const gap = (at: number, isOverlap: boolean, entry?: string): ZipProblem => {
  if (isOverlap) return { problem: 'it lies over another one', ...(entry === undefined ? {} : { entry }) }
  return { problem: at === 0 ? 'it has something before its first entry' : 'it has something between its entries' }
}

const differs = 'it is described differently in the two places that describe it'
const tooLarge = 'it is larger than the file has room for'

/** Where the entry with its data ends; or what is wrong with it. */
const localEnd = (bytes: Buffer, record: ZipRecord, limit: number): number | string => {
  const { localAt: at, flags, rawName } = record
  if (at + LOCAL_BYTES > limit || bytes.readUInt32LE(at) !== LOCAL) return 'it is not where the directory says'
  const extraAt = at + LOCAL_BYTES + bytes.readUInt16LE(at + 26)
  const dataAt = extraAt + bytes.readUInt16LE(at + 28)
  const dataEnd = dataAt + record.packedSize
  if (dataEnd > limit) return tooLarge
  const isSame =
    bytes.subarray(at + LOCAL_BYTES, extraAt).equals(rawName) &&
    bytes.readUInt16LE(at + 6) === flags &&
    bytes.readUInt16LE(at + 8) === record.method &&
    bytes.readUInt32LE(at + 10) === record.time
  if (!isSame) return differs
  // The extra fields of both places may tell other times, but none may rename or resize.
  const extra = extraFields(bytes.subarray(extraAt, dataAt))
  const problem = extra?.map((field) => extraProblem(field, rawName)).find((one) => one !== undefined)
  if (extra === undefined || problem !== undefined) return problem ?? 'its extra fields can not be read'
  const told = [14, 18, 22].map((offset) => bytes.readUInt32LE(at + offset))
  const known = [record.crc, record.packedSize, record.size]
  const isBehind = (flags & DESCRIPTOR_FLAG) !== 0
  if (!told.every((value, i) => value === known[i] || (isBehind && value === 0))) return differs
  return isBehind ? descriptorEnd(bytes, dataEnd, limit, known) : dataEnd
}

/** What streaming packers write behind the data, with or without a signature. */
const descriptorEnd = (bytes: Buffer, at: number, limit: number, known: readonly number[]): number | string => {
  const isSigned = at + 16 <= limit && bytes.readUInt32LE(at) === DESCRIPTOR
  const start = isSigned ? at + 4 : at
  if (start + 12 > limit) return tooLarge
  return known.every((value, i) => bytes.readUInt32LE(start + 4 * i) === value) ? start + 12 : differs
}

/** Where the data of an entry begins, whose layout was read. */
export const dataPlace = (bytes: Buffer, { localAt }: ZipRecord): number =>
  localAt + LOCAL_BYTES + bytes.readUInt16LE(localAt + 26) + bytes.readUInt16LE(localAt + 28)
