import type { SkillLog } from '../diagnose.ts'
import type { DirEntry } from '../find-skill-file.ts'
import type { Frontmatter } from '../read-frontmatter.ts'
import type { SkillRuleId } from '../rules.ts'

/** What becomes of a field here: it changes what is done, it is shown to people, or nothing looks at it. */
export type FieldUse = 'acted on' | 'shown only' | 'ignored'

export type DialectField = { readonly use: FieldUse; readonly meaning: string }

/** A skill as the checks of a dialect see it. */
export type DialectSkill = {
  readonly frontmatter: Frontmatter
  /** All of SKILL.md, and its instructions. */
  readonly text: string
  readonly body: string
  readonly dir: string
  readonly entries: readonly DirEntry[]
  /** The text of a file beside SKILL.md; undefined where it is none of at most 64 KiB. */
  readonly sibling: (name: string) => string | undefined
}

/** How another system writes skills: its fields, and what its own readers stumble over. */
export type Dialect = {
  readonly system: string
  readonly fields: ReadonlyMap<string, DialectField>
  /** Rules of the standard that it does not hold its skills to. */
  readonly waives: readonly SkillRuleId[]
  readonly check: (skill: DialectSkill, log: SkillLog) => void
}

export const actedOn = (meaning: string): DialectField => ({ use: 'acted on', meaning })
export const shownOnly = (meaning: string): DialectField => ({ use: 'shown only', meaning })
export const ignored = (meaning: string): DialectField => ({ use: 'ignored', meaning })
