import { exactSum } from './exact-sum.ts'
import { mcnemar } from './mcnemar.ts'
import { seededRandom } from './random.ts'

export type PermutationResult = {
  /** Two-sided. */
  readonly p: number
  /** `exact`: of all ways to swap; else an estimate of `flips` random ones. */
  readonly method: 'exact' | 'monte_carlo'
  readonly flips: number
}

/** 65,536 ways to swap take milliseconds. */
const MAX_EXACT = 16
const MONTE_CARLO_FLIPS = 9_999

/**
 * Fisher's paired permutation test that the mean of `differences` is 0: swapping the two sides of a pair turns its
 * sign, and p is the share of swaps whose sum is at least as far from 0 as the one that was seen. Every way is tried
 * for up to 16 pairs that differ; beyond, 9,999 random ones, and p is (b+1)/(m+1), which is never 0. Where all
 * differences have one size it is McNemar's exact test, however many they are. Neither the order of the pairs nor which
 * side came first changes it. `differences` are finite; one for each independent unit (a case, not a trial of it).
 * Sources: R. A. Fisher, "The Design of Experiments" (1935) section 21; B. Phipson and G. K. Smyth, "Permutation
 * P-values Should Never Be Zero", Statistical Applications in Genetics and Molecular Biology 9:39 (2010).
 */
export const pairedPermutation = (differences: readonly number[], { seed }: { seed: number }): PermutationResult => {
  const sizes = differences.flatMap((d) => (d === 0 ? [] : [Math.abs(d)])).sort((a, b) => a - b)
  const [least = 0] = sizes
  const most = sizes.at(-1) ?? 0
  // Fractions such as 0.7 - 0.6 differ in their last digits.
  if (most - least <= most * ROUNDING) {
    const up = differences.filter((d) => d > 0).length
    return { p: mcnemar(up, sizes.length - up), method: 'exact', flips: 0 }
  }
  const sum = exactSum()
  for (const d of differences) sum.add(d)
  const reached = Math.abs(sum.result()) - sizes.reduce((all, size) => all + size, 0) * ROUNDING
  if (sizes.length <= MAX_EXACT) {
    const flips = 2 ** sizes.length
    return { p: countExact(sizes, reached) / flips, method: 'exact', flips }
  }
  const b = countRandom(sizes, reached, seed)
  return { p: (b + 1) / (MONTE_CARLO_FLIPS + 1), method: 'monte_carlo', flips: MONTE_CARLO_FLIPS }
}

const ROUNDING = 1e-12

const countExact = (sizes: readonly number[], reached: number): number => {
  const visit = (at: number, sum: number): number => {
    const size = sizes[at]
    if (size === undefined) return Math.abs(sum) >= reached ? 1 : 0
    return visit(at + 1, sum + size) + visit(at + 1, sum - size)
  }
  return visit(0, 0)
}

const countRandom = (sizes: readonly number[], reached: number, seed: number): number => {
  const random = seededRandom(seed)
  let count = 0
  for (let flip = 0; flip < MONTE_CARLO_FLIPS; flip++) {
    let sum = 0
    for (const size of sizes) sum += random() < 0.5 ? size : -size
    if (Math.abs(sum) >= reached) count++
  }
  return count
}
