import { quantile } from './quantile.ts'
import { seededRandom } from './random.ts'
import { randomBinomial } from './random-binomial.ts'
import { type Interval, wilson } from './wilson.ts'

/** Column-wise, so that 100,000 cases are two typed arrays: of case i, `passed[i]` of `usable[i]` trials passed. */
export type Clusters = {
  readonly passed: ArrayLike<number>
  readonly usable: ArrayLike<number>
  readonly length: number
}

export type BootstrapOptions = {
  readonly seed: number
  readonly resamples?: number
  readonly confidence?: number
}

/**
 * Percentile bootstrap interval of Σ passed / Σ usable that resamples whole cases with replacement, because the
 * trials of one case are not independent. The same seed and the same cases, in whatever order, give the same
 * interval. Cases without a usable trial say nothing and are left out; null when none is left.
 * When every case has the same rate, all resamples agree, and an interval without width would claim certainty:
 * then it is Wilson's over the number of cases.
 * Source: B. Efron and R. J. Tibshirani, "An Introduction to the Bootstrap" (1993), chapter 13; clusters as the
 * unit of resampling: A. C. Davison and D. V. Hinkley, "Bootstrap Methods and their Application" (1997), 3.8.
 */
export const clusterBootstrap = (clusters: Clusters, options: BootstrapOptions): Interval | null => {
  const { seed, resamples = 2_000, confidence = 0.95 } = options
  const outcomes = distinctOutcomes(clusters)
  const first = outcomes[0]
  if (first === undefined) return null
  const cases = outcomes.reduce((sum, outcome) => sum + outcome.cases, 0)
  if (outcomes.every((outcome) => outcome.passed * first.usable === first.passed * outcome.usable)) {
    return wilson((cases * first.passed) / first.usable, cases, confidence)
  }
  const random = seededRandom(seed)
  const rates = new Float64Array(resamples)
  for (let i = 0; i < resamples; i++) rates[i] = resampledRate(outcomes, cases, random)
  rates.sort()
  const low = quantile(rates, (1 - confidence) / 2)
  const high = quantile(rates, (1 + confidence) / 2)
  return low === null || high === null ? null : [low, high]
}

type Outcome = { readonly passed: number; readonly usable: number; cases: number }

const distinctOutcomes = ({ passed, usable, length }: Clusters): readonly Outcome[] => {
  const byOutcome = new Map<number, Outcome>()
  for (let i = 0; i < length; i++) {
    const of = usable[i] ?? 0
    const good = passed[i] ?? 0
    if (of === 0) continue
    // One number for the pair; counts of trials are far below 2^26.
    const key = of * 2 ** 26 + good
    const known = byOutcome.get(key)
    if (known === undefined) byOutcome.set(key, { passed: good, usable: of, cases: 1 })
    else known.cases++
  }
  return [...byOutcome.values()].sort((a, b) => a.usable - b.usable || a.passed - b.passed)
}

// Drawing n of n cases with replacement is one multinomial draw over their distinct outcomes, which a binomial per
// outcome gives exactly: the work grows with the few ways a case can end, not with the cases.
const resampledRate = (outcomes: readonly Outcome[], cases: number, random: () => number): number => {
  let toDraw = cases
  let others = cases
  let passed = 0
  let usable = 0
  for (const outcome of outcomes) {
    const drawn = randomBinomial(toDraw, outcome.cases / others, random)
    passed += drawn * outcome.passed
    usable += drawn * outcome.usable
    toDraw -= drawn
    others -= outcome.cases
  }
  return passed / usable
}
