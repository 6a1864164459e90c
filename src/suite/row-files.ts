import { FileError } from '../core/errors.ts'
import type { Files } from '../core/ports.ts'
import { parseJson } from '../lib/json.ts'
import { isRecord } from './record.ts'

/** One row of a file as it came, or why it can't be read; `line` from 1 where a row has one. */
export type RowEntry = { readonly line?: number } & ({ readonly row: unknown } | { readonly problem: string })

export type RowFiles = {
  /** The rows of a file that was loaded, in order. A FileError where it can't be read (any more). */
  rows(path: string): Iterable<RowEntry>
}

/** What is read whole: more rows than fit in this belong into a .jsonl file, which is read line by line. */
const MAX_BYTES = 64 * 1024 * 1024

const MAX_YAML_BYTES = 16 * 1024 * 1024

/**
 * Makes the rows of `each` files ready, by extension: .csv (every value a string), .json and .yaml/.yml (a list of maps)
 * are read once and held; .jsonl (a map on each line, blank lines skipped) is read anew at each call and not held.
 * Paths are absolute. Throws a FileError for what can't be read as what its name says.
 */
export const loadRowFiles = async (paths: Iterable<string>, files: Files): Promise<RowFiles> => {
  const held = new Map<string, readonly RowEntry[]>()
  for (const path of new Set(paths)) {
    if (formatOf(path) !== 'jsonl') held.set(path, await readWhole(path, files))
  }
  return { rows: (path) => held.get(path) ?? jsonLines(path, files) }
}

type Format = 'csv' | 'json' | 'jsonl' | 'yaml'

/** The format of a file of rows, by its extension; undefined where it has none of those. */
export const formatOf = (path: string): Format | undefined => {
  const extension = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase()
  if (extension === 'yml') return 'yaml'
  return extension === 'csv' || extension === 'json' || extension === 'jsonl' || extension === 'yaml' ? extension : undefined
}
