import { type ModelRequest, type ModelResponse, noAnswer } from '../core/model.ts'
import type { ModelAdapter } from '../core/ports.ts'
import { countTokens } from '../lib/tokens.ts'

/** What a run may spend, shared by all its trials. */
export type Purse = {
  /** Sets so much aside; false where it is not there. */
  reserve(usd: number): boolean
  /** What was set aside is spent, or comes back; unknown: all of it is spent. */
  settle(reservedUsd: number, spentUsd: number | null): void
  readonly limitUsd: number
}

export const purse = (limitUsd: number): Purse => {
  let left = limitUsd
  return {
    limitUsd,
    reserve: (usd) => {
      // Sums of small dollars end in noise.
      if (usd > left + 1e-9) return false
      left -= usd
      return true
    },
    settle: (reserved, spent) => {
      left += reserved - (spent ?? reserved)
    },
  }
}

/** The most that an answer to so many input tokens can cost; null where that is not known. */
export type MostUsd = (inputTokens: number) => number | null

/** A model that asks for no answer which the purse could not pay, whatever its length. */
export const withinPurse = (
  model: ModelAdapter,
  mostUsd: MostUsd,
  { reserve, settle, limitUsd }: Purse,
): ModelAdapter => ({
  ...model,
  generate: async (request, options) => {
    const reserved = mostUsd(tokensOf(request))
    if (reserved === null || !reserve(reserved)) return refused(model, reserved, limitUsd)
    let spent: number | null = null
    try {
      const response = await model.generate(request, options)
      spent = response.costUsd
      return response
    } finally {
      settle(reserved, spent)
    }
  },
})

/** A quarter more than is estimated: the estimate may be short. */
const tokensOf = ({ system, messages, tools }: ModelRequest): number =>
  Math.ceil(1.25 * countTokens(JSON.stringify([system, tools, messages])))

const refused = (model: ModelAdapter, usd: number | null, limitUsd: number): ModelResponse => {
  const message =
    usd === null
      ? '--max-cost: what the next answer may cost is not known'
      : `--max-cost: the next answer may cost up to $${Number(usd.toPrecision(2))}, and so much is not left of $${limitUsd}; raise it, or lower params.max_tokens of the profile`
  return noAnswer({ code: 'budget_exceeded', message }, { model: model.profile })
}
