import type { Files } from '../core/ports.ts'
import { skillFiles } from './skill-files.ts'

export const maxListed = 100

/**
 * The names of a skill's resources, sorted, the first 100; `omitted` counts the rest (at least: a very large skill is
 * not walked to its end). Opens no file.
 */
export const listResources = (
  dir: string,
  files: Files,
): { readonly paths: readonly string[]; readonly omitted: number } => {
  const found = skillFiles(dir, files).files
  return { paths: found.slice(0, maxListed).map(({ path }) => path), omitted: Math.max(0, found.length - maxListed) }
}
