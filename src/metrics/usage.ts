import { exactSum } from './exact-sum.ts'

/** Cached tokens are part of the input, reasoning tokens part of the output; null is a count that nobody reported. */
export type Usage = {
  readonly input_tokens: number | null
  readonly output_tokens: number | null
  readonly cached_input_tokens: number | null
  readonly reasoning_tokens: number | null
}

/** What a trial used up. `usage` null: it called a model that reported nothing; `cost_usd` null: a price is unknown. */
export type Spending = {
  readonly usage: Usage | null
  readonly cost_usd: number | null
}

export type SpendingSum = { readonly usage: Usage; readonly cost_usd: number | null }

export type UsageFold = {
  readonly add: (spending: Spending) => void
  readonly result: () => SpendingSum
}

/**
 * Folds tokens and dollars. One unknown number makes its sum null, for a sum over the rest would pass for the
 * whole. Usage that is 0 throughout is a trial without a model call: it costs 0, whether its model has a price or not.
 */
export const usageSum = (): UsageFold => {
  const totals: Record<keyof Usage, number | null> = {
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

const isWithoutCall = (usage: Usage | null): boolean => usage !== null && KEYS.every((key) => usage[key] === 0)
