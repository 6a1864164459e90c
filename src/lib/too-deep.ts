/** Whether a value nests deeper than so many levels: writing it as JSON could exhaust the stack. */
export const isDeeperThan = (levels: number, value: unknown): boolean => {
  let level = [value]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > levels) return true
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []))
  }
  return false
}
