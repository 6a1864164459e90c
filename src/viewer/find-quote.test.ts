import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isEvidence } from '../grading/judge/evidence.ts'
import { findQuote, markedPieces } from './find-quote.ts'

const found = (text: string, quote: string) => {
  const place = findQuote(text, quote)
  return place && text.slice(place.from, place.to)
}

describe('a quote in what was judged', () => {
  test('is found word for word, whatever the white space', () => {
    expect(found('It came from  the\nnorth, and both', ' from the north,')).toBe('from  the\nnorth,')
    expect(found('from there, from the north', 'from the north')).toBe('from the north')
    expect(found('a b', 'ab')).toBeUndefined()
    expect(found('ab', 'a b')).toBeUndefined()
    expect(found('all', ' \n')).toBeUndefined()
  })

  test('is found in either composition of its characters', () => {
    expect(found('caf\u00e9 au lait', 'cafe\u0301 au')).toBe('caf\u00e9 au')
    expect(found('cafe\u0301 au lait', 'caf\u00e9 au')).toBe('cafe\u0301 au')
  })

  test('is found wherever it counts as evidence, and nowhere else', () => {
    const words = fc.array(fc.constantFrom('north', 'south', 'a', '.', '*'), { minLength: 1, maxLength: 8 })
    const blank = fc.constantFrom(' ', '\n', ' \t ')
    fc.assert(
      fc.property(words, words, blank, blank, (text, quote, inText, inQuote) => {
        const [material, said] = [text.join(inText), quote.join(inQuote)]
        const isThere = material.replaceAll(/\s+/g, ' ').includes(said.replaceAll(/\s+/g, ' '))
        expect(findQuote(material, said) !== undefined).toBe(isThere)
        if (isEvidence(said, material)) expect(isThere).toBe(true)
      }),
    )
  })
})

test('a marked text is the text again, and overlapping marks give way to the first', () => {
  const mark = (from: number, to: number) => ({ from, to, name: `${from}` })
  expect(markedPieces('abcdef', [mark(3, 5), mark(1, 4)])).toEqual([
    { text: 'a' },
    { text: 'bcd', mark: mark(1, 4) },
    { text: 'e', mark: mark(3, 5) },
    { text: 'f' },
  ])
  const marks = fc.array(fc.record({ from: fc.nat(30), to: fc.nat(40), name: fc.constant('x') }))
  fc.assert(
    fc.property(fc.string(), marks, (text, all) => {
      expect(markedPieces(text, all).reduce((whole, piece) => whole + piece.text, '')).toBe(text)
    }),
  )
})
