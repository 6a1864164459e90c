import type { Diagnostic } from './diagnostic.ts'

/** Where a skill came from: the layer of its root. */
export type SkillSourceName = 'suite' | 'project' | 'user' | 'builtin'

/** A folder that holds skill folders, or is one. `path` is absolute; earlier roots win. */
export type SkillRoot = { readonly path: string; readonly source: SkillSourceName }

/** A skill as the index knows it: frontmatter only, nothing of its body. */
export type Skill = {
  readonly name: string
  readonly description: string
  readonly source: SkillSourceName
  /** Absolute folder, links resolved. */
  readonly dir: string
  /** Absolute path of its SKILL.md. */
  readonly file: string
  /** Hidden from the model (`disable-model-invocation: true`). */
  readonly hiddenFromModel: boolean
  /** Hidden from people (`user-invocable: false`). */
  readonly hiddenFromUser: boolean
  /** As declared, one entry per tool; undefined: not declared (narrows nothing); [] : nothing is allowed. */
  readonly allowedTools: readonly string[] | undefined
  /** Tools that it can't do without (`tools_required`); a run that lacks one does not offer it. */
  readonly requiredTools?: readonly string[]
  /** It runs as an agent of its own, and only its answer comes back (`run-mode: subagent`, `context: fork`). */
  readonly runsAlone?: true
  readonly tags: readonly string[]
  readonly license?: string
  readonly compatibility?: string
  readonly version?: string
  readonly metadata: Readonly<Record<string, string>>
  /** Fields that the standard does not know, as strings, lists or maps of strings. */
  readonly extra: Readonly<Record<string, unknown>>
}

export type ShadowedSkill = { readonly skill: Skill; readonly by: Skill }

export type SkillIndex = {
  /** Sorted by name; each name once. */
  readonly skills: readonly Skill[]
  readonly shadowed: readonly ShadowedSkill[]
  readonly diagnostics: readonly Diagnostic[]
}

export type SkillBody = {
  /** Markdown without the frontmatter, line endings normalised. */
  readonly text: string
  readonly bytes: number
  readonly lines: number
  /** Skill-relative paths of its resources, sorted, capped. */
  readonly resources: readonly string[]
  readonly resourcesOmitted: number
  readonly warnings: readonly string[]
}

export type SkillResource = { readonly text: string; readonly bytes: number; readonly binary: boolean }

/** Why something could not be had, in words for the model: what is wrong and what there is instead. */
export type SkillProblem = { readonly problem: string }
export type SkillHit = {
  readonly name: string
  readonly description: string
  readonly source: string
  readonly score: number
}
