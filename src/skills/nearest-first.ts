import { nearest } from '../lib/nearest.ts'

/** At most `max` of the names: those that may have been meant by `word`, best first, then the others in their order. */
export const nearestFirst = (word: string, names: readonly string[], max: number): readonly string[] => {
  const near = nearest(word, names, max)
  const taken = new Set(near)
  return [...near, ...names.filter((name) => !taken.has(name))].slice(0, max)
}
