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

/** Whether somebody may have written `word` for this candidate: not the same, and at an edit distance of at most 2; 1 for short ones. */
export const isSlipOf = (word: string, candidate: string): boolean =>
  word !== candidate &&
  Math.abs(word.length - candidate.length) <= 2 &&
  distance(word, candidate) <= (candidate.length < 6 ? 1 : 2)

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
