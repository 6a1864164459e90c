import type { PackedFile } from '../schema/pack.ts'

/** How a folder differs from what a manifest says of it; all paths, sorted. */
export type Drift = {
  readonly changed: readonly string[]
  readonly missing: readonly string[]
  readonly added: readonly string[]
}

/**
 * Holds the files that are there against those that should be. Empty folders do not count: version control drops
 * them. `withModes`: whether the system has a run bit.
 */
export const findDrift = (
  expected: readonly PackedFile[],
  found: readonly PackedFile[],
  /** What is there and is no file: a link, a device. */
  others: readonly string[],
  withModes: boolean,
): Drift => {
  const there = new Map(found.map((file) => [file.path, file]))
  const wanted = new Set(expected.map(({ path }) => path))
  const isChanged = (file: PackedFile) => {
    const now = there.get(file.path)
    return now !== undefined && (now.sha256 !== file.sha256 || (withModes && now.mode !== file.mode))
  }
  const isOther = new Set(others)
  return {
    changed: paths(expected.filter((file) => isChanged(file) || isOther.has(file.path))),
    missing: paths(expected.filter(({ path }) => !there.has(path) && !isOther.has(path))),
    added: [
      ...paths(found.filter(({ path }) => !wanted.has(path))),
      ...others.filter((path) => !wanted.has(path)),
    ].sort(),
  }
}

const paths = (files: readonly PackedFile[]): string[] => files.map(({ path }) => path).sort()

export const hasDrift = ({ changed, missing, added }: Drift): boolean =>
  changed.length + missing.length + added.length > 0

/** The files of a manifest that lie in a folder of it, with paths relative to that folder; all of them for ''. */
export const filesOf = (files: readonly PackedFile[], folder: string): readonly PackedFile[] => {
  if (folder === '') return files
  return files.flatMap((file) =>
    file.path.startsWith(`${folder}/`) ? [{ ...file, path: file.path.slice(folder.length + 1) }] : [],
  )
}
