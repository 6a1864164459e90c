import { estimateTokenCount } from 'tokenx'
import { boundedCache } from './bounded-cache.ts'

/**
 * About how many tokens a model would count in the text: an estimate that needs no tokenizer (median error about
 * 6 % against o200k). 0 for an empty text.
 */
export const countTokens = (text: string): number =>
  text.length > SHORT && text.length <= HELD
    ? counts.get(text, () => estimateTokenCount(text))
    : estimateTokenCount(text)

// The same system prompt is counted thousands of times; what is short costs no more to count than to look up, and
// what is huge is not worth the memory.
const SHORT = 512
const HELD = 262_144

const counts = boundedCache<string, number>(64)
