import type { Diagnostic } from '../core/diagnostic.ts'
import type { PlannedSuite } from '../core/plan.ts'
import type { SkillSource } from '../core/ports.ts'
import type { Skill, SkillIndex, SkillRoot } from '../core/skill.ts'
import type { SuiteSkills } from '../runner/run-deps.ts'
import type { Config } from '../schema/config.ts'
import { indexSkills } from '../skills/index-skills.ts'
import { renderIndex } from '../skills/render-index.ts'
import { skillSource } from '../skills/skill-source.ts'
import type { Host } from './host.ts'
import { suiteRoots } from './skill-roots.ts'

const defaultBodyLines = 500

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
  for (const suite of suites) {
    const roots = suite.skills ? suiteRoots(suite.skills) : configured
    const key = JSON.stringify(roots)
    let skills = bySet.get(key)
    if (!skills) {
      const index = indexSkills(roots, host.files)
      skills = skillsOfIndex(index, config, host)
      diagnostics.push(...index.diagnostics)
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

/** The skills of an index, as the trials of a suite see them. */
export const skillsOfIndex = (index: SkillIndex, config: Config, host: Host): SuiteSkills => {
  const source = frozen(skillSource(index, host.files, bodyLimits(config)))
  const visible = source.visible()
  return {
    source,
    renderedIndex: visible.length === 0 ? '' : renderIndex(visible),
    universe: visible.map((skill) => skill.name),
  }
}

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

export const bodyLimits = (config: Config): { maxBodyLines: number; overLong: 'warn' | 'refuse' } => {
  const setting = config.security?.max_skill_body_lines ?? 'warn'
  return typeof setting === 'number'
    ? { maxBodyLines: setting, overLong: 'refuse' }
    : { maxBodyLines: defaultBodyLines, overLong: setting }
}
