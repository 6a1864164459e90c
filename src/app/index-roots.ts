import { dirname } from 'node:path'
import { isSystemError } from '../adapters/files/on-disk.ts'
import { isMidway, recoverRoot } from '../adapters/files/staged-root.ts'
import type { Diagnostic } from '../core/diagnostic.ts'
import { SkillsEvalError } from '../core/errors.ts'
import type { SkillIndex, SkillRoot } from '../core/skill.ts'
import { indexSkills } from '../skills/index-skills.ts'
import type { Host } from './host.ts'
import { rootNames } from './skill-target.ts'

/**
 * The index of these roots, after what a killed install or update left in them is finished: between two renames a skill
 * is in no root. Where that can't be done the index says so.
 */
export const indexRoots = (roots: readonly SkillRoot[], host: Pick<Host, 'files'>): SkillIndex => {
  const places = roots.flatMap(({ path, source }) => {
    if (source === 'builtin') return []
    // A suite may name one skill of a root.
    return source === 'suite' ? [path, dirname(path)] : [path]
  })
  const unfinished = [...new Set(places)].flatMap(finishInterrupted)
  const index = indexSkills(roots, host.files)
  return unfinished.length === 0 ? index : { ...index, diagnostics: [...unfinished, ...index.diagnostics] }
}

const finishInterrupted = (root: string): Diagnostic[] => {
  const warning = (message: string): Diagnostic => ({
    severity: 'warning',
    code: 'skill/root-unfinished',
    message: `skills may be missing: ${message}`,
    file: root,
    hint: 'Run the command again; `skills-eval skills verify` says what is there.',
  })
  try {
    recoverRoot(root, rootNames)
    return isMidway(root, rootNames) ? [warning('another process changes them right now')] : []
  } catch (error) {
    if (error instanceof SkillsEvalError || isSystemError(error))
      return [warning(`an install was interrupted, and can't be finished: ${error.message}`)]
    throw error
  }
}
