import { dirname } from 'node:path'
import { UsageError } from '../core/errors.ts'
import type { CheckHistory, TrialRow } from '../core/results.ts'
import { sha256 } from '../lib/hash.ts'
import { checkHistory } from '../metrics/check-history.ts'
import type { Host } from './host.ts'
import { reportsFolder, storedRunIds, storedRunPath } from './stored-runs.ts'
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
  const paths = [...new Set(all.map((run) => storedRunPath(run, folder, host)))]
  const fold = checkHistory()
  for (const path of paths) for (const row of standing(() => storedTrials(path, host))) fold.add(row)
  return { runs: paths.map((path) => nameOf(path, folder)), ...fold.result(minTrials) }
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
