import { mkdirSync, realpathSync, rmdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { SkillsEvalError, UsageError } from '../../core/errors.ts'
import type { Journal } from '../../schema/pack.ts'
import { ifThere, isSystemError } from './on-disk.ts'
import { explained } from './output-file.ts'
import type { TreeLimits } from './read-tree.ts'
import { removeTree } from './remove-tree.ts'
import {
  doMoves,
  forgetJournal,
  goBack,
  hasJournal,
  isThere,
  type KeptList,
  type Move,
  placesOf,
  prepare,
  type RootPlaces,
  readJournal,
} from './root-journal.ts'
import { claimLock, isAlive } from './run-lock.ts'

/** A skill root that this process alone changes. */
export type StagedRoot = {
  readonly places: RootPlaces
  /** An empty folder in the staging folder. */
  folder(name: string): string
  /**
   * Makes every move and writes the lock file, or leaves all as it was. A process that is killed meanwhile leaves each
   * skill as it was or as it shall be, or for the moment between two renames in the staging folder: whoever opens the
   * root next finishes what was begun. Returns where old versions are kept that must not be lost.
   */
  commit(moves: readonly Move[], lock: string | null): readonly string[]
  /** Removes the staging folder, unless a change is to be finished from it, and the folders that were made for nothing. */
  close(): void
}

export type RootNames = { readonly lock: string; readonly limits: TreeLimits }

/** Opens a root to change it, finishing what a killed process left. Throws a UsageError where another one is at work. */
export const openStagedRoot = (root: string, names: RootNames): StagedRoot => {
  const places = placesOf(realRoot(root), names.lock)
  const parent = dirname(places.root)
  const made = explained(parent, () => mkdirSync(parent, { recursive: true }))
  const release = claim(places)
  const takeBack = () => {
    release()
    if (made !== undefined) removeEmpty(parent, dirname(made))
  }
  try {
    recover(places, names.limits)
    explained(places.staging, () => mkdirSync(places.fresh, { recursive: true, mode: 0o700 }))
  } catch (error) {
    takeBack()
    throw error
  }
  return {
    places,
    folder: (name) => {
      const folder = `${places.staging}/${name}`
      explained(folder, () => mkdirSync(folder))
      return folder
    },
    commit: (moves, lock) => {
      const journal: Journal = { format: 'skills-eval/journal@1', isUndone: false, moves: [...moves], lock }
      return explained(places.root, () => commit(places, journal, names.limits))
    },
    close: () => {
      // What can't be removed is removed by whoever opens the root next.
      ifThere(() => hasJournal(places) || removeTree(places.staging))
      takeBack()
    },
  }
}

const commit = (places: RootPlaces, journal: Journal, limits: TreeLimits): readonly string[] => {
  const kept: KeptList = []
  try {
    prepare(places, journal)
    doMoves(places, journal, limits, kept)
  } catch (error) {
    putBack(places, journal, kept)
    throw error
  }
  // All is done. Where the journal can't be removed it is done again, which changes nothing.
  ifThere(() => forgetJournal(places))
  return kept.map(({ backup }) => backup)
}

const putBack = (places: RootPlaces, journal: Journal, kept: KeptList): void => {
  try {
    goBack(places, journal, kept)
  } catch (cause) {
    const why = isSystemError(cause) ? ` (${cause.code})` : ''
    throw new SkillsEvalError('root_midway', `the skills in ${places.root} could not be changed, nor put back${why}`, {
      hint: `Nothing is lost: what is missing lies in ${places.staging}. \`skills-eval skills list\` goes on once the disk lets it.`,
      cause,
    })
  }
}

/**
 * Finishes what a process left that was killed while it changed a root; false where nothing was left, or another process
 * is at work.
 */
export const recoverRoot = (root: string, names: RootNames): boolean => {
  const places = placesOf(realRoot(root), names.lock)
  if (![places.staging, lockFile(places)].some(isThere) || isAlive(lockFile(places))) return false
  const isPending = hasJournal(places)
  try {
    const release = claim(places)
    try {
      recover(places, names.limits)
      return true
    } finally {
      release()
    }
  } catch (error) {
    // Leftovers that are in nobody's way stay where nothing can be written, or somebody else came first.
    const isHarmless = isSystemError(error) || (error instanceof SkillsEvalError && error.code === 'write_failed')
    if ((isHarmless && !isPending) || error instanceof UsageError) return false
    throw error
  }
}

/** Whether folders of a root are on the move: by a process that works, or one that was killed. */
export const isMidway = (root: string, names: RootNames): boolean => hasJournal(placesOf(realRoot(root), names.lock))

const recover = (places: RootPlaces, limits: TreeLimits): void => {
  const journal = readJournal(places)
  if (journal !== undefined) {
    explained(places.root, () => (journal.isUndone ? goBack(places, journal) : doMoves(places, journal, limits)))
    forgetJournal(places)
  }
  removeTree(places.staging)
}

const lockFile = ({ staging }: RootPlaces): string => `${staging}.lock`

const claim = (places: RootPlaces): (() => void) =>
  claimLock(
    lockFile(places),
    (path) =>
      new UsageError('root_in_use', `another process changes the skills in ${places.root}`, {
        hint: `Wait for it. If nothing runs, delete ${path}.`,
      }),
  )

/** Where the root really is: a link to it is followed, so that the staging folder is on its disk. */
const realRoot = (root: string): string => {
  const real = ifThere(() => realpathSync(root))
  if (real !== undefined) return real
  if (isThere(root)) throw new SkillsEvalError('bad_root', `${root} is a link that leads nowhere`)
  const parent = ifThere(() => realpathSync(dirname(root)))
  return parent === undefined ? root : `${parent}/${root.slice(dirname(root).length + 1)}`
}

/** Removes a folder and those above it, up to `top`, as long as nothing is in them. */
const removeEmpty = (folder: string, top: string): void => {
  for (let at = folder; at !== top && at !== dirname(at); at = dirname(at)) {
    try {
      rmdirSync(at)
    } catch (error) {
      if (isSystemError(error)) return
      throw error
    }
  }
}
