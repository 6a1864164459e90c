import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isEvidence } from './evidence.ts'

const material = 'The best months were\n  Feb and\tMar.\nCafé "Nord" sold 42.'

describe('a quote is evidence', () => {
  test.each([
    ['as it stands there', 'Feb and\tMar'],
    ['with other white space', ' The best months   were Feb and Mar. '],
    ['with characters composed otherwise', 'Cafe\u0301 "Nord"'],
    ['of three signs', 'Feb'],
    ['of all there is', material],
  ])('%s', (_, quote) => {
    expect(isEvidence(quote, material)).toBe(true)
  })

  test.each([
    ['that is empty', ''],
    ['of white space', ' \n'],
    ['of one letter', 'e'],
    ['of two digits', '42'],
    ['of marks and one letter', '"N'],
    ['of marks alone', '. \n'],
    ['with other words', 'Feb or Mar'],
    ['in other case', 'feb and mar'],
    ['with an ellipsis', 'The best … Mar'],
    ['put together of two passages', 'Feb and Mar. 42'],
    ['in other marks', 'Café “Nord”'],
  ])('but not one %s', (_, quote) => {
    expect(isEvidence(quote, material)).toBe(false)
  })

  test('a short one is, where it is the whole material', () => {
    expect(isEvidence('42', ' 42\n')).toBe(true)
    expect(isEvidence('42', '42.')).toBe(false)
    expect(isEvidence('', '')).toBe(false)
  })

  test('any passage with three letters is, however its blanks are written', () => {
    const word = fc.stringMatching(/^[a-zäß]{3,8}$/)
    const blank = fc.constantFrom(' ', '\n', '\t ', '\u00a0')
    fc.assert(
      fc.property(fc.array(word, { minLength: 3, maxLength: 8 }), blank, blank, (words, one, other) => {
        const passage = words.slice(1, -1)
        expect(isEvidence(passage.join(other).normalize('NFD'), words.join(one))).toBe(true)
        expect(isEvidence(`${passage.join(other)}X`, words.join(one))).toBe(false)
      }),
    )
  })
})
