import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cleanText, firstInvisible } from './clean-text.ts'

describe('cleanText', () => {
  test.each<[string, string, number]>([
    ['plain\ttext\n', 'plain\ttext\n', 0],
    ['a\r\nb\rc\u2028d\u2029e', 'a\nb\nc\nd\ne', 0],
    ['é ß 日本語 – “x” … عربي हिन्दी 한국어', 'é ß 日本語 – “x” … عربي हिन्दी 한국어', 0],
    ['a\u200bb\u200c\u200d\u2060c', 'abc', 4],
    ['\u202aa\u202eb\u2066c\u2069\u200e\u061c', 'abc', 6],
    ['x\u{e0041}\u{e007f}y\u{e0100}', 'xy', 3],
    ['\ufeffa\ufeff', 'a', 2],
    ['a\x00\x1b[31m\x7f\x9b', 'a[31m', 4],
    ['soft\u00adhyphen\u3164', 'softhyphen', 2],
    ['👩‍💻 👨‍👩‍👧 🏳️‍🌈 ❤️ 👩🏽‍🚀', '👩‍💻 👨‍👩‍👧 🏳️‍🌈 ❤️ 👩🏽‍🚀', 0],
    ['می‌خواهم क्‍ष', 'می‌خواهم क्‍ष', 0],
    ['a\u200d💻', 'a💻', 1],
  ])('%j', (text, expected, removed) => {
    expect(cleanText(text)).toEqual({ text: expected, removed })
  })

  test('is done at once: a clean text has nothing more to remove', () => {
    const pieces = fc.constantFrom(
      'a',
      '\n',
      '\r',
      '\u200b',
      '\u202e',
      '\u{e0041}',
      '💻',
      'é',
      '\u2028',
      '\0',
      '\u3164',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.array(pieces).map((all) => all.join('')),
        ),
        (text) => {
          const clean = cleanText(text)
          if (/[\u200c\u200d]/.test(text)) return
          expect(cleanText(clean.text)).toEqual({ text: clean.text, removed: 0 })
          expect(firstInvisible(text.replace(/[\r\u2028\u2029]/g, '')) !== -1).toBe(clean.removed > 0)
        },
      ),
      { numRuns: 2000 },
    )
  })
})
