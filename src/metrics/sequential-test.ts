import { caseRate } from './case-rate.ts'
import { logFactorial } from './log-factorial.ts'
import { isAtLeast } from './tolerance.ts'
import type { Interval } from './wilson.ts'

/** When the trials of a case end before `max`: as soon as those so far decide about `threshold`, but not before `min`. */
export type StopRule = { readonly threshold: number; readonly max: number; readonly min: number }

export type Tally = { readonly passed: number; readonly failed: number; readonly unusable: number }

/**
 * Whether further trials would not be worth their price: because none of their outcomes up to `max` could change the
 * verdict, or because the 95 % confidence sequence excludes the threshold. Trials that could not be judged count as
 * run and never decide: the verdict that is given now must stand whatever they would have been.
 */
export const isDecided = (tally: Tally, { threshold, max, min }: StopRule): boolean => {
  const { passed, failed, unusable } = tally
  const done = passed + failed + unusable
  if (done < min) return false
  if (done >= max) return true
  const { status } = caseRate({ ...tally, threshold })
  if (status === 'undecided') return false
  const isCertain =
    status === 'passed' ? isAtLeast(passed / max, threshold) : !isAtLeast((max - failed) / max, threshold)
  return isCertain || excludes(passed, failed, threshold) === (status === 'passed' ? 'above' : 'below')
}

/** After how many trials, told in order, the case was decided; undefined where it was not, or where one is missing before. */
export const decidedAfter = (
  statuses: Iterable<'passed' | 'failed' | string | undefined>,
  rule: StopRule,
): number | undefined => {
  let tally: Tally = { passed: 0, failed: 0, unusable: 0 }
  let done = 0
  for (const status of statuses) {
    if (status === undefined) return undefined
    tally = counted(tally, status)
    done += 1
    if (isDecided(tally, rule)) return done
  }
  return undefined
}

export const counted = ({ passed, failed, unusable }: Tally, status: string): Tally => ({
  passed: passed + Number(status === 'passed'),
  failed: failed + Number(status === 'failed'),
  unusable: unusable + Number(status !== 'passed' && status !== 'failed'),
})

/**
 * Where the true pass rate lies by the confidence sequence, seen from `rate`: `above` or `below` it, or undefined while
 * `rate` is inside. The sequence holds at all times at once: whoever looks after each trial and stops when he likes
 * is wrong about a given rate with a probability of at most `alpha`.
 *
 * It is the set of rates whose likelihood ratio against the Beta(1/2, 1/2) mixture stays below 1/alpha; that ratio is a
 * martingale with mean 1 under the true rate, and Ville's inequality bounds how often it ever comes so far.
 * Source: H. Robbins, "Statistical Methods Related to the Law of the Iterated Logarithm", Ann. Math. Statist. 41 (1970),
 * 1397–1409; the mixture: R. E. Krichevsky and V. K. Trofimov, IEEE Trans. Inf. Theory 27 (1981), 199–207.
 */
export const excludes = (passed: number, failed: number, rate: number, alpha = 0.05): 'above' | 'below' | undefined => {
  const n = passed + failed
  if (n === 0) return undefined
  const ratio = logMixture(passed, failed) - logLikelihood(passed, failed, rate)
  if (ratio < -Math.log(alpha)) return undefined
  return passed / n > rate ? 'above' : 'below'
}

/**
 * The 95 % confidence sequence as an interval: the rates that `excludes` does not. It is wider than Wilson's, and true also
 * of a case whose trials ended because of how they came out. Null without trials.
 */
export const sequentialInterval = (passed: number, failed: number, alpha = 0.05): Interval | null => {
  const n = passed + failed
  if (n === 0) return null
  /** Between a rate that is excluded, or the end of all rates, and the one that was seen, which never is. */
  const bound = (end: number): number => {
    let [out, inside] = [end, passed / n]
    for (let i = 0; i < 60; i++) {
      const middle = (out + inside) / 2
      if (excludes(passed, failed, middle, alpha) === undefined) inside = middle
      else out = middle
    }
    return inside
  }
  return [passed === 0 ? 0 : bound(0), failed === 0 ? 1 : bound(1)]
}

/** ln of B(s+1/2, f+1/2)/B(1/2, 1/2) = (2s)! (2f)! / (4^n s! f! n!). */
const logMixture = (s: number, f: number): number =>
  logFactorial(2 * s) +
  logFactorial(2 * f) -
  (s + f) * Math.LN2 * 2 -
  logFactorial(s) -
  logFactorial(f) -
  logFactorial(s + f)

const logLikelihood = (s: number, f: number, rate: number): number =>
  (s === 0 ? 0 : s * Math.log(rate)) + (f === 0 ? 0 : f * Math.log1p(-rate))
