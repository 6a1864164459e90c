import { join } from 'node:path'
import { copyFiles } from '../adapters/files/copy-files.ts'
import { onDisk } from '../adapters/files/on-disk.ts'
import { removeTree } from '../adapters/files/remove-tree.ts'
import { SkillsEvalError } from '../core/errors.ts'
import type { Host } from './host.ts'
import { resultFile, rowsFile } from './run-folders.ts'
import { comparableSchema, openStoredCases } from './stored-cases.ts'

/** Baselines that later runs may use again, each named by the digest of its inputs, in a folder of the reports. */
export const baselinesFolder = (reports: string): string => join(reports, 'baselines')

const files = [resultFile, rowsFile]

/** Lays a saved baseline into the folder of a run; false where there is none, or none that can be read to its end. */
export const takeBaseline = (reports: string, digest: string, into: string, host: Host): boolean => {
  const from = join(baselinesFolder(reports), digest)
  if (host.files.stat(join(from, resultFile))?.kind !== 'file') return false
  try {
    for (const _ of openStoredCases(join(from, resultFile), comparableSchema, host.files).cases);
    copyFiles(from, into, files)
    return true
  } catch (error) {
    // It is made anew.
    if (error instanceof SkillsEvalError) return false
    throw error
  }
}

/** Keeps the baseline of a run for later ones. That it can't be kept is no matter to the run. */
export const saveBaseline = (reports: string, digest: string, from: string): void => {
  try {
    copyFiles(from, join(baselinesFolder(reports), digest), files)
  } catch (error) {
    if (!(error instanceof SkillsEvalError)) throw error
  }
}

/** The saved baselines, by their digests. */
export const savedBaselines = (reports: string, host: Host): readonly string[] =>
  host.files
    .list(baselinesFolder(reports))
    .flatMap(({ name, kind, isLink }) => (kind === 'dir' && !isLink && /^[0-9a-f]{64}$/.test(name) ? [name] : []))

export const removeBaselines = (reports: string, digests: readonly string[]): void => {
  for (const digest of digests) {
    const path = join(baselinesFolder(reports), digest)
    onDisk(path, () => removeTree(path), 'deleted')
  }
}
