/**
 * pass@k: the chance that at least one of `k` trials passes, estimated without bias from `n` trials of which `c`
 * passed: 1 - C(n-c, k) / C(n, k). Null when k is more than n, or n is 0 (k < 1 has no meaning and is null too).
 * Throws a RangeError when `c` is outside 0..n.
 * Source: M. Chen et al., "Evaluating Large Language Models Trained on Code" (2021), equation 1.
 */
export const passAtK = (n: number, c: number, k: number): number | null => {
  if (!isKnowable(n, c, k)) return null
  // Drawing without replacement, hit by hit: only positive terms, so nothing cancels, and pass@1 is c/n exactly.
  // C(n-c, k) / C(n, k) is the same with c and k exchanged: take the shorter way.
  const draws = Math.min(k, c)
  const hits = Math.max(k, c)
  let chance = 0
  for (let i = 0; i < draws; i++) chance += ((1 - chance) * hits) / (n - i)
  return chance
}

/**
 * pass^k: the chance that all of `k` trials pass, estimated without bias from `n` trials of which `c` passed:
 * C(c, k) / C(n, k). Null and RangeError as for pass@k.
 * Source: S. Yao et al., "τ-bench: A Benchmark for Tool-Agent-User Interaction in Real-World Domains" (2024).
 */
export const passPowK = (n: number, c: number, k: number): number | null => {
  if (!isKnowable(n, c, k)) return null
  let chance = 1
  for (let i = 0; i < k; i++) chance *= Math.max(0, c - i) / (n - i)
  return chance
}

/** The estimator (pass@k unless another is given) at each of `ks`, keyed by k in decimal: `{"1": 0.6, "3": 1}`. */
export const passCurve = (
  n: number,
  c: number,
  ks: readonly number[] = reportedKs(n),
  estimator: (n: number, c: number, k: number) => number | null = passAtK,
): Record<string, number | null> => Object.fromEntries(ks.map((k) => [String(k), estimator(n, c, k)]))

/**
 * The ks that a report shows for `n` trials: 1, 2, 3, 5, then 10, 20, 50, 100 … as far as they are below n, and
 * n itself. At least [1], so that a case without a usable trial shows a null and not nothing.
 */
export const reportedKs = (n: number): readonly number[] => {
  const ks = [1, 2, 3, 5].filter((k) => k < n)
  for (let decade = 10; decade < n; decade *= 10) ks.push(...[decade, 2 * decade, 5 * decade].filter((k) => k < n))
  return [...ks, Math.max(1, n)]
}

/** The ks for `n` trials of at most `max`: with those beyond `n`, which nothing is known of. */
export const reportedKsUpTo = (n: number, max: number): readonly number[] => [
  ...reportedKs(n),
  ...reportedKs(max).filter((k) => k > Math.max(1, n)),
]

const isKnowable = (n: number, c: number, k: number): boolean => {
  if (!(c >= 0 && c <= n)) throw new RangeError(`c is ${c}, outside 0..${n}`)
  return n > 0 && k >= 1 && k <= n
}
