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
import { removeTree } from './remove-tree.ts'

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

/** On disk before the first folder moves: a process may be killed, or the machine lose power, at any time. */
export const writeJournal = (places: RootPlaces, journal: Journal): void => {
  const temporary = `${journalOf(places)}.tmp`
  writeFileSync(temporary, JSON.stringify(journal))
  const file = openSync(temporary, 'r+')
  fsyncSync(file)
  closeSync(file)
  renameSync(temporary, journalOf(places))
}

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

/** Does what the journal says, as far as it is not done. May be repeated. */
export const doMoves = (places: RootPlaces, { moves, lock }: Journal): void => {
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
  if (lock === null) rmSync(places.lock, { force: true })
  else {
    // From the staging folder, so that nothing half written is ever left in the root.
    const written = join(places.staging, 'lock.json')
    writeFileSync(written, lock)
    renameSync(written, places.lock)
  }
}

export const undoMoves = (places: RootPlaces, { moves }: Journal): void => {
  for (const { name, isNew } of [...moves].reverse()) {
    const [target, fresh, old] = [join(places.root, name), join(places.fresh, name), oldOf(places, name)]
    if (isNew && !isThere(fresh) && isThere(target)) renameSync(target, fresh)
    if (isThere(old) && !isThere(target)) renameSync(old, target)
  }
  ifThere(() => rmdirSync(places.root))
}

/** Keeps what was replaced and may be somebody's work, then removes the staging folder. Returns where it is kept. */
export const finish = (places: RootPlaces, { moves }: Journal, limits: TreeLimits): readonly string[] => {
  const kept: string[] = []
  for (const { name, isKept, replaces } of moves) {
    const old = oldOf(places, name)
    if (!isThere(old)) continue
    // Also what was changed between the look at it and the move.
    if (isKept || treeDigest(old, limits) !== replaces) kept.push(backUp(places, old, name))
  }
  // From here on there is nothing to be done again.
  rmSync(journalOf(places), { force: true })
  removeTree(places.staging)
  return kept
}

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

export const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined
