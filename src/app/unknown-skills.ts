import type { Diagnostic } from '../core/diagnostic.ts'
import type { EvalCase, PlannedSuite, RunPlan } from '../core/plan.ts'
import { nearest } from '../lib/nearest.ts'
import type { SuiteSkills } from '../runner/run-deps.ts'

/** Cases beyond this many are rows of data; a wrong name shows in the first of them. */
const casesLookedAt = 2_000

/** Warns of skills that a case expects or forbids and that are not in the index of its suite: a typo more often than not. */
export const unknownSkills = (plan: RunPlan, skillsOf: (suite: PlannedSuite) => SuiteSkills): Diagnostic[] => {
  const found = new Map<string, Diagnostic>()
  let looked = 0
  for (const { suite, evalCase } of plan.cases()) {
    looked += 1
    if (looked > casesLookedAt) break
    const { universe } = skillsOf(suite)
    for (const name of namedSkills(evalCase)) {
      const key = `${suite.path}\0${name}`
      if (universe.includes(name) || found.has(key)) continue
      const close = nearest(name, universe)
      found.set(key, {
        severity: 'warning',
        code: 'suite/unknown-skill',
        message: `case ${evalCase.id} names the skill "${name}", which is not among the suite's skills`,
        file: suite.path,
        line: evalCase.line,
        column: 1,
        hint:
          close.length > 0
            ? `Did you mean ${close.join(' or ')}?`
            : `There is: ${universe.slice(0, 10).join(', ') || 'none'}.`,
      })
    }
  }
  return [...found.values()]
}

const namedSkills = (evalCase: EvalCase): readonly string[] => {
  const skills = evalCase.expected?.skills ?? []
  const named = Array.isArray(skills) ? skills : [...(skills.includes ?? []), ...(skills.excludes ?? [])]
  return [...named, ...(evalCase.constraints?.forbidden_skills ?? [])]
}
