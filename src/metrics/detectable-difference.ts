import { normalQuantile } from './normal-quantile.ts'

const LEVEL = 0.05
/** With fewer pairs not even all of them leaning one way is significant at 5 %: 2 · (1/2)^5 > 0.05. */
export const MIN_PAIRS = 6

/**
 * The smallest true difference that a paired comparison of `pairs` cases finds with 80 % probability at the 5 % level,
 * two-sided. `spread` is the mean square of the differences seen: of single trials the share of pairs that differ. A
 * difference above it would need more pairs to differ than were seen, and is taken to come from them alone. Null for
 * fewer than six pairs.
 * Source: R. J. Connor, "Sample Size for Testing Differences in Proportions for the Paired-Sample Design", Biometrics
 * 43 (1987) 207-211, solved for the difference.
 */
export const detectableDifference = (pairs: number, spread: number, power = 0.8): number | null => {
  if (pairs < MIN_PAIRS) return null
  const alpha = normalQuantile(1 - LEVEL / 2)
  const beta = normalQuantile(power)
  const isFound = (difference: number): boolean => {
    const differing = Math.max(spread, difference)
    const needed = alpha * Math.sqrt(differing) + beta * Math.sqrt(differing - difference * difference)
    return Math.sqrt(pairs) * difference >= needed
  }
  let low = 0
  let high = 1
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2
    if (isFound(middle)) high = middle
    else low = middle
  }
  return high
}
