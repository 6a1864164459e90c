import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { appendToList, type YamlItem } from './yaml-append.ts'

const item: YamlItem = {
  value: { id: 'new', input: 'Which "two": best?', tags: ['a', 'b'], expected: { output: [{ contains: 'x\ny' }] } },
  above: 'One.\nTwo.',
  behind: { 'expected.output': 'seen' },
}
const added = (text: string): string => {
  const made = appendToList(text, 'cases', item)
  if ('problem' in made) throw new Error(made.problem)
  return made.text
}

describe('appendToList', () => {
  test('writes the item with its comments, short maps and lists on one line', () => {
    expect(added('name: t\n')).toBe(`name: t
cases:
  # One.
  # Two.
  - id: new
    input: 'Which "two": best?'
    tags: [a, b]
    expected:
      # seen
      output:
        - contains: |-
            x
            y
`)
  })

  test.each([
    ['an empty file', ''],
    ['comments alone', '# a\n\n# b\n'],
    ['no list', 'a: 1\n'],
    ['no list, and no line end', 'a: 1'],
    ['a list without items', 'a: 1\ncases:\nb: 2\n'],
    ['an empty list in brackets', 'cases: [] # none\nb: 2\n'],
    ['a list without indentation', 'cases:\n- id: a\n  # of a\n# of b\nb: 2\n'],
    ['a deep list', 'cases:\n      - id: a\n      -   id: b\n'],
    ['a block text at the end', 'cases:\n  - id: a\n    input: |+\n      x\n\n\nb: 2\n'],
    ['a block text at the very end', 'cases:\n  - id: a\n    input: |\n      x'],
    ['an item of nothing', 'cases:\n  - id: a\n    input:\n'],
    ['Windows line ends', 'a: 1\r\ncases:\r\n  - id: a\r\n\r\n# c\r\nb: 2\r\n'],
    ['an end of the document', '---\ncases:\n  - id: a\n...\n'],
    ['a flow map at the end', 'cases:\n  - {id: a, input: [1,\n     2]} # x\n# y\n'],
  ])('adds one item and changes nothing else: %s', (_, text) => {
    const made = added(text)
    const before = (parse(text) ?? {}) as { readonly cases?: readonly unknown[] | null }
    expect(parse(made)).toEqual({ ...before, cases: [...(before.cases ?? []), item.value] })
    if (/\r\n/.test(text)) expect(made.replaceAll('\r\n', '')).not.toContain('\n')
  })

  test('keeps every byte of a list that has items', () => {
    const text = fc.array(
      fc.dictionary(
        fc.stringMatching(/^[a-z]{1,5}$/),
        fc.oneof(fc.string(), fc.integer(), fc.array(fc.string()), fc.constant('a\n\nb\n')),
        { minKeys: 1 },
      ),
      { minLength: 1, maxLength: 4 },
    )
    const layout = fc.record({
      indentSeq: fc.boolean(),
      indent: fc.integer({ min: 2, max: 6 }),
      lineWidth: fc.constantFrom(0, 20, 80),
    })
    fc.assert(
      fc.property(
        text,
        layout,
        fc.constantFrom('', '# end\n', 'b: 2\n', '\n\n# c\nb: [1]\n'),
        (cases, options, tail) => {
          const before = `# head\n${stringify({ a: 1, cases }, options)}`
          const old = before + tail
          const made = added(old)
          expect(made.startsWith(before)).toBe(true)
          expect(made.endsWith(tail)).toBe(true)
          const { cases: after, ...rest } = parse(made)
          const { cases: known, ...others } = parse(old)
          expect([after, rest]).toEqual([[...known, item.value], others])
        },
      ),
    )
  })

  test.each([
    ['cases: [{id: a}]\n', 'written in brackets'],
    ['{cases: []}\n', 'written in braces'],
    ['cases: one\n', 'written in brackets'],
    ['- a\n', 'no map'],
  ])('refuses %j', (text, why) => {
    expect(appendToList(text, 'cases', item)).toEqual({ problem: expect.stringContaining(why) })
  })
})
