import type { ActionResult } from '../schema/run.ts'

export type ShownStep = {
  readonly id: string
  readonly title: string
  readonly status: string
  /** Against the plan before it. */
  readonly change: 'new' | 'changed' | 'same' | 'dropped'
}

/**
 * The plan as it stood after each action that changed it, by the action's place. Made from what the model sent, as it
 * was recorded: what is no plan is left out.
 */
export const followPlan = (actions: readonly ActionResult[]): ReadonlyMap<number, readonly ShownStep[]> => {
  const plans = new Map<number, readonly ShownStep[]>()
  let before: ReadonlyMap<string, Step> = new Map()
  for (const [i, { action, status, params }] of actions.entries()) {
    if (action !== 'update_plan' || status !== 'ok') continue
    const sent = stepsOf(params)
    // As agent/plan.ts reads it: steps without a title are changes.
    const isPatch = params.patch === true || (before.size > 0 && sent.some(({ title }) => title === undefined))
    const base: ReadonlyMap<string, Step> = isPatch ? before : new Map()
    const after = new Map(base)
    for (const { id, title, status: state } of sent) {
      const known = before.get(id)
      after.set(id, { title: title ?? known?.title ?? id, status: state ?? known?.status ?? 'pending' })
    }
    plans.set(i, compared(before, after))
    before = after
  }
  return plans
}

type Step = { readonly title: string; readonly status: string }

const compared = (before: ReadonlyMap<string, Step>, after: ReadonlyMap<string, Step>): readonly ShownStep[] => {
  const shown = [...after].map(([id, step]): ShownStep => {
    const old = before.get(id)
    const isSame = old?.title === step.title && old.status === step.status
    return { id, ...step, change: old === undefined ? 'new' : isSame ? 'same' : 'changed' }
  })
  const dropped = [...before].filter(([id]) => !after.has(id))
  return [...shown, ...dropped.map(([id, step]): ShownStep => ({ id, ...step, change: 'dropped' }))]
}

const stepsOf = ({ steps }: ActionResult['params']) =>
  (Array.isArray(steps) ? steps : []).flatMap((step: unknown) => {
    if (typeof step !== 'object' || step === null || !('id' in step) || typeof step.id !== 'string') return []
    const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)
    return [
      {
        id: step.id,
        title: 'title' in step ? textOf(step.title) : undefined,
        status: 'status' in step ? textOf(step.status) : undefined,
      },
    ]
  })
