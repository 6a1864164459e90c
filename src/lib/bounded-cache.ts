/** Remembers at most `limit` values; the one that was used longest ago goes first. */
export type BoundedCache<K, V> = {
  /** The value of `key`, made by `make` if it is not held. A `make` that throws leaves nothing behind. */
  get(key: K, make: () => V): V
}

/** A memo for things that are dear to make and cheap to hold, such as compiled patterns. */
export const boundedCache = <K, V>(limit: number): BoundedCache<K, V> => {
  const held = new Map<K, { readonly value: V }>()
  return {
    get(key, make) {
      const hit = held.get(key)
      if (hit !== undefined) {
        held.delete(key)
        held.set(key, hit)
        return hit.value
      }
      const value = make()
      held.set(key, { value })
      if (held.size > limit) evictOldest(held)
      return value
    },
  }
}

const evictOldest = (held: Map<unknown, unknown>): void => {
  for (const oldest of held.keys()) {
    held.delete(oldest)
    return
  }
}
