import { dirname } from 'node:path'
import { UsageError } from '../core/errors.ts'
import type { CheckHistory } from '../core/results.ts'
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
  for (const path of paths) for (const row of storedTrials(path, host)) fold.add(row)
  return { runs: paths.map((path) => nameOf(path, folder)), ...fold.result(minTrials) }
}

const nameOf = (path: string, folder: string): string =>
  path.startsWith(`${folder}/`) ? dirname(path.slice(folder.length + 1)) : path
