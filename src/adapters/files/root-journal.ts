import {
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { SkillsEvalError } from '../../core/errors.ts'
import { parseJson } from '../../lib/json.ts'
import { checkedBy } from '../../lib/zod-issues.ts'
import { type Journal, journalSchema } from '../../schema/pack.ts'
import { ifThere } from './on-disk.ts'
import { digestOfTree, readTree, type TreeLimits } from './read-tree.ts'

/** A change of one skill's folder. */
export type Move = Journal['moves'][number]

export type RootPlaces = {
  readonly root: string
  readonly lock: string
  /** Beside the root, so on the same disk, and where no skill is looked for. */
  readonly staging: string
  readonly fresh: string
  readonly backups: string
}

export const placesOf = (root: string, lockName: string): RootPlaces => {
  const beside = (what: string) => join(dirname(root), `.${basename(root)}.${what}`)
  const staging = beside('staging')
  return {
    root,
    lock: join(root, lockName),
    staging,
    fresh: join(staging, 'new'),
    backups: beside('backups'),
  }
}

const journalOf = (places: RootPlaces): string => join(places.staging, 'journal.json')
const oldOf = (places: RootPlaces, name: string): string => join(places.staging, 'old', name)

export const hasJournal = (places: RootPlaces): boolean => isThere(journalOf(places))

/** It appears whole, by a rename, or not at all: a process may be killed, or the machine lose power, at any time. */
export const writeJournal = (places: RootPlaces, journal: Journal): void => {
  const temporary = `${journalOf(places)}.tmp`
  writeNew(temporary, JSON.stringify(journal))
  renameSync(temporary, journalOf(places))
}

/** On disk, in a file that was not there: a project may come with links to what is not its own. */
const writeNew = (path: string, text: string): void => {
  rmSync(path, { force: true })
  const file = openSync(path, 'wx')
  try {
    writeFileSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** All that takes room, before the first folder moves: from here on, forth or back, there are only renames. */
export const prepare = (places: RootPlaces, journal: Journal): void => {
  mkdirSync(places.root, { recursive: true })
  mkdirSync(join(places.staging, 'old'), { recursive: true })
  if (journal.lock !== null) writeNew(lockDraft(places), journal.lock)
  writeNew(backOf(places), JSON.stringify({ ...journal, isUndone: true }))
  writeJournal(places, journal)
}

/** The journal that says that all goes back, ready to take the other's place. */
const backOf = (places: RootPlaces): string => join(places.staging, 'back.json')
/** In the staging folder, so that nothing half written is ever left in the root. */
const lockDraft = (places: RootPlaces): string => join(places.staging, 'lock.json')

/**
 * The journal that a killed process left; undefined where it left none. A project may come with a staging folder that
 * nobody here made: throws where it could lead out of itself.
 */
export const readJournal = (places: RootPlaces): Journal | undefined => {
  const { staging, fresh, backups } = places
  if ([staging, fresh, join(staging, 'old'), backups].some(isNoFolder)) throw foreignStaging(places)
  const stats = lstatSync(journalOf(places), { throwIfNoEntry: false })
  if (stats === undefined) return undefined
  if (!stats.isFile() || stats.size > maxJournalBytes) throw foreignStaging(places)
  // It appears whole, by a rename, or not at all.
  const json = parseJson(readFileSync(journalOf(places), 'utf8'))
  const checked = json.ok ? checkedBy(journalSchema, json.value) : undefined
  if (!checked?.ok) throw foreignStaging(places)
  return checked.data
}

const maxJournalBytes = 32 * 1024 * 1024

const isNoFolder = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === false

const foreignStaging = ({ staging }: RootPlaces): SkillsEvalError =>
  new SkillsEvalError('bad_staging', `${staging} was not left by an install of this program`, {
    hint: 'Look at what is in it, and delete it.',
  })

type Kept = { readonly old: string; readonly backup: string }

/** What was kept among the backups, in this order; filled while folders move, so that a failure can put it back. */
export type KeptList = Kept[]

/**
 * Does what the journal says, as far as it is not done; the lock comes last. What was replaced and may be somebody's work
 * is kept. May be repeated.
 */
export const doMoves = (places: RootPlaces, journal: Journal, limits: TreeLimits, kept: KeptList = []): void => {
  const { moves, lock } = journal
  mkdirSync(places.root, { recursive: true })
  mkdirSync(join(places.staging, 'old'), { recursive: true })
  for (const { name, isNew } of moves) {
    const [target, fresh, old] = [join(places.root, name), join(places.fresh, name), oldOf(places, name)]
    if (isNew && !isThere(fresh)) continue
    // What somebody put there since it was interrupted is kept.
    if (isThere(target) && isThere(old) && isNew) backUp(places, target, name)
    if (isThere(target) && !isThere(old)) renameSync(target, old)
    if (isNew) renameSync(fresh, target)
  }
  for (const { name, isKept, replaces } of moves) {
    const old = oldOf(places, name)
    // Also what was changed between the look at it and the move.
    if (isThere(old) && (isKept || treeDigest(old, limits) !== replaces))
      kept.push({ old, backup: backUp(places, old, name) })
  }
  if (lock === null) rmSync(places.lock, { force: true })
  else {
    const draft = lockDraft(places)
    // The disk may be full where an interrupted change is finished: what was written before is used.
    if (!isPlainFile(draft) || readFileSync(draft, 'utf8') !== lock) writeNew(draft, lock)
    renameSync(draft, places.lock)
  }
}

/**
 * Puts everything back after `doMoves` failed, whatever else fails; what did is thrown at the end. Then the journal stays,
 * and whoever opens the root next goes on from it.
 */
export const goBack = (places: RootPlaces, { moves }: Journal, kept: KeptList = []): void => {
  // As long as one is among the backups, only the way forth is whole.
  for (const { old, backup } of kept.reverse()) renameSync(backup, old)
  if (hasJournal(places) && isThere(backOf(places))) ifThere(() => renameSync(backOf(places), journalOf(places)))
  const failures: unknown[] = []
  const attempt = (action: () => void) => {
    try {
      action()
    } catch (error) {
      failures.push(error)
    }
  }
  for (const { name, isNew } of [...moves].reverse()) {
    const [target, fresh, old] = [join(places.root, name), join(places.fresh, name), oldOf(places, name)]
    attempt(() => {
      if (isNew && !isThere(fresh) && isThere(target)) renameSync(target, fresh)
      if (isThere(old) && !isThere(target)) renameSync(old, target)
    })
  }
  if (failures.length > 0) throw failures[0]
  for (const folder of [places.root, places.backups]) ifThere(() => rmdirSync(folder))
  forgetJournal(places)
}

/** From here on there is nothing to be done again. */
export const forgetJournal = (places: RootPlaces): void => rmSync(journalOf(places), { force: true })

/** A digest of what is at `path`, a folder or not; null where nothing is. */
export const treeDigest = (path: string, limits: TreeLimits): string | null =>
  isThere(path) ? digestOfTree(readTree(path, limits)) : null

const backUp = ({ backups }: RootPlaces, from: string, name: string): string => {
  mkdirSync(backups, { recursive: true })
  const taken = new Set(readdirSync(backups))
  let n = 1
  while (taken.has(`${name}-${n}`)) n += 1
  const backup = join(backups, `${name}-${n}`)
  renameSync(from, backup)
  return backup
}

const isPlainFile = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isFile() === true

export const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined
