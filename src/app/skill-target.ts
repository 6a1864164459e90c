import { join, resolve } from 'node:path'
import { UsageError } from '../core/errors.ts'
import { treeLimits } from '../distribution/limits.ts'
import { lockName } from '../distribution/lock.ts'
import type { TrustedKey } from '../distribution/signature.ts'
import type { Config } from '../schema/config.ts'
import type { ConfiguredHub } from '../schema/hub.ts'
import type { Host } from './host.ts'
import { distinctHubs } from './hubs.ts'
import { loadConfig } from './load-config.ts'
import { findProject, type Project } from './project.ts'
import { configuredRoots } from './skill-roots.ts'

export type TargetOptions = {
  readonly config?: string | undefined
  readonly root?: string | undefined
  readonly user?: boolean | undefined
}

export type SkillTarget = {
  /** Absolute. */
  readonly root: string
  readonly project: Project
  /** Whose signatures count for this root. */
  readonly trusted: readonly TrustedKey[]
  /** Where packs are found by name, in this order. */
  readonly hubs: readonly ConfiguredHub[]
}

export const rootNames = { lock: lockName, limits: treeLimits } as const

/** The root that skills are installed into: the project's, the user's, or the one that is named. */
export const skillTarget = (options: TargetOptions, host: Host): SkillTarget => {
  if (options.root !== undefined && options.user)
    throw new UsageError('two_roots', '--root and --user name two roots', { hint: 'Give one of them.' })
  const project = findProject(host.cwd, host.home, host.files)
  const config = configFor(project, options, host)
  const root = options.user
    ? join(host.home, '.agent/skills')
    : options.root === undefined
      ? join(project.dir, '.agent/skills')
      : resolve(host.cwd, options.root)
  return { root, project, trusted: config.packs?.trusted_keys ?? [], hubs: distinctHubs(config.packs?.hubs ?? []) }
}

/** A project can't say whom its user trusts: for the user's own root only the user's configuration counts. */
const configFor = (project: Project, options: TargetOptions, host: Host): Config =>
  options.user
    ? loadConfig({ dir: project.dir, configFile: undefined }, host)
    : loadConfig(project, host, options.config === undefined ? undefined : resolve(host.cwd, options.config))

/** The roots in which installed skills are looked for, highest first, without the built-in one. */
export const installedRoots = (options: TargetOptions, host: Host): readonly SkillTarget[] => {
  const target = skillTarget(options, host)
  if (options.root !== undefined || options.user) return [target]
  const config = configFor(target.project, options, host)
  const users = configFor(target.project, { user: true }, host).packs?.trusted_keys ?? []
  return configuredRoots(target.project, config, host)
    .filter(({ source }) => source !== 'builtin')
    .map(({ path, source }) => ({ ...target, root: path, trusted: source === 'user' ? users : target.trusted }))
}
