import { FileError } from '../core/errors.ts'
import type { Files } from '../core/ports.ts'
import { sha256 } from '../lib/hash.ts'

const maxFileBytes = 512 * 1024 * 1024
const limits = { entries: 10_000, depth: 64 } as const

/**
 * A digest of what a file holds, or a folder with all that is in it, by names and contents; links count as what they
 * lead to. What can't be read has the digest of the reason: it says no more than that nothing of it is known.
 */
export const treeDigest = (path: string, files: Files): string => {
  let entries = 0
  const digest = (place: string, depth: number): unknown => {
    entries += 1
    if (entries > limits.entries || depth > limits.depth) return ['too much']
    if (files.stat(place)?.kind !== 'dir') return fileDigest(place, files)
    return files.list(place).map(({ name }) => [name, digest(`${place}/${name}`, depth + 1)])
  }
  return sha256(JSON.stringify(digest(path, 0)))
}

export const fileDigest = (path: string, files: Files): string => {
  try {
    return sha256(files.readBytes(path, maxFileBytes))
  } catch (error) {
    if (error instanceof FileError) return `${error.code} ${files.stat(path)?.size ?? ''}`
    throw error
  }
}
