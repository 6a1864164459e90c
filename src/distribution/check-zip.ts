import { entryPath } from './entry-path.ts'
import { findCollision } from './find-collision.ts'
import { packLimits } from './limits.ts'
import { nestedProblem } from './nested-zip.ts'
import { unpackRecord } from './unpack-record.ts'
import { readZipLayout, type ZipProblem } from './zip-layout.ts'
import type { ZipRecord } from './zip-record.ts'

export type ZipEntry = {
  readonly path: string
  readonly isFolder: boolean
  readonly size: number
  readonly isExecutable: boolean
}

/**
 * Judges a whole zip before anything of it is on disk: its structure, each path, all paths together, the sums, and the
 * data of each entry, one at a time. What passes unpacks to these entries, whoever reads it.
 */
export const checkZip = (zip: Uint8Array): readonly ZipEntry[] | ZipProblem => {
  if (zip.length > packLimits.zipBytes) return { problem: `it is larger than ${mib(packLimits.zipBytes)}` }
  const records = readZipLayout(zip, packLimits.entries)
  if ('problem' in records) return records
  const entries: ZipEntry[] = []
  for (const record of records) {
    const judged = entryPath(record.name)
    if ('problem' in judged) return { ...judged, entry: record.name }
    entries.push({ ...judged, size: record.size, isExecutable: record.isExecutable })
  }
  const twins = findCollision(entries)
  if (twins) return { problem: `it is the same as ${twins[0]} on some systems`, entry: twins[1] }
  return checkSums(records) ?? checkData(zip, records) ?? entries
}

const mib = (bytes: number): string => `${bytes / 1024 / 1024} MiB`

const checkSums = (records: readonly ZipRecord[]): ZipProblem | undefined => {
  let [size, packedSize] = [0, 0]
  for (const record of records) {
    if (record.kind === 'folder' && record.size > 0) return { problem: 'it is a folder with data', entry: record.name }
    if (record.size > packLimits.fileBytes)
      return { problem: `it is larger than ${mib(packLimits.fileBytes)}`, entry: record.name }
    size += record.size
    packedSize += record.packedSize
  }
  if (size > packLimits.totalBytes) return { problem: `it unpacks to more than ${mib(packLimits.totalBytes)}` }
  if (size > packLimits.ratioFromBytes && size > packLimits.ratio * packedSize)
    return { problem: `it unpacks to more than ${packLimits.ratio} times its size` }
  return undefined
}

const checkData = (zip: Uint8Array, records: readonly ZipRecord[]): ZipProblem | undefined => {
  for (const record of records) {
    const content = unpackRecord(zip, record)
    const problem = 'problem' in content ? content.problem : nestedProblem(content)
    if (problem !== undefined) return { problem, entry: record.name }
  }
  return undefined
}
