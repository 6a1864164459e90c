import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { visible, visibleLine } from './visible.ts'

describe('visible', () => {
  test.each([
    ['plain text, ünïcode 漢字 🙂', 'plain text, ünïcode 漢字 🙂'],
    ['two\nlines\tand a tab', 'two\nlines\tand a tab'],
    ['\x1b[31mred\x1b[0m', '\\x1b[31mred\\x1b[0m'],
    ['back\bspace\rreturn\x00', 'back\\x08space\\rreturn\\x00'],
    ['del\x7f csi\x9b31m', 'del\\x7f csi\\x9b31m'],
    ['\u202egnp.exe\u2066', '\\u202egnp.exe\\u2066'],
    ['zero\u200bwidth\u200d\ufeff', 'zero\\u200bwidth\\u200d\\ufeff'],
    ['line\u2028separator', 'line\\u2028separator'],
    ['tag\u{e0041}', 'tag\\u{e0041}'],
    ['half \ud83d pair, \ude42', 'half \\ud83d pair, \\ude42'],
    ['soft\u00adhyphen', 'soft\\xadhyphen'],
  ])('writes out what is not to be seen in %j', (text, expected) => {
    expect(visible(text)).toBe(expected)
  })

  test('leaves nothing behind that it would escape', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const shown = visible(text)
        expect(visible(shown)).toBe(shown)
        expect(shown).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]/)
      }),
    )
  })
})

describe('visibleLine', () => {
  test('shows newlines and tabs', () => {
    expect(visibleLine('a\n\tb\r\n')).toBe('a\\n\\tb\\r\\n')
  })

  test.each([
    ['abcdef', 6, 'abcdef'],
    ['abcdefg', 6, 'abcde…'],
    ['abcd\x1b[0m', 6, 'abcd…'],
    ['abcd🙂🙂', 6, 'abcd…'],
    ['abc🙂🙂', 6, 'abc🙂…'],
    ['ab\ncdef', 6, 'ab\\nc…'],
    ['\u{e0041}', 6, '…'],
  ])('cuts %j to %i characters without halving anything', (text, maxLength, expected) => {
    expect(visibleLine(text, maxLength)).toBe(expected)
  })

  test('is never longer than asked for', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 40 }), (text, maxLength) => {
        const line = visibleLine(text, maxLength)
        expect(line.length).toBeLessThanOrEqual(maxLength)
        expect(line).not.toContain('\n')
      }),
    )
  })

  test('looks at no more than it shows', () => {
    const started = performance.now()
    expect(visibleLine('\x1b'.repeat(5_000_000), 10)).toBe('\\x1b\\x1b…')
    expect(performance.now() - started).toBeLessThan(500)
  })
})
