import { distance } from 'fastest-levenshtein'

/** Longer words are no slips of the pen, and comparing them is dear. */
const LONGEST = 100

/**
 * The candidates that somebody who wrote `word` may have meant, best first, at most `max`: the same but for case,
 * then those that one begins with the other, then those at an edit distance of at most 2 or a third of the
 * word's length. Equals keep the order of the candidates.
 */
export const nearest = (word: string, candidates: Iterable<string>, max = 3): string[] => {
  if (word.length > LONGEST) return []
  const wanted = word.toLowerCase()
  return [...new Set(candidates)]
    .map((candidate) => ({ candidate, rank: rankOf(wanted, candidate.toLowerCase()) }))
    .filter(({ rank }) => rank < Number.POSITIVE_INFINITY)
    .sort((a, b) => a.rank - b.rank)
    .slice(0, max)
    .map(({ candidate }) => candidate)
}

/**
 * The known name that somebody meant who wrote nearly that: other case or hyphens, or one slip (two in a long name).
 * Narrower than `nearest`, for where any other name may be right.
 */
export const nearestName = (written: string, known: readonly string[]): string | undefined => {
  if (written.length > LONGEST || known.includes(written)) return undefined
  const plain = plainName(written)
  const slips = plain.length > 6 ? 2 : 1
  const near = known
    .map((name) => ({ name, edits: distance(plain, plainName(name)) }))
    .filter(({ name, edits }) => edits === 0 || (edits <= slips && Math.min(plain.length, name.length) >= 4))
    .sort((a, b) => a.edits - b.edits)
  return near[0]?.name
}

const plainName = (name: string): string => name.toLowerCase().replaceAll(/[-_ ]/g, '')

// Ranks of prefixes lie between 0 and 1, distances start at 1: the lower, the nearer.
const rankOf = (word: string, candidate: string): number => {
  if (candidate === word) return 0
  if (candidate.length > LONGEST || candidate === '' || word === '') return Number.POSITIVE_INFINITY
  const [short, long] = word.length < candidate.length ? [word, candidate] : [candidate, word]
  if (short.length >= 2 && long.startsWith(short)) return 1 - short.length / long.length
  const limit = Math.max(2, Math.floor(word.length / 3))
  if (long.length - short.length > limit) return Number.POSITIVE_INFINITY
  const edits = distance(word, candidate)
  // Two words of two letters are always two edits apart: something must be left of the longer one.
  return edits <= limit && edits < long.length ? edits : Number.POSITIVE_INFINITY
}
