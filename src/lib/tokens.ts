import { estimateTokenCount } from 'tokenx'
import { boundedCache } from './bounded-cache.ts'

const counts = boundedCache<string, number>(200)

/** About how many tokens a text is. */
export const countTokens = (text: string): number =>
  text.length > 512 ? counts.get(text, () => estimateTokenCount(text)) : estimateTokenCount(text)
