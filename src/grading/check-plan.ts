import type { CheckResult } from '../core/results.ts'
import type { Plan } from '../core/trajectory.ts'
import type { Expected } from '../schema/suite.ts'
import { checkResult } from './check-result.ts'

/** Judges the agent's final plan, null where it made none: one result for each key of `expected.plan`. */
export const checkPlan = (expected: NonNullable<Expected['plan']>, plan: Plan | null): CheckResult[] => {
  const results: CheckResult[] = []
  if (expected.completed !== undefined) results.push(isCompleted(plan))
  if (expected.min_steps !== undefined) results.push(hasSteps(plan, expected.min_steps))
  return results
}

const isCompleted = (plan: Plan | null): CheckResult => {
  const named = { name: 'every step of the plan is completed', kind: 'plan' }
  if (plan === null) return checkResult({ ...named, passed: false, message: 'no plan was made' })
  if (plan.steps.length === 0) return checkResult({ ...named, passed: false, message: 'the plan has no steps' })
  const open = plan.steps.filter((step) => step.status !== 'completed')
  if (open.length === 0) return checkResult({ ...named, passed: true })
  const list = open.map((step) => `${step.id} (${step.status}): ${step.title}`).join('\n')
  return checkResult({
    ...named,
    passed: false,
    message: `${open.length} of ${plan.steps.length} steps are not completed\n${list}`,
  })
}

const hasSteps = (plan: Plan | null, min: number): CheckResult => {
  const count = plan?.steps.length ?? 0
  const passed = plan !== null && count >= min
  return checkResult({
    name: `the plan has at least ${min} ${min === 1 ? 'step' : 'steps'}`,
    kind: 'plan',
    passed,
    ...(passed
      ? {}
      : { message: plan === null ? 'no plan was made' : `the plan has ${count}`, expected: min, actual: count }),
  })
}
