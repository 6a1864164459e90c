import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type SimilarityMeasure, similarity } from './similarity.ts'

const measures: readonly SimilarityMeasure[] = ['levenshtein', 'rouge_l', 'token_f1']

describe('levenshtein', () => {
  test.each([
    ['kitten', 'sitting', 1 - 3 / 7],
    ['flaw', 'lawn', 1 - 2 / 4],
    ['', 'abc', 0],
    ['abc', 'ABC', 0],
    ['', '', 1],
  ])('of %j and %j is %d', (a, b, expected) => {
    expect(similarity(a, b, 'levenshtein')).toBeCloseTo(expected, 10)
  })
})

describe('rouge_l', () => {
  test.each([
    // Lin 2004, section 3.2: "police kill the gunman" shares three words in order with the reference, the others two.
    ['police killed the gunman', 'police kill the gunman', 3 / 4],
    ['police killed the gunman', 'the gunman kill police', 2 / 4],
    ['police killed the gunman', 'the gunman police killed', 2 / 4],
    // Lengths 6 and 3, three in common: recall 1/2, precision 1.
    ['the cat is on the mat', 'The cat, mat!', 2 / 3],
    ['one two', 'three', 0],
    ['', '', 1],
    ['...', '', 1],
    ['word', '', 0],
    ['三月收入最高', '三月的收入', 8 / 11],
    ['e\u0301te\u0301', 'été', 1],
    ['данные готовы', 'Данные не готовы', 4 / 5],
  ])('of %j and %j is %d', (a, b, expected) => {
    expect(similarity(a, b, 'rouge_l')).toBeCloseTo(expected, 10)
  })
})

describe('token_f1', () => {
  test.each([
    // By hand after the evaluation script of SQuAD 1.1: articles, case and punctuation do not count, repeats do.
    ['The Denver Broncos', 'Denver Broncos', 1],
    ['the Denver Broncos won', 'Broncos', 2 / 4],
    ['gold gold silver', 'gold', 2 / 4],
    ["don't", 'dont', 1],
    ['1,200 euros', '1200 euros', 1],
    ['March, $1200', '1200 march', 1],
    ['the', 'a', 1],
    ['yes', 'no', 0],
    ['yes', '', 0],
    ['收入最高', '最高收入', 1],
  ])('of %j and %j is %d', (a, b, expected) => {
    expect(similarity(a, b, 'token_f1')).toBeCloseTo(expected, 10)
  })
})

describe('every measure', () => {
  test('is between 0 and 1, the same both ways round, and 1 for equal texts', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.string({ unit: 'binary' }),
        fc.constantFrom(...measures),
        (a, b, by) => {
          const value = similarity(a, b, by)
          expect(value).toBeGreaterThanOrEqual(0)
          expect(value).toBeLessThanOrEqual(1)
          expect(similarity(b, a, by)).toBe(value)
          expect(similarity(a, a, by)).toBe(1)
        },
      ),
    )
  })

  test.each([
    ['levenshtein', 'ab'.repeat(15_000), 'ba'.repeat(15_000)],
    ['rouge_l', 'a b '.repeat(5_000), 'b c '.repeat(5_000)],
    ['token_f1', 'word '.repeat(200_000), 'other '.repeat(200_000)],
  ] as const)('compares long texts by %s in time', (by, a, b) => {
    const started = performance.now()
    similarity(a, b, by)
    expect(performance.now() - started).toBeLessThan(5_000)
  })

  test.each([
    ['levenshtein', 'a'.repeat(100_000), 'b'.repeat(100_000)],
    ['rouge_l', 'a '.repeat(20_000), 'b '.repeat(20_000)],
  ] as const)('refuses texts that would take too long by %s', (by, a, b) => {
    expect(() => similarity(a, b, by)).toThrow(
      expect.objectContaining({ code: 'text_too_long', message: `the two texts are too long to compare by ${by}` }),
    )
  })
})
