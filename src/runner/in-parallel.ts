/** Does the work for each item, at most `limit` at a time, begun in their order; the results are in that order too. */
export const inParallel = async <T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T, at: number) => Promise<R>,
): Promise<R[]> => {
  const results = new Array<R>(items.length)
  const entries = items.entries()
  const worker = async (): Promise<void> => {
    for (const [at, item] of entries) results[at] = await work(item, at)
  }
  await Promise.all(Array.from({ length: Math.max(1, Math.min(limit, items.length)) }, worker))
  return results
}
