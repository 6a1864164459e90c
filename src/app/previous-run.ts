import { join } from 'node:path'
import { UsageError } from '../core/errors.ts'
import type { Files } from '../core/ports.ts'
import { parseJson } from '../lib/json.ts'
import type { Host } from './host.ts'
import { resultFile, storedRunIds } from './run-folders.ts'
import { storedPieces } from './stored-pieces.ts'

/**
 * The newest finished run before the latest one that is of the same suites: after rounds of `--watch`, or a run of one
 * suite by hand, the one just before may be of others. Undefined where there is none.
 */
export const previousAlike = (
  folder: string,
  host: Host,
): { readonly id: string; readonly passed: number } | undefined => {
  const [latest, ...earlier] = storedRunIds(folder, host)
  const wanted = latest === undefined ? undefined : suitesOf(join(folder, latest, resultFile), host.files)
  if (wanted === undefined) return undefined
  const at = earlier.findIndex((id) => suitesOf(join(folder, id, resultFile), host.files) === wanted)
  const id = earlier[at]
  return id === undefined ? undefined : { id, passed: at }
}

/** The names of its suites as one text; undefined for what is not laid out as ours. */
const suitesOf = (path: string, files: Files): string | undefined => {
  const names: unknown[] = []
  try {
    for (const { is, json } of storedPieces(path, files)) {
      if (is !== 'suite') continue
      const parsed = parseJson(json)
      if (!parsed.ok) return undefined
      names.push((parsed.value as { readonly name?: unknown }).name)
    }
  } catch (error) {
    if (error instanceof UsageError) return undefined
    throw error
  }
  return JSON.stringify(names.sort())
}
