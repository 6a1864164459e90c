export type Bin = { readonly from: number; readonly to: number; readonly count: number }

const BINS = 24

/** Nothing that is measured is smaller, and below it division has no use. */
const SMALLEST = 1e-12

/** Counts numbers that are not negative in at most 24 bins of equal width, from 0 to the highest; none for no numbers. */
export const histogram = (values: readonly number[]): readonly Bin[] => {
  if (values.length === 0) return []
  let max = 0
  for (const value of values) if (value > max) max = value
  if (max < SMALLEST) return [{ from: 0, to: 0, count: values.length }]
  const width = niceWidth(max / BINS)
  const counts = Array.from({ length: Math.floor(max / width) + 1 }, () => 0)
  for (const value of values) {
    const at = Math.max(0, Math.floor(value / width))
    counts[at] = (counts[at] ?? 0) + 1
  }
  return counts.map((count, i) => ({ from: i * width, to: (i + 1) * width, count }))
}

/** The next of 1, 2, 5, 10, 20, … */
const niceWidth = (width: number): number => {
  const power = 10 ** Math.floor(Math.log10(width))
  const digit = [1, 2, 5, 10].find((candidate) => candidate * power >= width * (1 - 1e-9)) ?? 10
  return digit * power
}

/** The value below which a share of the numbers lies, the nearest of them; null for none. */
export const quantileOf = (values: readonly number[], share: number): number | null =>
  values.length === 0
    ? null
    : ([...values].sort((a, b) => a - b)[Math.max(0, Math.ceil(share * values.length) - 1)] ?? null)
