import { dirname } from 'node:path'
import { UsageError } from '../core/errors.ts'
import type { CheckHistory, TrialRow } from '../core/results.ts'
import { sha256 } from '../lib/hash.ts'
import { checkHistory } from '../metrics/check-history.ts'
import type { Host } from './host.ts'
import { reportsFolder, storedRunIds } from './run-folders.ts'
import { readHeadAt, storedRunPath } from './stored-runs.ts'
import { storedTrials } from './stored-trials.ts'

/**
 * What became of each check over the given runs, all stored ones where none is given. One trial is held at a time.
 * Throws a UsageError where there is no run.
 */
export const auditRuns = (
  wanted: readonly string[],
  { config, minTrials }: { readonly config?: string | undefined; readonly minTrials: number },
  host: Host,
): CheckHistory => {
  const folder = reportsFolder(host, config)
  const all = wanted.length === 0 ? storedRunIds(folder, host) : wanted
  if (all.length === 0) {
    throw new UsageError('no_runs', `there are no runs in ${folder}`, {
      hint: '`skills-eval run` leaves one each time.',
    })
  }
  // The same run, named twice, would count twice.
  const paths = withoutParts([...new Set(all.map((run) => storedRunPath(run, folder, host)))], host)
  const fold = checkHistory()
  for (const path of paths) for (const row of standing(() => storedTrials(path, host))) fold.add(row)
  return { runs: paths.map((path) => nameOf(path, folder)), ...fold.result(minTrials) }
}

/** A shard is in the run that it was merged into, and would count twice beside it; so would one merged twice. */
const withoutParts = (paths: readonly string[], host: Host): readonly string[] => {
  const runs = paths.map((path) => {
    const found = readHeadAt(path, path, host)
    const parts = 'head' in found ? (found.head.merged_from ?? []) : []
    return { path, id: 'head' in found ? found.head.id : undefined, parts: parts.map(({ id }) => id) }
  })
  const counted = new Set<string>()
  const dropped = new Set<string>()
  // The one of most parts first: one that was merged without all of them gives way to it.
  for (const { path, parts } of runs.toSorted((a, b) => b.parts.length - a.parts.length)) {
    if (parts.some((id) => counted.has(id))) dropped.add(path)
    else for (const id of parts) counted.add(id)
  }
  return runs.flatMap(({ path, id }) => (dropped.has(path) || (id !== undefined && counted.has(id)) ? [] : [path]))
}

/** The rows that count: one that a resumed run made anew takes the place of the one before it. Read twice, none is held. */
function* standing(read: () => Iterable<TrialRow>): Generator<TrialRow> {
  const keyOf = ({ suite, case: id, model, n }: TrialRow) => sha256(JSON.stringify([suite, id, model, n])).slice(0, 24)
  const last = new Map<string, number>()
  let at = 0
  for (const row of read()) last.set(keyOf(row), at++)
  at = 0
  for (const row of read()) if (last.get(keyOf(row)) === at++) yield row
}

const nameOf = (path: string, folder: string): string =>
  path.startsWith(`${folder}/`) ? dirname(path.slice(folder.length + 1)) : path
