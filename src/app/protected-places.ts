import { join, relative } from 'node:path'
import type { SkillIndex, SkillRoot } from '../core/skill.ts'
import type { Host } from './host.ts'
import type { Project } from './project.ts'

/**
 * What an agent may not change in the folder that it works in: the configuration, the roots of skills, and the skills,
 * wherever they are. A root that the folder itself lies in is not fenced whole: the work is there.
 */
export const protectedPlaces = (
  host: Pick<Host, 'cwd' | 'home'>,
  project: Project,
  configFile: string | undefined,
  roots: readonly SkillRoot[],
  { skills, shadowed }: SkillIndex,
): string[] => [
  ...[project.dir, host.home].map((dir) => join(dir, '.agent')),
  ...(configFile === undefined ? [] : [configFile]),
  ...roots.map(({ path }) => path).filter((path) => !isIn(path, host.cwd)),
  ...[...skills, ...shadowed.map(({ skill }) => skill)].map(({ dir }) => dir),
]

const isIn = (folder: string, path: string): boolean => !relative(folder, path).startsWith('..')
