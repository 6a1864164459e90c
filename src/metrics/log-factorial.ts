/**
 * ln(k!) for a whole number k >= 0, to about 1e-14 relative.
 * Source: a table of the first few, then Stirling's series (Abramowitz and Stegun 6.1.41) to its 1/k^5 term.
 */
export const logFactorial = (k: number): number => {
  const known = SMALL[k]
  if (known !== undefined) return known
  const square = k * k
  const correction = (1 / 12 - (1 / 360 - 1 / 1260 / square) / square) / k
  return (k + 0.5) * Math.log(k) - k + HALF_LOG_TWO_PI + correction
}

const HALF_LOG_TWO_PI = 0.9189385332046727

// Below 32 the terms left out of the series would show.
const SMALL: readonly number[] = ((): number[] => {
  const table = [0]
  let product = 1
  for (let k = 1; k < 32; k++) {
    product *= k
    table.push(Math.log(product))
  }
  return table
})()
