import { clusterBootstrap } from './cluster-bootstrap.ts'
import { normalQuantile } from './normal-quantile.ts'
import type { Interval } from './wilson.ts'

/** With fewer pairs that differ, the ends of a percentile bootstrap lie on those few and promise too much. */
const MIN_DIFFERENT = 10

/**
 * 95 % interval of the mean of `differences`, each in -1..1 and of one case; null without any. With ten cases or more
 * that differ it is the cluster bootstrap over cases, else Tango's score interval with cases as its pairs, which is
 * conservative for cases of several trials, and has a width where no case differs. Mirrored exactly when the sides are
 * swapped; the order of the cases does not matter.
 */
export const pairedInterval = (differences: readonly number[], { seed }: { seed: number }): Interval | null => {
  const n = differences.length
  if (n === 0) return null
  if (differences.filter((d) => d !== 0).length < MIN_DIFFERENT) {
    return tango(total(differences), total(differences.map((d) => -d)), n)
  }
  const one = bootstrap(differences, seed)
  const other = bootstrap(
    differences.map((d) => -d),
    seed,
  )
  // Drawn from both sides: the draws of one would favour it by their chance.
  return one && other ? [(one[0] - other[1]) / 2, (one[1] - other[0]) / 2] : null
}

/** The sum of what is above 0, in one order for rounding. */
const total = (differences: readonly number[]): number =>
  differences
    .filter((d) => d > 0)
    .sort((a, b) => a - b)
    .reduce((sum, d) => sum + d, 0)

const bootstrap = (differences: readonly number[], seed: number): Interval | null => {
  const shares = differences.map((d) => (1 + d) / 2)
  const interval = clusterBootstrap({ passed: shares, usable: shares.map(() => 1), length: shares.length }, { seed })
  return interval && [2 * interval[0] - 1, 2 * interval[1] - 1]
}

/**
 * Score interval of the difference of two paired shares: `up` of `n` pairs came out better on the second side, `down`
 * worse; both may be fractional. ±z²/(n+z²) where none differs.
 * Source: T. Tango, "Equivalence Test and Confidence Interval for the Difference in Proportions for the Paired-Sample
 * Design", Statistics in Medicine 17 (1998) 891-908.
 */
export const tango = (up: number, down: number, n: number, confidence = 0.95): Interval => {
  const z = normalQuantile((1 + confidence) / 2)
  return [-upperLimit(down, up, n, z), upperLimit(up, down, n, z)]
}

const upperLimit = (up: number, down: number, n: number, z: number): number => {
  let low = (up - down) / n
  let high = 1
  // The statistic falls as the difference grows: halving 60 times reaches the last digit.
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2
    if (score(up, down, n, middle) >= -z) low = middle
    else high = middle
  }
  return (low + high) / 2
}

const score = (up: number, down: number, n: number, difference: number): number => {
  const b = (2 * n - up + down) * difference - up - down
  const c = -down * difference * (1 - difference)
  const share = (Math.sqrt(b * b - 8 * n * c) - b) / (4 * n)
  const variance = n * (2 * share + difference * (1 - difference))
  return (up - down - n * difference) / Math.sqrt(variance)
}
