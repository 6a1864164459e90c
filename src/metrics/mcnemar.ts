import { logFactorial } from './log-factorial.ts'

/**
 * McNemar's exact test, two-sided: how likely pairs that came out differently would lean to one side at least as far
 * as `oneWay` against `otherWay` do, if each were a toss of a coin. 1 where no pair differs. Exact rather than mid-p:
 * mid-p rejects more often, but may pass its level, and a gate must not raise more false alarms than it says.
 * Source: Q. McNemar, Psychometrika 12 (1947) 153-157; the exact form and mid-p compared in M. W. Fagerland,
 * S. Lydersen and P. Laake, BMC Medical Research Methodology 13:91 (2013).
 */
export const mcnemar = (oneWay: number, otherWay: number): number => {
  const n = oneWay + otherWay
  const fewer = Math.min(oneWay, otherWay)
  return Math.min(1, 2 * (n <= MAX_PLAIN ? plainTail(n, fewer) : logTail(n, fewer)))
}

/** Up to here binomial coefficients and powers of 2 are numbers that a double has. */
const MAX_PLAIN = 1000

/** The probability of at most `most` heads in `n` tosses; to the last digit where coefficients are whole numbers. */
const plainTail = (n: number, most: number): number => {
  let coefficient = 1
  let sum = 1
  for (let k = 0; k < most; k++) {
    coefficient = (coefficient * (n - k)) / (k + 1)
    sum += coefficient
  }
  return sum * 2 ** -n
}

const logTail = (n: number, most: number): number => {
  const whole = logFactorial(n) - n * Math.LN2
  let tail = 0
  for (let k = 0; k <= most; k++) tail += Math.exp(whole - logFactorial(k) - logFactorial(n - k))
  return tail
}
