import { join } from 'node:path'
import { digestOfTree, readTree } from '../adapters/files/read-tree.ts'
import { isThere } from '../adapters/files/root-journal.ts'
import { UsageError } from '../core/errors.ts'
import { type Drift, findDrift, hasDrift } from '../distribution/drift.ts'
import { pathKey } from '../distribution/entry-path.ts'
import { installedSkill } from '../distribution/lock.ts'
import { leftOutBecause } from '../distribution/shipping.ts'
import { visibleLine } from '../lib/visible.ts'
import type { Lock, PackedFile } from '../schema/pack.ts'
import type { Host } from './host.ts'
import { rootNames } from './skill-target.ts'

/**
 * What is where a skill's folder is, or shall be. `isSound`: as it was installed, so that nothing is lost with it;
 * `isExact`: nor is anything beside it that tools left there, and that may be run in its place.
 */
export type Occupant =
  | { readonly kind: 'none'; readonly digest: null }
  | { readonly kind: 'foreign'; readonly digest: string; readonly isSound: false; readonly path: string }
  | {
      readonly kind: 'installed'
      readonly digest: string
      readonly isSound: boolean
      readonly isExact: boolean
      readonly drift: Drift
      readonly files: readonly PackedFile[]
    }

export const occupantOf = (
  root: string,
  name: string,
  lock: Pick<Lock, 'packs' | 'skills'>,
  { files }: Pick<Host, 'files'>,
): Occupant => {
  const path = join(root, name)
  if (!isThere(path)) {
    const twin = files.list(root).find((entry) => pathKey(entry.name) === pathKey(name))
    if (twin === undefined) return { kind: 'none', digest: null }
    throw new UsageError('name_twin', `${name} and ${visibleLine(twin.name)} are the same folder on some systems`, {
      hint: `Rename ${join(root, twin.name)}.`,
    })
  }
  const tree = readTree(path, rootNames.limits)
  const digest = digestOfTree(tree)
  const installed = installedSkill(lock, name)
  if (installed === undefined) return { kind: 'foreign', digest, isSound: false, path }
  const drift = driftOf(installed.files, tree)
  // What tools leave where skills are used is nobody's work.
  const edits = { ...drift, added: drift.added.filter((one) => !isLeftBehind(one)) }
  return {
    kind: 'installed',
    digest,
    isSound: !hasDrift(edits),
    isExact: !hasDrift(drift),
    drift: edits,
    files: installed.files,
  }
}

export const driftOf = (expected: readonly PackedFile[], tree: ReturnType<typeof readTree>): Drift =>
  findDrift(
    expected,
    tree.files,
    tree.others.map(({ path }) => path),
    process.platform !== 'win32',
  )

const isLeftBehind = (path: string): boolean => {
  const parts = path.split('/')
  return parts.some((part, i) => leftOutBecause(part, i < parts.length - 1) !== undefined)
}

/** Throws a UsageError where replacing or removing it would lose what somebody changed or put there. */
export const refuseLocalEdits = (name: string, occupant: Occupant, force: boolean): void => {
  if (occupant.kind === 'none' || occupant.isSound || force) return
  if (occupant.kind === 'foreign') {
    throw new UsageError('not_ours', `${occupant.path} is there already, and was not installed by skills-eval`, {
      hint: 'Take it away, or add --force, which keeps it as a backup.',
    })
  }
  throw new UsageError('local_edits', `${name} was changed since it was installed: ${driftText(occupant.drift)}`, {
    hint: 'Keep your changes elsewhere, or add --force, which keeps them as a backup.',
  })
}

export const driftText = ({ changed, missing, added }: Drift): string =>
  [
    ...changed.map((path) => `${visibleLine(path)} (changed)`),
    ...missing.map((path) => `${visibleLine(path)} (missing)`),
    ...added.map((path) => `${visibleLine(path)} (added)`),
  ].join(', ')
