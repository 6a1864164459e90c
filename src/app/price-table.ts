import { costOf } from '../core/cost.ts'
import type { Usage } from '../core/trajectory.ts'
import { allInput } from '../core/usage.ts'
import type { LiveProfile, Price } from '../schema/config.ts'

/** USD for what an answer of this model used; null where the price or a count is unknown. */
export type CostOf = (model: string, usage: Usage, cacheWriteTokens: number) => number | null

/** `up_to`: holds for requests with at most so many input tokens; without it for all. */
export type ListedPrice = Price & { readonly up_to?: number }
export type PriceTable = Readonly<Record<string, readonly ListedPrice[]>>

/**
 * What the profile says holds; else the provider's listed price, which says nothing of another server (`base_url`). Listed
 * under the model that answered, with or without the date in its name, else under the one that was asked for.
 */
export const costOfProfile = (settings: LiveProfile, listed: Readonly<Record<string, PriceTable>>): CostOf => {
  const { price, model: asked } = settings
  if (price !== undefined) return (_, usage, written) => costOf(usage, price, written)
  const table = settings.base_url === undefined ? (listed[vendorOf(settings)] ?? {}) : {}
  return (model, usage, written) => {
    const prices = pricesOf(model, table) ?? pricesOf(asked, table) ?? []
    return costOf(usage, priceFor(prices, allInput(usage)), written)
  }
}

/** Output that is allowed for where the profile sets no limit. */
const usualMaxTokens = 16_000

/** The most that an answer to so many input tokens can cost: none of it cached, and as long as it may be; null where unknown. */
export const mostUsdOf =
  ({ model, params }: LiveProfile, costOf: CostOf) =>
  (inputTokens: number): number | null => {
    const usage: Usage = {
      input_tokens: inputTokens,
      output_tokens: params?.max_tokens ?? usualMaxTokens,
      cached_input_tokens: 0,
      reasoning_tokens: 0,
    }
    // Writing to the cache is dearer than plain input, or has no price of its own.
    const costs = [costOf(model, usage, 0), costOf(model, usage, inputTokens)]
    return costs.includes(null) ? null : Math.max(...costs.map(Number))
  }

const vendorOf = ({ provider }: LiveProfile): string => (provider === 'anthropic' ? 'anthropic' : 'openai')

const pricesOf = (model: string, table: PriceTable): readonly ListedPrice[] | undefined => {
  const name = Object.hasOwn(table, model) ? model : model.replace(/-(\d{8}|\d{4}-\d{2}-\d{2})$/, '')
  return Object.hasOwn(table, name) ? table[name] : undefined
}

const priceFor = (prices: readonly ListedPrice[], inputTokens: number | null): Price | undefined =>
  prices.find(({ up_to: limit }) => limit === undefined || (inputTokens !== null && inputTokens <= limit))

export const readPriceTable = async (): Promise<Readonly<Record<string, PriceTable>>> => {
  const { default: file } = await import('../data/prices.json', { with: { type: 'json' } })
  return file.prices
}
