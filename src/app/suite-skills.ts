import { join } from 'node:path'
import type { Diagnostic } from '../core/diagnostic.ts'
import type { PlannedSuite } from '../core/plan.ts'
import type { SkillSource } from '../core/ports.ts'
import type { Skill, SkillIndex, SkillRoot } from '../core/skill.ts'
import type { SuiteSkills } from '../runner/run-deps.ts'
import type { Config } from '../schema/config.ts'
import { chooseDistractors } from '../skills/choose-distractors.ts'
import { defaultIndexTokens, describeCut, fitIndex } from '../skills/fit-index.ts'
import { indexSkills } from '../skills/index-skills.ts'
import type { BodyOptions } from '../skills/load-body.ts'
import { skillSource } from '../skills/skill-source.ts'
import type { Host } from './host.ts'
import { indexRoots } from './index-roots.ts'
import { suiteRoots } from './skill-roots.ts'

const defaultBodyLines = 500

export const indexTokens = (config: Config): number => config.limits?.index_tokens ?? defaultIndexTokens

/** Indexes the skills of each suite, each set of roots once; what is wrong with them comes beside. */
export const indexForSuites = (
  suites: readonly PlannedSuite[],
  configured: readonly SkillRoot[],
  config: Config,
  host: Host,
): {
  readonly skillsOf: (suite: PlannedSuite) => SuiteSkills
  readonly indexOf: (suite: PlannedSuite) => SkillIndex
  readonly diagnostics: readonly Diagnostic[]
} => {
  const bySet = new Map<string, SuiteSkills>()
  const bySuite = new Map<PlannedSuite, SuiteSkills>()
  const indexes = new Map<SuiteSkills, SkillIndex>()
  const diagnostics: Diagnostic[] = []
  const catalogue = distractorCatalogue(host)
  for (const suite of suites) {
    const roots = suite.skills ? suiteRoots(suite.skills) : configured
    const key = JSON.stringify([roots, ...(suite.distractors ? [suite.name, suite.distractors] : [])])
    let skills = bySet.get(key)
    if (!skills) {
      const index = indexRoots(roots, host)
      const added = distractorsFor(suite, index, catalogue)
      skills = skillsOfIndex(index, config, host, added)
      diagnostics.push(...index.diagnostics, ...tooFew(suite, added.length), ...cutIndex(suite, skills))
      bySet.set(key, skills)
      indexes.set(skills, index)
    }
    bySuite.set(suite, skills)
  }
  const skillsOf = (suite: PlannedSuite): SuiteSkills => {
    const skills = bySuite.get(suite)
    if (!skills) throw new Error(`suite ${suite.name} is not of this plan`)
    return skills
  }
  return {
    diagnostics,
    skillsOf,
    indexOf: (suite) => indexes.get(skillsOf(suite)) ?? { skills: [], shadowed: [], diagnostics: [] },
  }
}

/** The skills of an index, as the trials of a suite see them, with those that were added to distract. */
export const skillsOfIndex = (
  index: SkillIndex,
  config: Config,
  host: Host,
  added: readonly Skill[] = [],
): SuiteSkills => {
  const source = frozen(skillSource(withSkills(index, added), host.files, bodyLimits(config)))
  const visible = source.visible()
  const names = new Set(added.map(({ name }) => name))
  const { text, cut } = fitIndex(visible, indexTokens(config))
  return {
    source,
    renderedIndex: text,
    indexWithin: (tokens = indexTokens(config), of = visible) => fitIndex(of, tokens).text,
    ...(cut === undefined ? {} : { indexCut: describeCut(cut, indexTokens(config)) }),
    universe: visible.flatMap(({ name }) => (names.has(name) ? [] : [name])),
    ...(added.length === 0 ? {} : { distractors: names }),
  }
}

/** The skills that the package has for `distractors`, read when a suite first asks for some. */
const distractorCatalogue = (host: Host): (() => readonly Skill[]) => {
  let skills: readonly Skill[] | undefined
  return () => {
    skills ??= indexSkills([{ path: join(host.packageDir, 'distractors'), source: 'suite' }], host.files).skills
    return skills
  }
}

/** By the suite's name: another seed of a run must not make its recordings stale. */
const distractorsFor = (
  { name, distractors = 0 }: PlannedSuite,
  { skills }: SkillIndex,
  catalogue: () => readonly Skill[],
): readonly Skill[] => {
  if (distractors === 0) return []
  // The index tells where a skill comes from: there the two kinds must not differ.
  const source = skills[0]?.source ?? 'suite'
  return chooseDistractors(catalogue(), skills, { count: distractors, seed: name }).map((skill) => ({
    ...skill,
    source,
  }))
}

const withSkills = (index: SkillIndex, added: readonly Skill[]): SkillIndex =>
  added.length === 0
    ? index
    : { ...index, skills: [...index.skills, ...added].sort((a, b) => (a.name < b.name ? -1 : 1)) }

const tooFew = ({ name, path, distractors = 0 }: PlannedSuite, found: number): readonly Diagnostic[] =>
  found >= distractors
    ? []
    : [
        {
          severity: 'warning',
          code: 'suite/few-distractors',
          message: `the suite ${name} asks for ${distractors} distractors, and only ${found} have nothing to do with its skills`,
          file: path,
        },
      ]

const cutIndex = ({ path }: PlannedSuite, { indexCut }: SuiteSkills): readonly Diagnostic[] =>
  indexCut === undefined
    ? []
    : [
        {
          severity: 'warning',
          code: 'skill/index-cut',
          message: indexCut,
          file: path,
          hint: 'Raise limits.index_tokens in the configuration, or give the suite fewer skills.',
        },
      ]

/** Skills do not change under a run: each body is read once, whatever somebody saves meanwhile. */
const frozen = (source: SkillSource): SkillSource => {
  const bodies = new Map<Skill, ReturnType<SkillSource['body']>>()
  return {
    ...source,
    body: (skill) => {
      const body = bodies.get(skill) ?? source.body(skill)
      bodies.set(skill, body)
      return body
    },
  }
}

export const bodyLimits = (config: Config): BodyOptions => {
  const setting = config.security?.max_skill_body_lines ?? 'warn'
  const maxTokens = config.limits?.max_body_tokens
  return typeof setting === 'number'
    ? { maxBodyLines: setting, overLong: 'refuse', maxTokens }
    : { maxBodyLines: defaultBodyLines, overLong: setting, maxTokens }
}
