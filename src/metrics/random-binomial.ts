import { logFactorial } from './log-factorial.ts'

/**
 * How many of `n` independent draws succeed when each does with probability `p`: one exact binomial variate, in
 * time that does not grow with `n`. `random` gives numbers in 0 <= x < 1; `n` is a whole number >= 0, `p` in 0..1.
 * Sources: inversion (BINV) of V. Kachitvichyanukul and B. Schmeiser, "Binomial Random Variate Generation",
 * CACM 31 (1988) 216-222, for small means; else transformed rejection with squeeze (BTRS) of W. Hörmann, "The
 * Generation of Binomial Random Variates", J. Stat. Comput. Simul. 46 (1993) 101-110.
 */
export const randomBinomial = (n: number, p: number, random: () => number): number => {
  if (n === 0 || p <= 0) return 0
  if (p >= 1) return n
  if (p > 0.5) return n - randomBinomial(n, 1 - p, random)
  return n * p < 10 ? byInversion(n, p, random) : byRejection(n, p, random)
}

const byInversion = (n: number, p: number, random: () => number): number => {
  const odds = p / (1 - p)
  const none = Math.exp(n * Math.log1p(-p))
  for (;;) {
    let left = random()
    let share = none
    for (let k = 0; k <= n; k++) {
      if (left < share) return k
      left -= share
      share *= (odds * (n - k)) / (k + 1)
    }
    // The shares sum to 1 but for rounding: a draw in the gap is taken again.
  }
}

const byRejection = (n: number, p: number, random: () => number): number => {
  const deviation = Math.sqrt(n * p * (1 - p))
  const b = 1.15 + 2.53 * deviation
  const a = -0.0873 + 0.0248 * b + 0.01 * p
  const c = n * p + 0.5
  const inside = 0.92 - 4.2 / b
  const alpha = (2.83 + 5.1 / b) * deviation
  const logOdds = Math.log(p / (1 - p))
  const mode = Math.floor((n + 1) * p)
  const peak = logFactorial(mode) + logFactorial(n - mode)
  for (;;) {
    const u = random() - 0.5
    const v = random()
    const us = 0.5 - Math.abs(u)
    const k = Math.floor(((2 * a) / us + b) * u + c)
    if (us >= 0.07 && v <= inside) return k
    if (!(k >= 0 && k <= n)) continue
    const height = Math.log((v * alpha) / (a / (us * us) + b))
    if (height <= peak - logFactorial(k) - logFactorial(n - k) + (k - mode) * logOdds) return k
  }
}
