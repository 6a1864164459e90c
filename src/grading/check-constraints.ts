import type { AgentOutcome, AgentStop } from '../core/outcome.ts'
import type { CheckResult } from '../core/results.ts'
import { type ActionRecord, actionsOf, selectedSkills, withNested } from '../core/trajectory.ts'
import type { Constraints } from '../schema/suite.ts'
import { checkResult } from './check-result.ts'
import { describeAction } from './describe-action.ts'
import { isSameSkill } from './skill-name.ts'

/**
 * One result for each constraint of the case. The agent itself stops at a `max_*`: here a stop becomes a failure,
 * and the others are listed as kept. What is forbidden counts as soon as it was tried, whatever came of it.
 */
export const checkConstraints = (constraints: Constraints, outcome: AgentOutcome): CheckResult[] => {
  const results = checkLimits(constraints, outcome.stop)
  const { forbidden_tools: tools, forbidden_skills: skills } = constraints
  // What is forbidden is forbidden to sub-agents too.
  const actions = withNested(actionsOf(outcome.trajectory))
  if (tools) results.push(forbidden('forbidden_tools', tools, triedTools(tools, actions)))
  if (skills) results.push(forbidden('forbidden_skills', skills, triedSkills(skills, outcome)))
  return results
}

/** The `max_*` alone. A limit that stopped the agent is listed even where the case does not name it. */
export const checkLimits = (constraints: Constraints, stop: AgentStop): CheckResult[] => {
  const limits = new Map<string, unknown>(Object.entries(constraints).filter(([name]) => name.startsWith('max_')))
  if (stop.kind === 'limit' && !limits.has(stop.limit)) limits.set(stop.limit, undefined)
  return [...limits].map(([name, expected]) => {
    const message = stop.kind === 'limit' && stop.limit === name ? withoutName(stop.message, name) : undefined
    return checkResult({ name, kind: 'constraint', passed: message === undefined, message, expected })
  })
}

const withoutName = (message: string, name: string): string =>
  message.startsWith(`${name}: `) ? message.slice(name.length + 2) : message

const forbidden = (name: string, list: readonly string[], tried: readonly string[]): CheckResult =>
  checkResult({
    name,
    kind: 'constraint',
    passed: tried.length === 0,
    expected: list,
    ...(tried.length === 0 ? {} : { message: tried.join('\n'), actual: tried }),
  })

const triedTools = (tools: readonly string[], actions: readonly ActionRecord[]): string[] =>
  actions.flatMap((record, i) => {
    const names = record.action === 'call_tool' ? [record.action, record.params.tool] : [record.action]
    return names.some((name) => typeof name === 'string' && tools.includes(name))
      ? [`action ${i + 1}: ${describeAction(record)}`]
      : []
  })

const triedSkills = (skills: readonly string[], { trajectory }: AgentOutcome): string[] => {
  const isForbidden = (named: unknown): boolean => skills.some((skill) => isSameSkill(skill, named))
  const tried = withNested(actionsOf(trajectory)).flatMap((record, i) => {
    if (record.action !== 'select_skills') return []
    const named = Array.isArray(record.params.skills) ? record.params.skills : []
    return named.some(isForbidden) ? [`action ${i + 1}: ${describeAction(record)}`] : []
  })
  // A SKILL.md that was opened with read_file selects its skill too.
  if (tried.length > 0) return tried
  return selectedSkills(trajectory)
    .filter(isForbidden)
    .map((skill) => `selected: ${skill}`)
}
