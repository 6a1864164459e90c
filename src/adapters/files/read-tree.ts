import { createHash } from 'node:crypto'
import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readSync, type Stats } from 'node:fs'
import { canonicalJson, sha256 } from '../../lib/hash.ts'
import type { PackedFile } from '../../schema/pack.ts'
import { ifThere, onDisk } from './on-disk.ts'

export type TreeLimits = { readonly entries: number; readonly fileBytes: number; readonly depth: number }

export type FoundTree = {
  /** Sorted by path; a mode is 0755 where its owner may run the file. */
  readonly files: readonly PackedFile[]
  /** Those that are empty, sorted. */
  readonly folders: readonly string[]
  /** What is there and can't be a part of a skill, and why: links, devices, files that are too large or can't be read. */
  readonly others: readonly { readonly path: string; readonly what: string }[]
}

type Skip = (path: string, isFolder: boolean) => boolean

/** All that is in a folder; no link is followed, not even one that the folder itself has become. */
export const readTree = (dir: string, limits: TreeLimits, skips: Skip = () => false): FoundTree => {
  const files: PackedFile[] = []
  const folders: string[] = []
  const others: { path: string; what: string }[] = []
  let entries = 0
  const visit = (folder: string, depth: number): void => {
    // By code units, not by the language of whoever runs this.
    const names = ifThere(() => readdirSync(folder === '' ? dir : `${dir}/${folder}`).sort())
    if (names === undefined) others.push({ path: folder, what: 'a folder that can not be read' })
    if (names?.length === 0 && folder !== '') folders.push(folder)
    for (const name of names ?? []) {
      if (entries > limits.entries) return
      look(folder === '' ? name : `${folder}/${name}`, depth)
    }
  }
  const look = (path: string, depth: number): void => {
    const stats = lstatSync(`${dir}/${path}`, { throwIfNoEntry: false })
    if (skips(path, stats?.isDirectory() === true)) return
    entries += 1
    if (entries > limits.entries || depth > limits.depth) others.push({ path, what: 'more than is looked at' })
    else if (stats?.isDirectory()) visit(path, depth + 1)
    else if (stats?.isFile()) readOne(path)
    else others.push({ path, what: stats === undefined ? 'a name that can not be read' : whatIs(stats) })
  }
  const readOne = (path: string): void => {
    const file = ifThere(() => readFile(`${dir}/${path}`, limits.fileBytes))
    if (file === undefined) others.push({ path, what: 'a file that can not be read' })
    else if (file === 'too large')
      others.push({ path, what: `larger than ${limits.fileBytes.toLocaleString('en')} bytes` })
    else files.push({ path, ...file })
  }
  onDisk(dir, () => {
    if (lstatSync(dir).isDirectory()) visit('', 1)
    else others.push({ path: '', what: 'not a folder' })
  })
  return { files: files.sort((a, b) => (a.path < b.path ? -1 : 1)), folders: folders.sort(), others }
}

const readFile = (path: string, maxBytes: number): Omit<PackedFile, 'path'> | 'too large' => {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
  try {
    const { size, mode } = fstatSync(file)
    if (size > maxBytes) return 'too large'
    return { ...digestOf(file), mode: (mode & 0o100) === 0 ? '0644' : '0755' }
  } finally {
    closeSync(file)
  }
}

/** Read piece by piece: a pack may hold files of many megabytes, and none of it is needed but its digest. */
const digestOf = (file: number): { readonly size: number; readonly sha256: string } => {
  const hash = createHash('sha256')
  const piece = Buffer.allocUnsafe(64 * 1024)
  let size = 0
  for (;;) {
    const count = readSync(file, piece)
    if (count === 0) return { size, sha256: hash.digest('hex') }
    hash.update(piece.subarray(0, count))
    size += count
  }
}

const whatIs = (stats: Stats): string =>
  stats.isSymbolicLink() ? 'a link' : 'a special file (a pipe, a device or a socket)'

/** One digest for what a folder holds. */
export const digestOfTree = ({ files, folders, others }: FoundTree): string =>
  sha256(canonicalJson({ files, folders, others }))
