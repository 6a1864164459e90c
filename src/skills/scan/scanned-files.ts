import type { Files } from '../../core/ports.ts'
import type { DirEntry } from '../find-skill-file.ts'
import { ifReadable } from '../if-readable.ts'
import { isInside, joinPath } from '../paths.ts'
import { hasMagic } from './file-nature.ts'
import { decodeText, isText } from './read-text.ts'
import type { ScanLog } from './scan-log.ts'

/** A skill's own file as a scan sees it. */
export type ScannedFile = {
  /** Relative to the skill. */
  readonly path: string
  readonly size: number
  /** How many bytes of it `text` was made of. */
  readonly looked: number
  /** Decoded leniently; as much as the bounds allow. */
  readonly text: string
  /** The first bytes, however large the file is. */
  readonly head: Uint8Array
}

export const scanLimits = { files: 2000, depth: 16, fileBytes: 512 * 1024, allBytes: 4 * 1024 * 1024 } as const

const HEAD_BYTES = 512

/**
 * Every file below a skill's folder, by path: also hidden ones, dependencies and caches, for what an agent is not shown
 * can still be run. Reports links that leave the folder, what is no file, and what it did not come to. The folder
 * `.git` alone is not entered.
 */
export function* scannedFiles(dir: string, files: Files, log: ScanLog): Generator<ScannedFile> {
  const root = files.realPath(dir) ?? dir
  const budget: { files: number; bytes: number } = { files: scanLimits.files, bytes: scanLimits.allBytes }

  function* walk(folder: string, depth: number): Generator<ScannedFile> {
    const at = folder === '' ? dir : joinPath(dir, folder)
    if (depth > scanLimits.depth) {
      log.report('not-checked', folder, `folders more than ${scanLimits.depth} levels deep were not looked at`)
      return
    }
    const entries = files.list(at)
    if (entries.length === 0 && !files.canList(at)) {
      log.report('not-checked', folder || '.', 'the folder can not be looked into')
      return
    }
    for (const entry of entries) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (!isOwn(entry, path)) continue
      if (entry.kind === 'dir') yield* walk(path, depth + 1)
      else if (budget.files > 0) {
        budget.files -= 1
        yield* read(path)
      } else {
        log.report('not-checked', '.', `only ${scanLimits.files} files were looked at`)
        return
      }
    }
  }

  /** Whether it is looked at under this name: what a link inside leads to has one of its own. */
  const isOwn = ({ name, kind, isLink }: DirEntry, path: string): boolean => {
    if (isLink && !isInside(root, files.realPath(joinPath(dir, path)) ?? ''))
      log.report('link-outside', path, 'a link leads out of the skill, or nowhere')
    else if (kind === 'other') log.report('special-file', path, 'it is neither a file nor a folder')
    else if (kind === 'dir' && name === '.git')
      log.report('hidden-file', path, 'the folder of version control was not looked into')
    else return !isLink
    return false
  }

  function* read(path: string): Generator<ScannedFile> {
    const file = joinPath(dir, path)
    const size = files.stat(file)?.size ?? 0
    const limit = Math.min(scanLimits.fileBytes, budget.bytes)
    const isWhole = size <= limit
    const content = ifReadable((): Pick<ScannedFile, 'text' | 'head'> => {
      // Something has to be seen of a file for which nothing is left: it may be a program.
      const bytes = isWhole ? files.readBytes(file, limit) : files.readStart(file, Math.max(limit, HEAD_BYTES))
      return { text: decodeText(bytes.subarray(0, limit)), head: bytes.subarray(0, HEAD_BYTES) }
    })
    if (content === undefined) {
      log.report('not-checked', path, 'the file can not be read')
      return
    }
    // Pictures cost no work beyond their first bytes, and leave the budget to what is text.
    if (isText(content.text) || !hasMagic(content.head)) budget.bytes -= Math.min(size, limit)
    yield { path, size, looked: isWhole ? size : limit, ...content }
  }

  yield* walk('', 0)
}
