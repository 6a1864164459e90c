import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shellLine } from './shell-line.ts'

test.each([
  [['a', 'b c', "it's"], "a 'b c' 'it'\\''s'"],
  [['', '$HOME', '`id`'], "'' '$HOME' '`id`'"],
  [['a\nb'], "$'a\\012b'"],
  [['\u001b[31m\u202e\\'], "$'\\033[31m\\342\\200\\256\\\\'"],
])('%j', (words, line) => {
  expect(shellLine(words)).toBe(line)
})

test('bash reads back the very words, whatever is in them, from one visible line', () => {
  const word = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: fc.constantFrom("'", '"', '\\', '$', '\n', '\t', '\u001b', '\u202e', ' ', '!', '0', 'ä', '`') }),
  )
  const words = fc.array(
    word.map((text) => text.replaceAll('\0', '').toWellFormed()),
    { minLength: 1, maxLength: 5 },
  )
  fc.assert(
    fc.property(words, (given) => {
      const line = shellLine(given)
      expect(line).not.toMatch(/[\n\t\u001b\u202e]/)
      const printed = execFileSync('bash', ['--norc', '-c', `printf '%s\\0' ${line}`], {
        encoding: 'utf8',
        env: { LC_ALL: 'C.UTF-8' },
      })
      expect(printed.split('\0').slice(0, -1)).toEqual(given)
    }),
    { numRuns: 60 },
  )
})
