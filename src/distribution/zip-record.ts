import { extraFields, extraProblem } from './zip-extra.ts'

/** An entry of a zip as its central directory tells it. */
export type ZipRecord = {
  readonly name: string
  readonly rawName: Buffer
  readonly flags: number
  readonly method: number
  /** As MS-DOS packs them. */
  readonly time: number
  readonly crc: number
  readonly packedSize: number
  readonly size: number
  readonly localAt: number
  readonly kind: 'file' | 'folder'
  readonly isExecutable: boolean
}

export type ReadRecord =
  | { readonly record: ZipRecord; readonly next: number }
  | { readonly problem: string; readonly entry?: string }

const SIGNATURE = 0x02014b50
const HEAD_BYTES = 46
const [STORED, DEFLATED] = [0, 8]
const [ENCRYPTED, PATCHED, STRONG, UTF8, MASKED] = [0x1, 0x20, 0x40, 0x800, 0x2000]
/** How hard the packer tried, sizes behind the data, and UTF-8 names. */
const KNOWN_FLAGS = 0x6 | 0x8 | UTF8

/** Reads the entry of the central directory at `at`, which must end before `limit`. */
export const readRecord = (bytes: Buffer, at: number, limit: number): ReadRecord => {
  const shape = { problem: 'its directory is not what its end record says' }
  if (at + HEAD_BYTES > limit || bytes.readUInt32LE(at) !== SIGNATURE) return shape
  const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset)) as [
    number,
    number,
    number,
  ]
  const extraAt = at + HEAD_BYTES + nameBytes
  const next = extraAt + extraBytes + commentBytes
  if (next > limit) return shape
  const rawName = bytes.subarray(at + HEAD_BYTES, extraAt)
  const flags = bytes.readUInt16LE(at + 8)
  const extra = extraFields(bytes.subarray(extraAt, extraAt + extraBytes))
  const name = decodeName(rawName, flags, extra)
  if (typeof name !== 'string') return name
  const record = {
    name,
    rawName,
    flags,
    method: bytes.readUInt16LE(at + 10),
    time: bytes.readUInt32LE(at + 12),
    crc: bytes.readUInt32LE(at + 16),
    packedSize: bytes.readUInt32LE(at + 20),
    size: bytes.readUInt32LE(at + 24),
    localAt: bytes.readUInt32LE(at + 42),
  }
  const type = typeOf(bytes.readUInt8(at + 5), bytes.readUInt32LE(at + 38), name)
  const problem = extra === undefined ? 'its extra fields can not be read' : findProblem(record, extra, bytes, at)
  if (problem !== undefined) return { problem, entry: name }
  return typeof type === 'string' ? { problem: type, entry: name } : { record: { ...record, ...type }, next }
}

/** A name is read by all alike where it is ASCII, or says that it is UTF-8. */
const decodeName = (
  raw: Buffer,
  flags: number,
  extra: ReturnType<typeof extraFields>,
): string | { readonly problem: string; readonly entry?: string } => {
  const isMarked = (flags & UTF8) !== 0 || extra?.some(({ id }) => id === 0x7075)
  const name = raw.toString('utf8')
  if (!Buffer.from(name).equals(raw)) return { problem: 'a name is not UTF-8' }
  if (!isMarked && /[^\x00-\x7f]/.test(name))
    return { problem: 'its name is not marked as UTF-8, so that readers take it for different ones', entry: name }
  return name
}

const findProblem = (
  record: Pick<ZipRecord, 'flags' | 'method' | 'packedSize' | 'size' | 'rawName' | 'localAt'>,
  extra: NonNullable<ReturnType<typeof extraFields>>,
  bytes: Buffer,
  at: number,
): string | undefined => {
  const { flags, method, packedSize, size, localAt, rawName } = record
  if ((flags & (ENCRYPTED | STRONG | MASKED)) !== 0) return 'it is encrypted'
  if ((flags & (PATCHED | ~KNOWN_FLAGS)) !== 0) return 'it has marks that not every reader knows'
  if (method !== STORED && method !== DEFLATED) return 'it is packed in a way that not every reader knows'
  if ([packedSize, size, localAt].includes(0xffffffff))
    return 'it is in the zip64 form, which nothing of this size needs'
  if (bytes.readUInt16LE(at + 34) !== 0) return 'it is in another file of an archive in several files'
  if (method === STORED && packedSize !== size) return 'its data is not as long as its entry says'
  return extra.map((field) => extraProblem(field, rawName)).find((problem) => problem !== undefined)
}

const [UNIX, MACOS] = [3, 19]
const [TYPE_BITS, FILE, FOLDER] = [0xf000, 0x8000, 0x4000]
const DOS_FOLDER = 0x10

/** A file or a folder, by its mode and by its name; or what is wrong with it. */
const typeOf = (
  system: number,
  attributes: number,
  name: string,
): { readonly kind: ZipRecord['kind']; readonly isExecutable: boolean } | string => {
  // Some packers write a mode and say that they are another system: what it says counts wherever it is there.
  const mode = attributes >>> 16
  const type = mode & TYPE_BITS
  if (type === 0xa000) return 'it is a link'
  if (type !== 0 && type !== FILE && type !== FOLDER) return 'it is neither a file nor a folder'
  const isFolderByName = name.endsWith('/')
  const isFolderByMode = type === FOLDER || (type === 0 && (attributes & DOS_FOLDER) !== 0)
  if ((type === FILE && isFolderByName) || (isFolderByMode && !isFolderByName))
    return 'it is a folder by its name or by its mode, but not by both'
  const isUnix = system === UNIX || system === MACOS
  return { kind: isFolderByName ? 'folder' : 'file', isExecutable: isUnix && !isFolderByName && (mode & 0o100) !== 0 }
}
