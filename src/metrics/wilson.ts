import type { Summary } from '../core/results.ts'
import { normalQuantile } from './normal-quantile.ts'

/** Lower and upper bound of a share, both in 0..1. */
export type Interval = NonNullable<Summary['interval']>

/**
 * Wilson's score interval for `passed` of `n` trials; null without trials. `passed` may be fractional (a rate
 * times a number of clusters). The lower bound is exactly 0 when nothing passed, the upper exactly 1 when all did.
 * `confidence` is above 0 and below 1. Throws a RangeError when `passed` is outside 0..n.
 * Source: E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", JASA 22 (1927)
 * 209-212; method 3 (no continuity correction) of R. G. Newcombe, Statistics in Medicine 17 (1998) 857-872.
 */
export const wilson = (passed: number, n: number, confidence = 0.95): Interval | null => {
  if (n === 0) return null
  if (!(passed >= 0 && passed <= n)) throw new RangeError(`passed is ${passed}, outside 0..${n}`)
  const z = normalQuantile((1 + confidence) / 2)
  const centre = passed + (z * z) / 2
  const half = z * Math.sqrt((passed * (n - passed)) / n + (z * z) / 4)
  const total = n + z * z
  const low = Math.max(0, (centre - half) / total)
  // The sum rounds otherwise than the total, and would end a hair below 1.
  const high = passed === n ? 1 : Math.min(1, (centre + half) / total)
  return [low, high]
}
