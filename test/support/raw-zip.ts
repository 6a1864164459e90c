import { crc32, deflateRawSync } from 'node:zlib'

type Fields = {
  readonly flags?: number
  readonly method?: number
  readonly time?: number
  readonly crc?: number
  readonly packedSize?: number
  readonly size?: number
  readonly name?: string | Uint8Array
  readonly extra?: Uint8Array
}

/** An entry, true unless a field says otherwise; what is in `local` is told by its local header alone. */
export type RawEntry = Fields & {
  readonly name: string | Uint8Array
  readonly data?: string | Uint8Array
  /** The bytes as they lie in the zip, instead of the data stored or deflated. */
  readonly packed?: Uint8Array
  readonly local?: Fields
  /** The mode with its type; 0o100644 for files, 0o40755 for folders. */
  readonly mode?: number
  readonly attributes?: number
  /** Which system wrote it: 3 is Unix. */
  readonly madeBy?: number
  /** Where the directory says that it begins, where that is not where it does. */
  readonly localAt?: number
  /** Sizes behind the data, as streaming packers write them; with these fields. */
  readonly descriptor?: Fields & { readonly isBare?: boolean }
  /** Bytes before its local header. */
  readonly gap?: Uint8Array
  readonly disk?: number
  readonly comment?: Uint8Array
  /** Only in the directory. */
  readonly isGhost?: boolean
}

export type RawEnd = {
  readonly count?: number
  readonly countHere?: number
  readonly size?: number
  readonly at?: number
  readonly disk?: number
  readonly comment?: Uint8Array
  readonly commentBytes?: number
  /** Before the directory, between it and the end record, and behind that. */
  readonly beforeDirectory?: Uint8Array
  readonly beforeEnd?: Uint8Array
  readonly behind?: Uint8Array
}

export const bytes = (text: string): Buffer => Buffer.from(text, 'latin1')

/** A zip to the byte as it is told, however wrong: no library writes those that tests of readers need. */
export const rawZip = (entries: readonly RawEntry[], end: RawEnd = {}): Buffer => {
  const locals: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  const put = (piece: Uint8Array): void => {
    locals.push(Buffer.from(piece))
    at += piece.length
  }
  for (const entry of entries) {
    const data = Buffer.from(entry.data ?? '')
    const method = entry.method ?? 0
    const packed = Buffer.from(entry.packed ?? (method === 8 ? deflateRawSync(data) : data))
    const name = asBytes(entry.name)
    const told = {
      flags: (entry.descriptor ? 8 : 0) | (/[^\x00-\x7f]/.test(name.toString('latin1')) ? 0x800 : 0),
      method,
      time: 0x00210000,
      crc: crc32(data),
      packedSize: packed.length,
      size: data.length,
      extra: Buffer.alloc(0),
      ...defined(entry),
      name,
    }
    put(entry.gap ?? Buffer.alloc(0))
    const localAt = entry.localAt ?? at
    if (!entry.isGhost) {
      const nothing = entry.descriptor ? { crc: 0, packedSize: 0, size: 0 } : {}
      put(localHeader({ ...told, ...nothing, ...defined(entry.local ?? {}) }))
      put(packed)
      if (entry.descriptor) put(descriptor({ ...told, ...defined(entry.descriptor) }, entry.descriptor.isBare === true))
    }
    directory.push(centralHeader(told, entry, localAt))
  }
  const whole = Buffer.concat(directory)
  const before = Buffer.from(end.beforeDirectory ?? [])
  return Buffer.concat([
    ...locals,
    before,
    whole,
    endOf({ count: entries.length, size: whole.length, at: at + before.length, ...end }),
  ])
}

const endOf = (end: RawEnd & { readonly count: number; readonly size: number; readonly at: number }): Buffer => {
  const record = Buffer.alloc(22)
  const comment = Buffer.from(end.comment ?? [])
  record.writeUInt32LE(0x06054b50, 0)
  record.writeUInt16LE(end.disk ?? 0, 4)
  record.writeUInt16LE(end.disk ?? 0, 6)
  record.writeUInt16LE(end.countHere ?? end.count, 8)
  record.writeUInt16LE(end.count, 10)
  record.writeUInt32LE(end.size, 12)
  record.writeUInt32LE(end.at, 16)
  record.writeUInt16LE(end.commentBytes ?? comment.length, 20)
  return Buffer.concat([Buffer.from(end.beforeEnd ?? []), record, comment, Buffer.from(end.behind ?? [])])
}

type Told = Required<Omit<Fields, 'name'>> & { readonly name: string | Uint8Array }

const asBytes = (name: string | Uint8Array): Buffer =>
  typeof name === 'string' ? Buffer.from(name) : Buffer.from(name)

const defined = (fields: Fields): Partial<Told> => {
  const keys = ['flags', 'method', 'time', 'crc', 'packedSize', 'size', 'name', 'extra'] as const
  return Object.fromEntries(keys.flatMap((key) => (fields[key] === undefined ? [] : [[key, fields[key]]])))
}

const localHeader = (told: Told): Buffer => {
  const name = asBytes(told.name)
  const head = Buffer.alloc(30)
  head.writeUInt32LE(0x04034b50, 0)
  head.writeUInt16LE(20, 4)
  writeShared(head, 6, told)
  head.writeUInt16LE(name.length, 26)
  head.writeUInt16LE(told.extra.length, 28)
  return Buffer.concat([head, name, told.extra])
}

const centralHeader = (told: Told, entry: RawEntry, localAt: number): Buffer => {
  const name = asBytes(told.name)
  const isFolder = name.at(-1) === 0x2f
  const comment = Buffer.from(entry.comment ?? [])
  const mode = entry.mode ?? (isFolder ? 0o40755 : 0o100644)
  const head = Buffer.alloc(46)
  head.writeUInt32LE(0x02014b50, 0)
  head.writeUInt8(20, 4)
  head.writeUInt8(entry.madeBy ?? 3, 5)
  head.writeUInt16LE(20, 6)
  writeShared(head, 8, told)
  head.writeUInt16LE(name.length, 28)
  head.writeUInt16LE(told.extra.length, 30)
  head.writeUInt16LE(comment.length, 32)
  head.writeUInt16LE(entry.disk ?? 0, 34)
  head.writeUInt32LE(entry.attributes ?? (mode << 16) >>> 0, 38)
  head.writeUInt32LE(localAt, 42)
  return Buffer.concat([head, name, told.extra, comment])
}

const writeShared = (head: Buffer, at: number, told: Told): void => {
  head.writeUInt16LE(told.flags, at)
  head.writeUInt16LE(told.method, at + 2)
  head.writeUInt32LE(told.time, at + 4)
  head.writeUInt32LE(told.crc, at + 8)
  head.writeUInt32LE(told.packedSize, at + 12)
  head.writeUInt32LE(told.size, at + 16)
}

const descriptor = (told: Told, isBare: boolean): Buffer => {
  const words = [...(isBare ? [] : [0x08074b50]), told.crc, told.packedSize, told.size]
  const out = Buffer.alloc(words.length * 4)
  for (const [i, word] of words.entries()) out.writeUInt32LE(word, i * 4)
  return out
}

/** An extra field. */
export const extra = (id: number, data: Uint8Array): Buffer => {
  const head = Buffer.alloc(4)
  head.writeUInt16LE(id, 0)
  head.writeUInt16LE(data.length, 2)
  return Buffer.concat([head, data])
}
