import type { PlannedSuite } from '../core/plan.ts'
import type { RunHead, SuiteHead } from '../core/results.ts'
import { interference } from '../metrics/interference.ts'
import type { RunDeps } from '../runner/run-deps.ts'

type SkillsOf = RunDeps['skillsOf']

/** The head of a run with what is known from the skills that its models saw: distractors, and what was mistaken. */
export const withSeenSkills = (head: RunHead, planned: readonly PlannedSuite[], skillsOf: SkillsOf): RunHead => {
  const byName = new Map(planned.map((suite) => [suite.name, skillsOf(suite)]))
  const pairs = interference(head.summary.trigger.confusion, descriptions(planned, skillsOf))
  const suites = head.suites.map((suite): SuiteHead => {
    const distractors = byName.get(suite.name)?.distractors
    return distractors === undefined ? suite : { ...suite, distractors: [...distractors].sort() }
  })
  return { ...head, ...(pairs.length === 0 ? {} : { interference: pairs }), suites }
}

/** Of two skills with one name in different suites the first is described. */
const descriptions = (planned: readonly PlannedSuite[], skillsOf: SkillsOf): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  for (const suite of planned) {
    for (const { name, description } of skillsOf(suite).source.visible()) {
      if (!found.has(name)) found.set(name, description)
    }
  }
  return found
}
