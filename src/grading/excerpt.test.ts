import fc from 'fast-check'
import { expect, test } from 'vitest'
import { excerpt, quote, showText } from './excerpt.ts'

test.each([
  ['a short text as it is', 'abc', 0, 5, 'abc'],
  ['the beginning of a long one', 'abcdefgh', 0, 4, 'abcd…'],
  ['the part around a place', 'abcdefghijkl', 6, 4, '…fghi…'],
  ['the end', 'abcdefgh', 8, 4, '…efgh'],
  ['no half of a character at the end', 'abc👍def', 0, 4, 'abc…'],
  ['no half of a character at the beginning', 'abc👍d', 6, 2, '…👍…'],
])('shows %s', (_, text, at, max, shown) => {
  expect(excerpt(text, at, max)).toBe(shown)
})

test('never shows half a character, and never much more than it may', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '👍', '\n'), maxLength: 40 })
  fc.assert(
    fc.property(text, fc.nat(80), fc.integer({ min: 2, max: 20 }), (whole, at, max) => {
      const shown = excerpt(whole, at, max)
      expect(shown).not.toMatch(/\p{Cs}/u)
      expect(shown.length).toBeLessThanOrEqual(max + 3)
      expect(whole).toContain(shown.replace(/^…/, '').replace(/…$/, ''))
    }),
  )
})

test('a quotation is one line without control characters', () => {
  expect(quote('a\nb\u0007"')).toBe('"a\\nb\\u0007\\""')
})

test('an empty text is said to be empty', () => {
  expect([showText(''), showText('a')]).toEqual(['the text is empty', 'the text is "a"'])
})
