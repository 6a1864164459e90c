import type { Files } from '../core/ports.ts'
import { relativePath } from '../core/relative-path.ts'
import type { Skill, SkillProblem } from '../core/skill.ts'
import { visibleLine } from '../lib/visible.ts'
import { isScript } from './file-kind.ts'
import { nearestFirst } from './nearest-first.ts'
import { joinPath } from './paths.ts'
import { isOutOfSight, relativeTo, skillFiles } from './skill-files.ts'

export type FoundResource = {
  /** Absolute, links resolved. */
  readonly file: string
  /** As it was asked for, normalised. */
  readonly path: string
  readonly size: number
}

const mostNames = 20

/**
 * The file of a skill that a path means, inside the skill after links are resolved; or why it is not to be had: a
 * refused path, a folder, a script (run, never read), SKILL.md (selected, never read), or the names there are.
 */
export const findResource = (skill: Skill, written: string, files: Files): FoundResource | SkillProblem => {
  const shown = `"${visibleLine(written, 120)}"`
  const relative = relativePath(written)
  if ('problem' in relative) return { problem: `${shown} is refused: ${relative.problem}.` }
  const { path } = relative
  if (path === '') return { problem: `${shown} is a folder. ${listed(skill, path, files)}` }
  if (isInstructions(path)) return { problem: selectIt(skill) }

  const file = files.realPath(joinPath(skill.dir, path))
  if (file === undefined || isOutOfSight(path)) return unknown(skill, path, files)
  const own = relativeTo(skill.dir, file)
  if (own === undefined) return { problem: `${shown} is refused: it leads out of the skill through a link.` }
  if (isInstructions(own)) return { problem: selectIt(skill) }
  if (isOutOfSight(own)) return unknown(skill, path, files)

  const stat = files.stat(file)
  if (stat === undefined) return unknown(skill, path, files)
  if (stat.kind === 'dir') return { problem: `${shown} is a folder. ${listed(skill, path, files)}` }
  if (stat.kind !== 'file') return { problem: `${shown} is not a regular file.` }
  if (isScript(path) || isScript(own))
    return { problem: `${shown} is a script, and scripts are not read: run it with run_script.` }
  return { file, path, size: stat.size }
}

const isInstructions = (path: string): boolean => path.toLowerCase() === 'skill.md'

const selectIt = (skill: Skill): string =>
  `SKILL.md holds the instructions of ${skill.name}: select the skill with select_skills to load them.`

const unknown = (skill: Skill, path: string, files: Files): SkillProblem => ({
  problem: `The skill ${skill.name} has no file "${visibleLine(path, 120)}". ${listed(skill, path, files)}`,
})

const listed = (skill: Skill, path: string, files: Files): string => {
  const paths = skillFiles(skill.dir, files).files.map((file) => file.path)
  if (paths.length === 0) return 'It has no files besides its instructions.'
  const names = nearestFirst(path, paths, mostNames)
  const more = paths.length > names.length ? `, and ${paths.length - names.length} more` : ''
  return `Its files, nearest first: ${names.map((name) => visibleLine(name, 120)).join(', ')}${more}.`
}
