import type { Summary } from '../core/results.ts'
import type { Usage } from '../core/trajectory.ts'
import { exactSum } from './exact-sum.ts'

/**
 * What a trial used up. `usage` null: it called a model that reported nothing; a null count in it: that was not
 * reported; `cost_usd` null: a price is unknown. The four counts are disjoint.
 */
export type Spending = {
  readonly usage: Readonly<Usage> | null
  readonly cost_usd: number | null
}

export type SpendingSum = Summary['judge']

export type UsageFold = {
  readonly add: (spending: Spending) => void
  readonly result: () => SpendingSum
}

/**
 * Folds tokens and dollars. One unknown number makes its sum null, for a sum over the rest would pass for the
 * whole. Usage that is 0 throughout is a trial without a model call: it costs 0, whether its model has a price or not.
 */
export const usageSum = (): UsageFold => {
  const totals: Usage = {
    input_tokens: 0,
    output_tokens: 0,
    cached_input_tokens: 0,
    reasoning_tokens: 0,
  }
  const cost = exactSum()
  let isCostKnown = true
  return {
    add: ({ usage, cost_usd }) => {
      for (const key of KEYS) totals[key] = plus(totals[key], usage === null ? null : usage[key])
      if (cost_usd !== null && Number.isFinite(cost_usd)) cost.add(cost_usd)
      else if (!isWithoutCall(usage)) isCostKnown = false
    },
    result: () => ({ usage: { ...totals }, cost_usd: isCostKnown ? cost.result() : null }),
  }
}

const KEYS = ['input_tokens', 'output_tokens', 'cached_input_tokens', 'reasoning_tokens'] as const

const plus = (sum: number | null, tokens: number | null): number | null =>
  sum === null || tokens === null ? null : sum + tokens

const isWithoutCall = (usage: Readonly<Usage> | null): boolean =>
  usage !== null && KEYS.every((key) => usage[key] === 0)
