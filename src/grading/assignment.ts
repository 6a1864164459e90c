/**
 * A largest one-to-one assignment of `left` things to `right` ones (maximum bipartite matching by augmenting paths):
 * for each left index its right one, or -1. `fits` is asked at most once for each pair.
 */
export const assign = (left: number, right: number, fits: (l: number, r: number) => boolean): number[] => {
  const choices = Array.from({ length: left }, () => new Map<number, boolean>())
  const isChoice = (l: number, r: number): boolean => {
    const known = choices[l]?.get(r)
    if (known !== undefined) return known
    const fresh = fits(l, r)
    choices[l]?.set(r, fresh)
    return fresh
  }
  const owners = new Array<number>(right).fill(-1)
  const takeFree = (l: number): boolean => {
    for (let r = 0; r < right; r++) {
      if (owners[r] !== -1 || !isChoice(l, r)) continue
      owners[r] = l
      return true
    }
    return false
  }
  const augment = (l: number, seen: Set<number>): boolean => {
    if (takeFree(l)) return true
    for (let r = 0; r < right; r++) {
      if (seen.has(r) || !isChoice(l, r)) continue
      seen.add(r)
      if (!augment(owners[r] ?? -1, seen)) continue
      owners[r] = l
      return true
    }
    return false
  }
  for (let l = 0; l < left; l++) augment(l, new Set())
  const assigned = new Array<number>(left).fill(-1)
  for (const [r, l] of owners.entries()) if (l >= 0) assigned[l] = r
  return assigned
}
