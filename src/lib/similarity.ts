import { distance } from 'fastest-levenshtein'
import { SkillsEvalError } from '../core/errors.ts'

export type SimilarityMeasure = 'levenshtein' | 'rouge_l' | 'token_f1'

/** Comparisons of one element of `a` with one of `b`: about half a second. */
const MAX_CELLS = { levenshtein: 1_000_000_000, rouge_l: 100_000_000 }

/**
 * How alike two texts are, from 0 to 1 (equal, also when both are empty).
 *
 * - `levenshtein`: 1 less the edit distance in UTF-16 code units over the longer length.
 * - `rouge_l`: the F1 of ROUGE-L (Lin 2004, with β = 1): the longest common subsequence of words over each length.
 * - `token_f1`: the F1 of SQuAD (Rajpurkar et al. 2016): words in common whatever their order, without case, punctuation
 *   and English articles.
 *
 * A word is a run of letters and digits of any script; each Chinese or Japanese character is one. Throws a SkillsEvalError
 * `text_too_long` for texts whose comparison is quadratic and would take long: over about 31,000 characters each for
 * `levenshtein`, 10,000 words each for `rouge_l`.
 */
export const similarity = (a: string, b: string, by: SimilarityMeasure): number => {
  switch (by) {
    case 'levenshtein':
      return levenshtein(a, b)
    case 'rouge_l':
      return rougeL(wordsOf(a), wordsOf(b))
    case 'token_f1':
      return tokenF1(answerWordsOf(a), answerWordsOf(b))
  }
}

const levenshtein = (a: string, b: string): number => {
  if (a === b) return 1
  refuseBeyond(a.length * b.length, 'levenshtein')
  return 1 - distance(a, b) / Math.max(a.length, b.length)
}

const rougeL = (a: readonly string[], b: readonly string[]): number => {
  refuseBeyond(a.length * b.length, 'rouge_l')
  return f1(longestCommonSubsequence(a, b), a.length, b.length)
}

const tokenF1 = (a: readonly string[], b: readonly string[]): number => {
  const left = new Map<string, number>()
  for (const word of a) left.set(word, (left.get(word) ?? 0) + 1)
  let common = 0
  for (const word of b) {
    const count = left.get(word) ?? 0
    if (count === 0) continue
    left.set(word, count - 1)
    common += 1
  }
  return f1(common, a.length, b.length)
}

const f1 = (common: number, inA: number, inB: number): number => {
  if (inA === 0 && inB === 0) return 1
  return common === 0 ? 0 : (2 * common) / (inA + inB)
}

const longestCommonSubsequence = (a: readonly string[], b: readonly string[]): number => {
  const numbers = new Map<string, number>()
  const numberOf = (word: string): number => {
    const known = numbers.get(word) ?? numbers.size
    numbers.set(word, known)
    return known
  }
  const [rows, columns] = [Uint32Array.from(a, numberOf), Uint32Array.from(b, numberOf)]
  const lengths = new Uint32Array(columns.length + 1)
  for (const word of rows) {
    let diagonal = 0
    for (let at = 0; at < columns.length; at += 1) {
      const above = lengths[at + 1] ?? 0
      lengths[at + 1] = columns[at] === word ? diagonal + 1 : Math.max(above, lengths[at] ?? 0)
      diagonal = above
    }
  }
  return lengths[columns.length] ?? 0
}

// Scripts that put no blanks between words are compared sign by sign.
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{M}\p{N}])+/gu

const wordsOf = (text: string): readonly string[] => text.normalize('NFC').toLowerCase().match(WORD) ?? []

// SQuAD deletes punctuation instead of splitting at it: "don't" is one word, "1,200" is "1200".
const answerWordsOf = (text: string): readonly string[] =>
  wordsOf(text.replaceAll(/[\p{P}$+<=>^`|~]/gu, '')).filter((word) => word !== 'a' && word !== 'an' && word !== 'the')

const refuseBeyond = (cells: number, by: keyof typeof MAX_CELLS): void => {
  if (cells <= MAX_CELLS[by]) return
  throw new SkillsEvalError('text_too_long', `the two texts are too long to compare by ${by}`, {
    hint: 'Compare a part of them, or use token_f1, which has no such bound.',
  })
}
