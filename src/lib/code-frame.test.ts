import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { codeFrame } from './code-frame.ts'

const source = 'name: csv\nskills: [../skills]\n\ncases:\n  - idd: one\n    input: hi\n'

describe('codeFrame', () => {
  test('shows three lines above, the line, and a caret below the column', () => {
    expect(codeFrame(source, 5, 5)).toBe(
      ['  2 | skills: [../skills]', '  3 |', '  4 | cases:', '> 5 |   - idd: one', '    |     ^'].join('\n'),
    )
  })

  test('shows lines below when asked, and as many above as there are', () => {
    expect(codeFrame(source, 1, 7, { before: 2, after: 1 })).toBe(
      ['> 1 | name: csv', '    |       ^', '  2 | skills: [../skills]'].join('\n'),
    )
  })

  test('aligns numbers of different length', () => {
    const long = Array.from({ length: 12 }, (_, i) => `line ${i + 1}`).join('\r\n')
    expect(codeFrame(long, 10, 1, { before: 1, after: 0 })).toBe('   9 | line 9\n> 10 | line 10\n     | ^')
  })

  test('keeps the caret below its column after tabs, wide characters and control characters', () => {
    expect(codeFrame('\tkey: x', 1, 2)).toBe('> 1 |   key: x\n    |   ^')
    expect(codeFrame('漢字: x', 1, 5)).toBe('> 1 | 漢字: x\n    |       ^')
    expect(codeFrame('a\x1b[1m: x', 1, 6)).toBe(`> 1 | a\\x1b[1m: x\n    | ${' '.repeat(8)}^`)
    expect(codeFrame('e\u0301: x', 1, 3)).toBe('> 1 | e\u0301: x\n    |  ^')
  })

  test('cuts a long line around the column', () => {
    const line = `${'a'.repeat(500)}!${'b'.repeat(500)}`
    expect(codeFrame(line, 1, 501)).toBe(`> 1 | …${'a'.repeat(50)}!${'b'.repeat(47)}…\n    | ${' '.repeat(51)}^`)
    expect(codeFrame(`${line}\nx`, 2, 1)).toBe(`  1 | ${'a'.repeat(99)}…\n> 2 | x\n    | ^`)
  })

  test.each([
    ['beyond the end', 'a: 1\n', 9, 9, '  1 | a: 1\n> 2 |\n    | ^'],
    ['on the empty line at the end', 'a: [\n', 2, 1, '  1 | a: [\n> 2 |\n    | ^'],
    ['before the start', 'a', 0, 0, '> 1 | a\n    | ^'],
    ['in an empty text', '', 1, 1, '> 1 |\n    | ^'],
  ])('moves a place %s to the nearest one', (_, text, line, column, expected) => {
    expect(codeFrame(text, line, column)).toBe(expected)
  })

  test('shows one caret and no control character for any text and place', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(20), fc.nat(20), (text, line, column) => {
        const frame = codeFrame(text, line, column)
        expect(frame).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/)
        expect(frame.split('\n').filter((row) => row.startsWith('>'))).toHaveLength(1)
        expect(frame.split('\n').filter((row) => /^ +\| +\^$/.test(row))).toHaveLength(1)
      }),
    )
  })
})
