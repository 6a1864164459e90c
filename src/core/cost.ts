import type { Price } from '../schema/config.ts'
import type { Usage } from './trajectory.ts'

/**
 * USD for what a request used; null where a count that it depends on is unknown. Cached tokens are part of the input,
 * reasoning tokens of the output, and so are the `cacheWriteTokens`, which some providers bill at a price of their own.
 */
export const costOf = (usage: Usage, price: Price | undefined, cacheWriteTokens = 0): number | null => {
  if (price === undefined) return null
  const { input, output, cached_input: cachedInput = input, cache_write: cacheWrite = input } = price
  if ([input, output, cachedInput, cacheWrite].every((part) => part === 0)) return 0
  const { input_tokens: inputTokens, output_tokens: outputTokens } = usage
  // Without a price of its own, how much of the input was cached makes no difference.
  const cachedTokens = cachedInput === input ? 0 : usage.cached_input_tokens
  if (inputTokens === null || outputTokens === null || cachedTokens === null) return null
  const plain = Math.max(0, inputTokens - cachedTokens - cacheWriteTokens)
  return (
    (plain * input + cachedTokens * cachedInput + cacheWriteTokens * cacheWrite + outputTokens * output) / 1_000_000
  )
}
