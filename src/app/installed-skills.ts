import { basename, dirname } from 'node:path'
import { recoverRoot } from '../adapters/files/staged-root.ts'
import { SkillsEvalError } from '../core/errors.ts'
import type { Skill } from '../core/skill.ts'
import type { Host } from './host.ts'
import { type InstalledInfo, installedInfo, lockOf } from './installed-lock.ts'
import { installedRoots, rootNames, skillTarget, type TargetOptions } from './skill-target.ts'

/** Where skills were installed from, by their folders; those that were not are not in it. */
export const installedOf = (
  skills: readonly Skill[],
  options: Pick<TargetOptions, 'config'>,
  host: Host,
): ReadonlyMap<string, InstalledInfo> => {
  const users = skillTarget({ user: true }, host).trusted
  const { trusted } = skillTarget({ config: options.config }, host)
  const locks = new Map<string, ReturnType<typeof lockOf>>()
  return new Map(
    skills.flatMap(({ dir, source }) => {
      const root = dirname(dir)
      const lock = locks.get(root) ?? lockOf(root, host)
      locks.set(root, lock)
      const info = installedInfo(lock, basename(dir), source === 'user' ? users : trusted)
      return info === undefined ? [] : [[dir, info] as const]
    }),
  )
}

/** Finishes what a killed process left in a root, so that what is listed is what there is. */
export const recoverInstalled = (options: Pick<TargetOptions, 'config'>, host: Host): void => {
  for (const { root } of installedRoots(options, host)) {
    try {
      recoverRoot(root, rootNames)
    } catch (error) {
      // Whoever may only look is told of it by the commands that change something.
      if (!(error instanceof SkillsEvalError)) throw error
    }
  }
}
