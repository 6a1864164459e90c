import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fitEnd, fitMiddle, linesOf, textWidth } from './text-width.ts'

test.each([
  ['abc', 3],
  ['äöü', 3],
  ['漢字', 4],
  ['🙂', 2],
  ['e\u0301', 1],
  ['–…→✗', 4],
])('%j takes %i columns', (text, width) => {
  expect(textWidth(text)).toBe(width)
})

test.each([
  ['skill-name', 10, 'skill-name', 'skill-name'],
  ['skill-name', 7, 'skill-…', 'ski…ame'],
  ['skill-name', 6, 'skill…', 'ski…me'],
  ['漢字漢字', 5, '漢字…', '漢…字'],
  ['abc', 1, '…', '…'],
  ['abc', 0, '', ''],
])('%j is cut to %i columns at its end or middle', (text, width, end, middle) => {
  expect([fitEnd(text, width), fitMiddle(text, width)]).toEqual([end, middle])
})

test('is never wider than asked for', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.nat(20), (text, width) => {
      expect(textWidth(fitEnd(text, width))).toBeLessThanOrEqual(width)
      expect(textWidth(fitMiddle(text, width))).toBeLessThanOrEqual(width)
    }),
  )
})

test('breaks a line between its parts, and never in one', () => {
  expect(linesOf(['aa', 'bb', 'cccccc', 'd'], '  ', 6)).toEqual(['aa  bb', 'cccccc', 'd'])
  expect(linesOf(['漢字', '漢'], ' ', 6)).toEqual(['漢字', '漢'])
  expect(linesOf([], ' ', 6)).toEqual([])
})
