import type { Summary } from '../core/results.ts'
import { exactSum } from './exact-sum.ts'
import { numberList } from './number-list.ts'
import { quantile } from './quantile.ts'

export type Latency = Summary['latency_ms']

export type LatencyFold = {
  /** A duration in milliseconds; one that is not finite is not a duration and is left out. */
  readonly add: (ms: number) => void
  readonly result: () => Latency
}

/**
 * Folds durations into mean, median, 95th percentile and maximum, all null when there are none. Quantiles are
 * interpolated (Hyndman and Fan's definition 7, see quantile.ts). Eight bytes a duration; order does not matter.
 */
export const quantiles = (): LatencyFold => {
  const durations = numberList()
  const sum = exactSum()
  return {
    add: (ms) => {
      if (!Number.isFinite(ms)) return
      durations.push(ms)
      sum.add(ms)
    },
    result: () => {
      // In place: the order in which they came is of no use.
      const sorted = durations.values().sort()
      return {
        mean: sorted.length === 0 ? null : sum.result() / sorted.length,
        p50: quantile(sorted, 0.5),
        p95: quantile(sorted, 0.95),
        max: quantile(sorted, 1),
      }
    },
  }
}
