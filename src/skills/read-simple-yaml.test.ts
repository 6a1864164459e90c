import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseYaml } from '../lib/yaml.ts'
import { readSimpleYaml, simpleKeyLine } from './read-simple-yaml.ts'

const byYaml = (text: string) =>
  parseYaml(text, { file: 'SKILL.md', maxBytes: 1e6, scalars: 'strings', codePrefix: 'skill' })

const words = fc.constantFrom(
  'name',
  'a',
  'key-1',
  '__proto__',
  'constructor',
  'true',
  'null',
  '1.0',
  '~',
  'Use: when',
  'x #y',
  'a:b',
  'http://x.y/z',
  '"quoted"',
  "'single'",
  '"a\\n"',
  "it's",
  '"',
  "'",
  '- item',
  '- ',
  '-',
  '> ',
  '|',
  '>-',
  '|-',
  '>+',
  '|2',
  '[a, b]',
  '{a: b}',
  '&x',
  '*x',
  '!tag',
  '!!str 1',
  '?',
  '? a',
  '# c',
  '---',
  '...',
  '%YAML 1.2',
  '@',
  '`',
  'a:',
  ':',
  ': ',
  '日本語',
  'é',
  '\t',
  '\r',
  '\u0000',
  '\u0085',
  '\u00a0',
  '\u2028',
  '\ufeff',
  '😀',
  '\ud800',
  '<<',
  '"a" b',
  "'a'b",
  'x, y',
  'a  b ',
  '(x)',
  '/p',
  '.',
  '..',
  '$1',
  '=',
  ',',
  ']',
  '}',
)
const glue = fc.constantFrom(
  '',
  ' ',
  ': ',
  ':',
  '\n',
  '\n  ',
  '\n ',
  '\n    ',
  '\n- ',
  '\n  - ',
  '\r\n',
  '\n\n',
  ':\n  ',
  ':\n  - ',
  ': >\n  ',
  ': |-\n  ',
)
const texts = fc.array(fc.tuple(words, glue), { maxLength: 14 }).map((parts) => parts.flat().join(''))

const runs = Number(process.env.PROPERTY_RUNS ?? 4000)

const key = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_-]{0,8}$/)
const tame = fc.stringMatching(/^[a-z"' :#-]{0,12}[a-z]$/)
const value = fc.oneof(
  { weight: 6, arbitrary: tame },
  { weight: 2, arbitrary: words },
  { weight: 1, arbitrary: fc.string({ maxLength: 20 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 20 }) },
)
const entry = fc.tuple(key, fc.constantFrom(': ', ':', ':  '), value).map((parts) => parts.join(''))
const block = fc
  .tuple(
    key,
    fc.constantFrom('', ' ', ' >', ' >-', ' |', ' |-', ' x', ' "x'),
    fc.constantFrom('', ' ', '  ', '   '),
    fc.array(
      fc.oneof(
        value,
        entry,
        value.map((v) => `- ${v}`),
      ),
      { maxLength: 3 },
    ),
  )
  .map(([k, header, indent, lines]) => [`${k}:${header}`, ...lines.map((line) => indent + line)].join('\n'))
const shaped = fc
  .tuple(
    fc.array(fc.oneof(entry, block), { maxLength: 5 }),
    fc.constantFrom('\n', '\r\n', '\n\n'),
    fc.constantFrom('', '\n', ' ', '\n\n'),
  )
  .map(([parts, separator, end]) => parts.join(separator) + end)

describe('readSimpleYaml', () => {
  test.each([
    ['name: csv\ndescription: Sum a CSV.\n', { name: 'csv', description: 'Sum a CSV.' }],
    ['a: "x: y"\nb: \'#1\'\nc: 1.0\nd: true\n', { a: 'x: y', b: '#1', c: '1.0', d: 'true' }],
    ['a:\n  - x\n  - "y"\nb:\n- z\n', { a: ['x', 'y'], b: ['z'] }],
    ['metadata:\n  author: me\n  version: "1.0"\n', { metadata: { author: 'me', version: '1.0' } }],
    ['d: >-\n  one\n  two: 2\ne: |\n  # x\n  y\n', { d: 'one two: 2', e: '# x\ny\n' }],
    ['a: b\r\nc: d\r\n', { a: 'b', c: 'd' }],
    ['a:\nb: c\n', { a: '', b: 'c' }],
    ['a: one\n  two\n    three\nb: c\n', { a: 'one two three', b: 'c' }],
  ])('reads %j itself', (text, expected) => {
    expect(readSimpleYaml(text)).toEqual(expected)
    expect(byYaml(text)).toMatchObject({ ok: true, value: expected })
  })

  test.each([
    '',
    '# x\n',
    'a: b: c\n',
    'a: [b]\n',
    'a: &x b\n',
    'a: !t b\n',
    'a: b\n  c: d\n',
    'a: b\na: c\n',
    '__proto__: x\n',
    'a: b # c\n',
    'a: "b\\n"\n',
    '- a\n',
    'a: b\0\n',
    'a:\n  b:\n    c: d\n',
    'a: >\n  b\n\n  c\n',
  ])('leaves %j to the parser', (text) => {
    expect(readSimpleYaml(text)).toBeUndefined()
  })

  test('whatever it reads, the YAML parser reads the same', () => {
    let read = 0
    fc.assert(
      fc.property(fc.oneof(texts, shaped), (text) => {
        const simple = readSimpleYaml(text)
        if (simple === undefined) return
        read += 1
        const yaml = byYaml(text)
        expect(yaml.ok && yaml.value).toEqual(simple)
        if (!yaml.ok) return
        for (const name of Object.keys(simple))
          expect({ line: simpleKeyLine(text, name) + 1, column: 1 }).toEqual(yaml.positions.key([name]))
      }),
      { numRuns: runs },
    )
    expect(read).toBeGreaterThan(runs / 50)
  })
})
