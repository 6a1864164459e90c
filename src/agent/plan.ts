import type { ActionParams } from '../core/actions.ts'
import type { Plan } from '../core/trajectory.ts'

/**
 * A plan after `update_plan`. With `patch`, or where a step has no title, the steps are changes by id; otherwise they
 * replace the plan. A change to a step that is not there, or a new step without a title, is a problem in words.
 */
export const updatePlan = (
  current: Plan | null,
  update: ActionParams['update_plan'],
): { readonly plan: Plan } | { readonly problem: string } => {
  const isPatch = update.patch === true || (current !== null && update.steps.some((step) => step.title === undefined))
  const steps = new Map(isPatch ? current?.steps.map((step) => [step.id, step]) : [])
  for (const step of update.steps) {
    const known = steps.get(step.id)
    if (known && !isPatch) return { problem: `two steps have the id ${step.id}` }
    const title = step.title ?? known?.title
    if (title === undefined) {
      const ids = [...steps.keys()].slice(0, 50).join(', ')
      return { problem: `step ${step.id} is new and has no title; the plan has: ${ids || 'no steps'}` }
    }
    steps.set(step.id, { id: step.id, title, status: step.status ?? known?.status ?? 'pending' })
  }
  const goal = update.goal ?? current?.goal
  const assumptions = update.assumptions ?? current?.assumptions
  return {
    plan: {
      ...(goal === undefined ? {} : { goal }),
      steps: [...steps.values()],
      ...(assumptions ? { assumptions: [...assumptions] } : {}),
    },
  }
}

/** The plan as the model sees it again: one line a step. */
export const describePlan = (plan: Plan): string => {
  const marks = { pending: '[ ]', in_progress: '[~]', completed: '[x]' } as const
  const lines = plan.steps.map((step) => `${marks[step.status]} ${step.id}: ${step.title}`)
  const goal = plan.goal === undefined ? [] : [`goal: ${plan.goal}`]
  const assumed = (plan.assumptions ?? []).map((text) => `assumed: ${text}`)
  return [...goal, ...lines, ...assumed].join('\n') || 'the plan is empty'
}
