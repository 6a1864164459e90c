/**
 * A running sum of finite numbers, rounded once at the end: trials that finish in another order give the same
 * digits. Memory stays at a few dozen numbers, however many are added.
 * Source: J. R. Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates",
 * Discrete & Computational Geometry 18 (1997) 305-363, GROW-EXPANSION; the last rounding as in Python's math.fsum.
 */
export const exactSum = (): ExactSum => {
  const partials: number[] = []
  return {
    add: (value) => {
      let carry = value
      let kept = 0
      for (const partial of partials) {
        const [high, low] = twoSum(carry, partial)
        if (low !== 0) partials[kept++] = low
        carry = high
      }
      partials.length = kept
      partials.push(carry)
    },
    result: () => roundOnce(partials),
  }
}

export type ExactSum = {
  readonly add: (value: number) => void
  readonly result: () => number
}

const twoSum = (x: number, y: number): readonly [high: number, low: number] => {
  const [large, small] = Math.abs(x) < Math.abs(y) ? [y, x] : [x, y]
  const high = large + small
  return [high, small - (high - large)]
}

const roundOnce = (partials: readonly number[]): number => {
  let at = partials.length - 1
  let sum = partials[at] ?? 0
  let rest = 0
  while (at > 0 && rest === 0) {
    at--
    ;[sum, rest] = twoSum(sum, partials[at] ?? 0)
  }
  // A tie was rounded to even without the partials below; they decide when they lean the same way as the rest.
  const below = partials[at - 1] ?? 0
  if ((rest < 0 && below < 0) || (rest > 0 && below > 0)) {
    const doubled = rest * 2
    const moved = sum + doubled
    if (moved - sum === doubled) return moved
  }
  return sum
}
