/**
 * p-values adjusted for all being asked at once, in their order: one at most `level` is significant at that level for
 * the whole family. Source: S. Holm, "A Simple Sequentially Rejective Multiple Test Procedure", Scandinavian Journal
 * of Statistics 6 (1979) 65-70; adjusted values as R's p.adjust gives them.
 */
export const holm = (values: readonly number[]): readonly number[] => {
  const ascending = values.map((p, at) => ({ p, at })).sort((a, b) => a.p - b.p)
  const adjusted = values.map(() => 1)
  let least = 0
  for (const [rank, { p, at }] of ascending.entries()) {
    least = Math.max(least, Math.min(1, (values.length - rank) * p))
    adjusted[at] = least
  }
  return adjusted
}
