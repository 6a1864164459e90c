/**
 * The `p`-quantile (0..1) of numbers sorted upwards, interpolated linearly between the two nearest ranks; null
 * when there are none. Definition 7 of R. J. Hyndman and Y. Fan, "Sample Quantiles in Statistical Packages",
 * The American Statistician 50 (1996) 361-365: the default of R, NumPy and spreadsheets.
 */
export const quantile = (sorted: ArrayLike<number>, p: number): number | null => {
  const rank = (sorted.length - 1) * p
  const below = sorted[Math.floor(rank)]
  const above = sorted[Math.ceil(rank)]
  if (below === undefined || above === undefined) return null
  return below + (above - below) * (rank - Math.floor(rank))
}
