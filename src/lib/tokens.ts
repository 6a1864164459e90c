import { estimateTokenCount } from 'tokenx'
import { boundedCache } from './bounded-cache.ts'

/**
 * About how many tokens a model would count in the text: an estimate that needs no tokenizer (median error about
 * 6 % against o200k). 0 for an empty text.
 */
export const countTokens = (text: string): number => {
  if (text.length > HELD) return estimateTokenCount(text)
  if (text.length > SHORT) return counts.get(text, () => estimateTokenCount(text))
  const known = shortCounts.get(text)
  if (known !== undefined) return known
  const count = estimateTokenCount(text)
  if (shortCounts.size >= SHORT_HELD) shortCounts.clear()
  shortCounts.set(text, count)
  return count
}

// The same system prompt, action names and small inputs are counted thousands of times; what is huge is not worth the
// memory.
const SHORT = 512
const SHORT_HELD = 1_000
const HELD = 262_144

const shortCounts = new Map<string, number>()
const counts = boundedCache<string, number>(64)
