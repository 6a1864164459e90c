import { costOf } from '../core/cost.ts'
import type { Usage } from '../core/trajectory.ts'
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
    return costOf(usage, priceFor(prices, usage.input_tokens), written)
  }
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
