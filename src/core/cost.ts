import type { Price } from '../schema/config.ts'
import type { Usage } from './trajectory.ts'

/**
 * USD for what a request used; null where a count that it depends on is unknown. The four counts add up: cached input
 * is not in the input, reasoning is not in the output. What was written to the cache, which some providers bill at a
 * price of its own, is part of the input.
 */
export const costOf = (usage: Usage, price: Price | undefined, cacheWriteTokens = 0): number | null => {
  if (price === undefined) return null
  const { input, output, cached_input: cachedInput = input, cache_write: cacheWrite = input } = price
  if ([input, output, cachedInput, cacheWrite].every((part) => part === 0)) return 0
  const { input_tokens: inputTokens, output_tokens: outputTokens } = usage
  if (inputTokens === null || outputTokens === null) return null
  // Without a price of its own, how much of the input was cached makes no difference: not told apart, it is in the rest.
  if (usage.cached_input_tokens === null && cachedInput !== input) return null
  const plain = Math.max(0, inputTokens - cacheWriteTokens)
  return (
    (plain * input +
      cacheWriteTokens * cacheWrite +
      (usage.cached_input_tokens ?? 0) * cachedInput +
      (outputTokens + (usage.reasoning_tokens ?? 0)) * output) /
    1_000_000
  )
}
