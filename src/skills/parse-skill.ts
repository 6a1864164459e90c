import type { Diagnostic } from '../core/diagnostic.ts'
import type { Skill } from '../core/skill.ts'
import { checkFields } from './check-fields.ts'
import { readFrontmatter } from './read-frontmatter.ts'
import { type SkillPlace, toSkill } from './to-skill.ts'

export type SkillHead = SkillPlace & {
  /** The text of SKILL.md, or as much of its beginning as was read. */
  readonly head: string
  /** Whether `head` is the whole file; true unless told. */
  readonly complete?: boolean | undefined
}

/**
 * Loads a skill from the head of its SKILL.md, leniently, as the standard's client guide asks: faults that do no harm
 * are told and the skill is loaded. Without a description, or with YAML that can't be read even after the known repair,
 * there is no `skill`, and a diagnostic of severity `error` says why.
 */
export const parseSkill = (
  input: SkillHead,
): { readonly skill: Skill | undefined; readonly diagnostics: readonly Diagnostic[] } => {
  const { head, complete, ...place } = input
  const { frontmatter, log } = readFrontmatter(head, { file: place.file, mode: 'lenient', complete })
  if (frontmatter === undefined) return { skill: undefined, diagnostics: log.diagnostics }
  checkFields(frontmatter, place.folders, log)
  const skill = toSkill(frontmatter, place, log)
  return { skill, diagnostics: log.diagnostics }
}
