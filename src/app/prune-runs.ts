import { join } from 'node:path'
import { onDisk } from '../adapters/files/on-disk.ts'
import { removeTree } from '../adapters/files/remove-tree.ts'
import { isRunGoingOn } from '../adapters/files/run-lock.ts'
import type { Host } from './host.ts'
import { removeBaselines, savedBaselines } from './saved-baselines.ts'
import { readStoredRun, storedRunIds } from './stored-runs.ts'

export type PrunePlan = {
  readonly ids: readonly string[]
  readonly unreadable: readonly string[]
  /** Saved baselines that no run which stays was held against. */
  readonly baselines: readonly string[]
}

/**
 * Which runs go when the newest `keep` stay. What is no finished run that we can read stays too: other folders, links,
 * runs without run.json (they go on, or may be resumed), those that are resumed just now, and damaged ones, which are
 * named.
 */
export const planPrune = (folder: string, keep: number, host: Host): PrunePlan => {
  const ids = storedRunIds(folder, host)
  const runs = ids.map((id) => readStoredRun(folder, id, host))
  const old = runs.slice(keep).filter(({ id }) => !isRunGoingOn(join(folder, id)))
  const goes = new Set(old)
  const kept = runs.filter((run) => !goes.has(run))
  const used = new Set(kept.flatMap((run) => ('head' in run ? (run.head.baseline?.digest ?? []) : [])))
  return {
    baselines: savedBaselines(folder, host).filter((digest) => !used.has(digest)),
    ids: old.flatMap((run) => ('head' in run && run.head.id === run.id ? [run.id] : [])),
    unreadable: old.flatMap((run) => ('head' in run && run.head.id === run.id ? [] : [run.id])),
  }
}

/** Deletes these runs and baselines of the folder; a link in one, or one put in its place, is removed and not followed. */
export const pruneRuns = (folder: string, { ids, baselines }: Pick<PrunePlan, 'ids' | 'baselines'>): void => {
  removeBaselines(folder, baselines)
  for (const id of ids) {
    const path = join(folder, id)
    // It may have been resumed while the question was open.
    if (isRunGoingOn(path)) continue
    onDisk(path, () => removeTree(path), 'deleted')
  }
}
