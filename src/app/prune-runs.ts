import { join } from 'node:path'
import { onDisk } from '../adapters/files/on-disk.ts'
import { removeTree } from '../adapters/files/remove-tree.ts'
import { isRunGoingOn } from '../adapters/files/run-lock.ts'
import type { Host } from './host.ts'
import { storedRunIds, unfinishedRunIds } from './run-folders.ts'
import { removeBaselines, savedBaselines } from './saved-baselines.ts'
import { readStoredRun } from './stored-runs.ts'
import { isOwnState } from './unfinished-runs.ts'

export type PrunePlan = {
  /** Finished and unfinished ones. */
  readonly ids: readonly string[]
  /** Those of them that did not come to their end. */
  readonly unfinished: readonly string[]
  readonly unreadable: readonly string[]
  /** Saved baselines that no run which stays was held against. */
  readonly baselines: readonly string[]
}

/**
 * Which runs go when the newest `keep` finished ones stay. One that did not come to its end goes once `keep` runs of
 * either kind are newer: until then somebody may go on with it. What is no run that we can read stays: other folders,
 * links, runs that are worked on just now, and damaged ones, which are named.
 */
export const planPrune = async (folder: string, keep: number, host: Host): Promise<PrunePlan> => {
  const ids = storedRunIds(folder, host)
  const runs = ids.map((id) => readStoredRun(folder, id, host))
  const old = runs.slice(keep).filter(({ id }) => !isRunGoingOn(join(folder, id)))
  const begun = unfinishedRunIds(folder, host)
  const newest = new Set([...ids, ...begun].sort().reverse().slice(0, keep))
  const oldBegun = begun.filter((id) => !newest.has(id) && !isRunGoingOn(join(folder, id)))
  const unfinished: string[] = []
  const damaged: string[] = []
  for (const id of oldBegun) ((await isOwnState(folder, id, host)) ? unfinished : damaged).push(id)
  const goes = new Set(old)
  const kept = runs.filter((run) => !goes.has(run))
  const used = new Set(kept.flatMap((run) => ('head' in run ? (run.head.baseline?.digest ?? []) : [])))
  return {
    baselines: savedBaselines(folder, host).filter((digest) => !used.has(digest)),
    ids: [...old.flatMap((run) => ('head' in run && run.head.id === run.id ? [run.id] : [])), ...unfinished],
    unfinished,
    unreadable: [...old.flatMap((run) => ('head' in run && run.head.id === run.id ? [] : [run.id])), ...damaged],
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
