import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileTemplate, compileText, hasPlaceholder, missingColumns } from './template.ts'

const fill = (template: unknown, row: Record<string, unknown>) => compileTemplate(template).fill(row)

describe('compileTemplate', () => {
  test.each([
    ['n is {{n}}', 'n is 1'],
    ['{{n}}{{n}}', '11'],
    ['{{ n }}', 1],
    ['{{list}}', [1, 'a']],
    ['a {{list}}', 'a [1,"a"]'],
    ['{{nothing}}', null],
    ['{{nothing}}!', 'null!'],
    ['{{a.b-c_d}}', 'dotted'],
    ['{{größe}}', 'groß'],
    ['{{{n}}}', '{1}'],
    ['{{}}', '{{}}'],
    ['{{ }}', '{{ }}'],
    ['{{n m}}', '{{n m}}'],
    ['{{n', '{{n'],
    ['{{other}}', '{{other}}'],
    ['{{other}} {{n}}', '{{other}} 1'],
    ['{{toString}} {{__proto__}}', '{{toString}} {{__proto__}}'],
  ])('%j becomes %j', (template, filled) => {
    const row = { n: 1, list: [1, 'a'], nothing: null, 'a.b-c_d': 'dotted', größe: 'groß' }
    expect(fill(template, row)).toEqual(filled)
  })

  test('fills lists, maps and their keys', () => {
    expect(fill({ 'out/{{n}}.txt': ['{{n}}', { deep: 'x{{n}}' }] }, { n: 7 })).toEqual({
      'out/7.txt': [7, { deep: 'x7' }],
    })
  })

  test('a key of a row can not change a prototype', () => {
    const filled = fill({ '{{k}}': { polluted: true } }, { k: '__proto__' }) as object
    expect([Object.keys(filled), Object.getPrototypeOf(filled) === Object.prototype]).toEqual([['__proto__'], true])
  })

  test('shares what names no column', () => {
    const shared = { a: [1, 2] }
    const filled = fill({ shared, n: '{{n}}' }, { n: 1 }) as { shared: unknown }
    expect(filled.shared).toBe(shared)
  })

  test('names each column once, in order', () => {
    expect(compileTemplate({ x: '{{b}} {{a}}', '{{c}}': ['{{b}}'] }).columns).toEqual(['b', 'a', 'c'])
  })

  test('writes numbers and booleans out where a text is wanted, and only there', () => {
    const row = { n: 42, yes: true, list: [1] }
    const template = { text: '{{n}}', flag: '{{yes}}', list: '{{list}}', typed: '{{n}}' }
    const filled = compileTemplate(template, [['text'], ['flag'], ['list']]).fill(row)
    expect(filled).toEqual({ text: '42', flag: 'true', list: [1], typed: 42 })
  })

  test('refuses to make a text that is larger than a suite', () => {
    const big = 'x'.repeat(1024 * 1024)
    expect(() => fill('{{a}}'.repeat(20), { a: big })).toThrow(expect.objectContaining({ code: 'case_too_large' }))
  })

  test('a value without a placeholder is itself', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.dictionary(fc.string(), fc.jsonValue()), (value, row) => {
        fc.pre(!hasPlaceholder(value))
        expect(fill(value, row)).toBe(value)
      }),
    )
  })

  test('a lone placeholder is the value of the row, whatever it is', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[\w.-]{1,20}$/), fc.jsonValue(), (column, value) => {
        fc.pre(column !== '__proto__')
        expect(fill({ at: [`{{${column}}}`] }, { [column]: value })).toEqual({ at: [value] })
      }),
    )
  })

  test('texts of a row are not looked at for further placeholders', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        expect(fill('<{{a}}|{{b}}>', { a, b })).toBe(`<${a}|${b}>`)
      }),
    )
  })
})

describe('compileText', () => {
  test('a lone placeholder stays a text', () => {
    expect(compileText('{{n}}').fill({ n: 1 })).toBe('1')
  })
})

describe('missingColumns', () => {
  test('knows only what the row itself has', () => {
    expect(missingColumns(['a', 'toString', 'b'], { a: undefined })).toEqual(['toString', 'b'])
  })
})
