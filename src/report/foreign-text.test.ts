import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { foreignLine, foreignLines } from './foreign-text.ts'

const commandAtStart = /^[\s\u0085]*::/
const commandAnywhere = /##\w*\[/

describe('foreignLine', () => {
  test.each([
    ['plain text', 'plain text'],
    ['std::string is not a command', 'std::string is not a command'],
    ['::error::x', ': :error::x'],
    ['\u00a0 ::stop-commands::x', '\u00a0 : :stop-commands::x'],
    ['a ##[group]b', 'a # #[group]b'],
    ['##vso[task.x]y ###[z]', '# #vso[task.x]y ## #[z]'],
    ['# a heading, ## another', '# a heading, ## another'],
    ['two\nlines\x1b[31m', 'two\\nlines\\x1b[31m'],
  ])('shows %j as %j', (text, shown) => {
    expect(foreignLine(text)).toBe(shown)
  })

  test('is one line that no CI log obeys, whatever the text', () => {
    const pieces = fc.constantFrom(
      '::',
      ':',
      '##',
      '#',
      '[',
      'vso[',
      ' ',
      '\n',
      '\t',
      '\r',
      '\u00a0',
      '\u2028',
      'x',
      '\x1b',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.array(pieces).map((all) => all.join('')),
        ),
        (text) => {
          const line = foreignLine(text)
          expect(line).not.toMatch(commandAtStart)
          expect(line).not.toMatch(commandAnywhere)
          expect(line).not.toMatch(/[\x00-\x1f\x7f-\x9f]/)
        },
      ),
    )
  })
})

describe('foreignLines', () => {
  const limits = { maxLines: 3, maxLength: 10 }

  test.each([
    ['one', ['one']],
    ['', ['']],
    ['one\n', ['one']],
    ['one\n\nthree\n', ['one', '', 'three']],
    ['one\ntwo\nthree\nfour', ['one', 'two', 'three', '… 4 more characters']],
    ['12345678901\nx', ['123456789…', 'x']],
    ['::a\n ::b', [': :a', ' : :b']],
  ])('shows %j as %j', (text, lines) => {
    expect(foreignLines(text, limits)).toEqual(lines)
  })

  test('looks at no more than it shows', () => {
    const text = '\x1b\n'.repeat(5_000_000)
    expect(text.charCodeAt(1)).toBe(0x0a)
    const started = performance.now()
    expect(foreignLines(text, limits)).toHaveLength(4)
    expect(performance.now() - started).toBeLessThan(250)
  })
})
