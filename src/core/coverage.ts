/**
 * How it is known that a part of a skill is exercised: a stored run loaded or ran it, an eval can pass only with it, or
 * a script that is exercised names it.
 */
export type Evidence = 'run' | 'expected' | 'named'

/** Instructions, a script or other code, a reference to be read, an asset to be used, or what lies elsewhere. */
export type PartKind = 'body' | 'script' | 'reference' | 'asset' | 'other'

export type CoveredPart = {
  /** Relative to the skill. */
  readonly path: string
  readonly kind: PartKind
  /** About what it costs a model to read it; null for what is not read. */
  readonly tokens: number | null
  /** Null where no eval exercises it. */
  readonly evidence: Evidence | null
}

export type SkillCoverage = {
  readonly name: string
  /** Its folder, relative to the project. */
  readonly path: string
  /** How many cases expect it to be selected, and how many that it is not. */
  readonly positives: number
  readonly negatives: number
  readonly parts: readonly CoveredPart[]
}

/** Two skills whose descriptions have most of their words in common. */
export type SimilarSkills = {
  readonly skills: readonly [string, string]
  readonly overlap: number
  readonly shared_words: readonly string[]
}

export type Coverage = {
  readonly skills: readonly SkillCoverage[]
  readonly parts: number
  readonly covered: number
  /** covered / parts. */
  readonly share: number
  readonly min: number | null
  /** Stored runs that were read. */
  readonly runs: readonly string[]
  readonly similar: readonly SimilarSkills[]
}
