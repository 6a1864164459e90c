import { chmodSync, lstatSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { SkillsEvalError } from '../../core/errors.ts'
import { explained } from '../files/output-file.ts'
import { readTree } from '../files/read-tree.ts'

/** An entry as the zip was judged before: nothing else may come out of it. */
export type JudgedEntry = {
  readonly path: string
  readonly isFolder: boolean
  readonly size: number
  readonly isExecutable: boolean
}

const TIMEOUT_MS = 30_000

/**
 * Unpacks a zip, whose entries have been judged, into an empty folder; files become 0644 or 0755, folders 0755. What is
 * on disk then is held against what was judged. Throws a SkillsEvalError `bad_zip` where another reader sees another zip.
 */
export const unpackZip = async (
  zip: Uint8Array,
  entries: readonly JudgedEntry[],
  into: string,
  signal: AbortSignal,
): Promise<void> => {
  // A private copy: what was judged can't be swapped for something else.
  const copy = `${into}.zip`
  explained(copy, () => writeFileSync(copy, zip, { flag: 'wx', mode: 0o400 }))
  const judged = new Map(entries.map((entry) => [entry.isFolder ? `${entry.path}/` : entry.path, entry]))
  // Made first, so that the library makes none on its way to a file.
  explained(into, () => {
    for (const { path, isFolder } of entries)
      mkdirSync(isFolder ? join(into, path) : dirname(join(into, path)), { recursive: true, mode: 0o755 })
  })
  await compareNames(copy, judged)
  const { default: extract } = await import('extract-zip')
  const onEntry = (entry: { fileName: string; uncompressedSize: number; externalFileAttributes: number }) => {
    signal.throwIfAborted()
    const found = judged.get(entry.fileName)
    if (found === undefined || found.size !== entry.uncompressedSize) throw otherZip(entry.fileName)
    // What the library makes of it is decided by this alone.
    const mode = found.isFolder ? 0o40755 : found.isExecutable ? 0o100755 : 0o100644
    entry.externalFileAttributes = (mode << 16) >>> 0
  }
  await explainedAsync(into, withinTime(extract(copy, { dir: into, onEntry })))
  const found = readTree(into, { entries: entries.length * 20, fileBytes: Number.MAX_SAFE_INTEGER, depth: 64 })
  const files = entries.filter(({ isFolder, path }) => !isFolder && !isSkipped(path))
  const isSame =
    found.others.length === 0 &&
    found.files.length === files.length &&
    files.every(({ path, size }) => lstatSync(join(into, path), { throwIfNoEntry: false })?.size === size)
  if (!isSame) throw otherZip(into)
  // The umask took away what it does not like.
  explained(into, () => {
    for (const { path, isExecutable } of files) chmodSync(join(into, path), isExecutable ? 0o755 : 0o644)
  })
}

/** The library leaves out what the Finder adds. */
const isSkipped = (path: string): boolean => path.startsWith('__MACOSX/')

/** Whether the library that unpacks sees the entries that were judged. */
const compareNames = async (copy: string, judged: ReadonlyMap<string, JudgedEntry>): Promise<void> => {
  const { openPromise } = await import('yauzl')
  try {
    const zip = await openPromise(copy, { strictFileNames: true, autoClose: true })
    let seen = 0
    for await (const entry of zip.eachEntry()) {
      const found = judged.get(entry.fileName)
      if (found === undefined || found.size !== entry.uncompressedSize) throw otherZip(entry.fileName)
      seen += 1
    }
    if (seen !== judged.size) throw otherZip(copy)
  } catch (cause) {
    if (cause instanceof SkillsEvalError || !(cause instanceof Error)) throw cause
    throw new SkillsEvalError('bad_zip', `it can't be read as a zip: ${cause.message}`, { cause })
  }
}

const otherZip = (path: string): SkillsEvalError =>
  new SkillsEvalError('bad_zip', `${path}: another reader sees another zip than was judged`)

/** A zip on which the library never settles would let the process end as if all were well. */
const withinTime = async (unpacked: Promise<void>): Promise<void> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new SkillsEvalError('bad_zip', 'it takes too long to unpack')), TIMEOUT_MS)
  })
  try {
    await Promise.race([unpacked, late])
  } finally {
    clearTimeout(timer)
  }
}

const explainedAsync = async (path: string, work: Promise<void>): Promise<void> => {
  try {
    await work
  } catch (cause) {
    explained(path, () => {
      throw cause
    })
  }
}
