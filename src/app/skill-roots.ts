import { join, resolve } from 'node:path'
import type { SkillRoot } from '../core/skill.ts'
import type { Config } from '../schema/config.ts'
import type { Host } from './host.ts'
import type { Project } from './project.ts'

const rootNames = ['.agent/skills', '.agents/skills', '.claude/skills'] as const

/** The configured skill roots, highest first: the configuration's own, the project's, the user's, the built-in ones. */
export const configuredRoots = (
  project: Project,
  config: Config,
  host: Pick<Host, 'home' | 'packageDir'>,
): SkillRoot[] => [
  ...(config.skills?.roots ?? []).map((path): SkillRoot => ({ path: resolve(project.dir, path), source: 'project' })),
  ...rootNames.map((name): SkillRoot => ({ path: join(project.dir, name), source: 'project' })),
  ...rootNames.map((name): SkillRoot => ({ path: join(host.home, name), source: 'user' })),
  { path: join(host.packageDir, 'skills'), source: 'builtin' },
]

/** The roots that a suite names, in its order. */
export const suiteRoots = (paths: readonly string[]): SkillRoot[] => paths.map((path) => ({ path, source: 'suite' }))
