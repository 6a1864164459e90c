import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contentWords, sharedWords, wordOverlap } from './words.ts'

test('joins plural, -ing and -ed forms, and leaves out what means nothing', () => {
  const stems = (text: string) => [...contentWords(text).keys()]
  expect(stems('file files')).toHaveLength(1)
  expect(stems('query queries')).toHaveLength(1)
  expect(stems('analyse analysed analysing analyses')).toHaveLength(1)
  expect(stems('plan plans planned planning')).toHaveLength(1)
  expect(stems('Use when the user wants it, or 12 of these')).toEqual([])
  expect(stems('class')).toEqual(['class'])
})

test('tells shared words as the first text spells them', () => {
  expect(sharedWords('Summarises CSV files. Use for tables.', 'Merge a csv file when a user asks')).toEqual([
    'csv',
    'files',
  ])
})

test('overlap is 1 for the same words, 0 without any, and the same both ways', () => {
  expect(wordOverlap('read csv files', 'CSV file, read')).toBe(1)
  expect(wordOverlap('', '')).toBe(0)
  expect(wordOverlap('csv files', 'csv tables')).toBeCloseTo(1 / 3)
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (a, b) => {
      const overlap = wordOverlap(a, b)
      expect(overlap).toBe(wordOverlap(b, a))
      expect(overlap).toBeGreaterThanOrEqual(0)
      expect(overlap).toBeLessThanOrEqual(1)
      expect(sharedWords(a, b).length > 0).toBe(overlap > 0)
    }),
  )
})
