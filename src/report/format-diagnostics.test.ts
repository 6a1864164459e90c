import { stripVTControlCharacters } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Diagnostic } from '../core/diagnostic.ts'
import { formatDiagnostics } from './format-diagnostics.ts'

const file = 'evals/t.eval.yaml'
const text = 'name: t\n\ncases:\n  - id: a\n    input: x\n    mock: []\n    expectd: {}\n'
const source = (name: string) => (name === file ? text : undefined)

const typo: Diagnostic = {
  severity: 'error',
  code: 'suite/unknown-key',
  message: 'unknown key "expectd"',
  file,
  line: 7,
  column: 5,
  hint: 'did you mean "expected"?',
}

describe('formatDiagnostics', () => {
  test('shows the place, the lines around it and what to do', () => {
    expect(formatDiagnostics([typo], { source, color: false })).toMatchInlineSnapshot(`
      "error[suite/unknown-key] unknown key "expectd"
        --> evals/t.eval.yaml:7:5
          4 |   - id: a
          5 |     input: x
          6 |     mock: []
        > 7 |     expectd: {}
            |     ^
        help: did you mean "expected"?

      1 error
      "
    `)
  })

  test('does without what it does not have', () => {
    const bare: Diagnostic = { severity: 'warning', code: 'skill/no-body', message: 'two\nlines', file: 'a/SKILL.md' }
    expect(formatDiagnostics([bare, { ...bare, severity: 'info', line: 3 }], { source, color: false })).toBe(
      [
        'warning[skill/no-body] two',
        '  lines',
        '  --> a/SKILL.md',
        '',
        'info[skill/no-body] two',
        '  lines',
        '  --> a/SKILL.md:3:1',
        '',
        '1 warning, 1 note',
        '',
      ].join('\n'),
    )
  })

  test('is empty where there is nothing to say', () => {
    expect(formatDiagnostics([], { source, color: false })).toBe('')
  })

  test('goes by file, line and column, and reads each file once', () => {
    const places = [
      ['b', 1, 1],
      ['a', 10, 1],
      ['a', 2, 9],
      ['a', 2, 3],
    ] as const
    const reads: string[] = []
    const shown = formatDiagnostics(
      places.map(([name, line, column]) => ({ ...typo, file: name, line, column })),
      {
        source: (name) => {
          reads.push(name)
          return undefined
        },
        color: false,
      },
    )
    expect([...shown.matchAll(/--> (.*)/g)].map(([, place]) => place)).toEqual(['a:2:3', 'a:2:9', 'a:10:1', 'b:1:1'])
    expect(reads).toEqual(['a', 'b'])
  })

  test('shows 50 and counts the rest, errors before warnings', () => {
    const warnings = Array.from({ length: 60 }, (_, i): Diagnostic => ({ ...typo, severity: 'warning', line: i + 1 }))
    const shown = formatDiagnostics([...warnings, { ...typo, file: 'z' }], { source, color: false })
    expect(shown.match(/-->/g)).toHaveLength(50)
    expect(shown).toContain('--> z:7:5')
    expect(shown).toMatch(/\n\n… and 11 more\n\n1 error, 60 warnings\n$/)
    expect(formatDiagnostics(warnings, { source, color: false, limit: 2 }).match(/-->/g)).toHaveLength(2)
  })

  test('is the same with colours but for the colours', () => {
    const colored = formatDiagnostics([typo], { source, color: true })
    expect(colored).toContain('\x1b[31merror[suite/unknown-key]\x1b[39m')
    expect(stripVTControlCharacters(colored)).toBe(formatDiagnostics([typo], { source, color: false }))
  })

  test('lets nothing of a file be obeyed, whatever is in it', () => {
    const pieces = fc.constantFrom('::', '##[', '\n', '\x1b[2J', '\x9b', '\u202e', ' ', 'x')
    const hostile = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(pieces).map((all) => all.join('')),
    )
    fc.assert(
      fc.property(hostile, fc.nat(5), fc.nat(20), (one, line, column) => {
        const diagnostic: Diagnostic = {
          severity: 'error',
          code: one,
          message: one,
          file: one,
          line,
          column,
          hint: one,
        }
        const shown = formatDiagnostics([diagnostic], { source: () => one, color: false })
        expect(shown).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]|##\w*\[/)
        expect(shown).not.toMatch(/^\s*::/m)
      }),
    )
  })
})
