import { openStagedRoot } from '../adapters/files/staged-root.ts'
import { UsageError } from '../core/errors.ts'
import { installedSkill, lockText, withoutSkill } from '../distribution/lock.ts'
import { visibleLine } from '../lib/visible.ts'
import type { Host } from './host.ts'
import { lockOf, soundLock } from './installed-lock.ts'
import { sweepProofs } from './kept-proofs.ts'
import { occupantOf, refuseLocalEdits } from './occupant.ts'
import { installedRoots, rootNames, type TargetOptions } from './skill-target.ts'

export type UninstallOptions = TargetOptions & { readonly name: string; readonly force?: boolean | undefined }

export type Uninstalled = { readonly name: string; readonly root: string; readonly backups: readonly string[] }

/** Takes an installed skill away, from the highest root that has it. Throws where it was changed since. */
export const uninstallSkill = (options: UninstallOptions, host: Host): Uninstalled => {
  const { name, force = false } = options
  const root = rootOf(options, host)
  const staged = openStagedRoot(root, rootNames)
  try {
    const lock = soundLock(staged.places.root, host)
    if (installedSkill(lock, name) === undefined) throw notInstalled(name)
    const occupant = occupantOf(staged.places.root, name, lock, host)
    refuseLocalEdits(name, occupant, force)
    const rest = withoutSkill(lock, name)
    const isKept = occupant.kind !== 'none' && !occupant.isSound
    const backups = staged.commit(
      [{ name, isNew: false, replaces: occupant.digest, isKept }],
      Object.keys(rest.skills).length === 0 ? null : lockText(rest),
    )
    sweepProofs(staged.places.root, rest, host)
    return { name, root: staged.places.root, backups }
  } finally {
    staged.close()
  }
}

const rootOf = (options: UninstallOptions, host: Host): string => {
  for (const { root } of installedRoots(options, host)) {
    const lock = lockOf(root, host)
    // A damaged lock is told about rather than passed over: it may be the one that has it.
    if ('problem' in lock || installedSkill(lock, options.name) !== undefined) return root
  }
  throw notInstalled(options.name)
}

export const notInstalled = (name: string): UsageError =>
  new UsageError('not_installed', `no skill ${visibleLine(name, 80)} was installed from a pack`, {
    hint: '`skills-eval skills list` shows what there is, and where it is from.',
  })
