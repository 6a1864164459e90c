import { join } from 'node:path'
import { FileError } from '../core/errors.ts'
import type { Files } from '../core/ports.ts'
import { sha256 } from '../lib/hash.ts'

const maxFileBytes = 512 * 1024 * 1024
const limits = { entries: 10_000, depth: 64 } as const

/**
 * A digest of what a file holds, or a folder with all that is in it, by names and contents; links count as what they
 * lead to. What can't be read has the digest of the reason: it says no more than that nothing of it is known. Undefined
 * for a folder that holds too much to be read.
 */
export const treeDigest = (
  path: string,
  files: Files,
  isLeftOut: (path: string) => boolean = () => false,
): string | undefined => {
  let entries = 0
  const digest = (place: string, depth: number): unknown => {
    entries += 1
    if (entries > limits.entries || depth > limits.depth) return undefined
    if (files.stat(place)?.kind !== 'dir') return fileDigest(place, files)
    const found: unknown[] = []
    for (const { name } of files.list(place)) {
      const inner = join(place, name)
      if (isLeftOut(inner)) continue
      const one = digest(inner, depth + 1)
      if (one === undefined) return undefined
      found.push([name, one])
    }
    return found
  }
  const whole = digest(path, 0)
  return whole === undefined ? undefined : sha256(JSON.stringify(whole))
}

export const fileDigest = (path: string, files: Files): string => {
  try {
    return sha256(files.readBytes(path, maxFileBytes))
  } catch (error) {
    if (error instanceof FileError) return `${error.code} ${files.stat(path)?.size ?? ''}`
    throw error
  }
}
