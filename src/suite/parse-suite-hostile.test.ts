import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { read } from './read.test-support.ts'

describe('parseSuite takes hostile text', () => {
  test.each<[what: string, yaml: string, code: string]>([
    ['deep flow lists', `cases: ${'['.repeat(5_000)}`, 'suite/yaml-too-deep'],
    ['deep block lists', `cases:\n  ${'- '.repeat(5_000)}x`, 'suite/yaml-too-deep'],
    ['aliases', 'cases: [&a {id: a, input: x}, *a]\n', 'suite/yaml-alias'],
    [
      'a billion laughs',
      `a: &a [x]\n${Array.from({ length: 30 }, (_, i) => `b${i}: &b${i} [*a, *a]`).join('\n')}`,
      'suite/yaml-alias',
    ],
    ['tags', 'cases: [!!js/function "x"]\n', 'suite/yaml-tag'],
    ['merge keys', 'cases: [{<<: {id: a}, input: x}]\n', 'suite/unknown-key'],
    ['__proto__', 'cases: [{id: a, input: x, __proto__: {trials: 3}}]\n', 'suite/unknown-key'],
    ['constructor', 'cases: [{id: a, input: x, constructor: 1}]\n', 'suite/unknown-key'],
    ['a map that can not be made a text', 'cases: [{id: {length: {toString: 1}}, input: x}]\n', 'suite/unknown-key'],
    ['the same among roots and models', 'skills: [{toString: 1}]\nmodel: {toString: 1}\ncases: []\n', 'suite/type'],
    [
      'the same in a mock',
      'cases: [{id: a, input: x, mock: [{grep: {length: {toString: 1}}}]}]\n',
      'suite/unknown-key',
    ],
    ['the same in defaults', 'defaults: {input: {length: [{toString: 1}]}}\n', 'suite/unknown-key'],
    [
      'the same in a row',
      'cases: [{id: a, input: "{{n}}", each: [{n: {length: {toString: 1}}}]}]\n',
      'suite/unknown-key',
    ],
    ['duplicate keys', 'cases: [{id: a, id: b, input: x}]\n', 'suite/yaml-duplicate-key'],
    ['a second document', 'cases: []\n---\ncases: []\n', 'suite/yaml-multiple-documents'],
    ['over 16 MiB', `description: ${'x'.repeat(16 * 1024 * 1024)}`, 'suite/yaml-too-large'],
    ['a list of keys', '[a]: 1\n', 'suite/yaml-key'],
  ])('%s', async (_, yaml, code) => {
    const { suite, told } = await read(yaml)
    expect([suite, told.every((line) => line.includes(' suite/')), told.some((line) => line.includes(code))]).toEqual([
      undefined,
      true,
      true,
    ])
  })

  test('ten thousand unknown keys are told to a hundred, the rest counted', async () => {
    const keys = Array.from({ length: 10_000 }, (_, i) => `  k${i}: 1`).join('\n')
    const { told } = await read(`thresholds:\n${keys}\n`)
    expect([told.length, told.at(0), told.at(99), told.at(100)]).toEqual([
      101,
      expect.stringMatching(/^2:3 suite\/unknown-key unknown key `k0` in `thresholds`/),
      expect.stringMatching(/^101:3 suite\/unknown-key/),
      '?:? suite/more and 9900 more mistakes',
    ])
  })

  test('mistakes in many cases are told to a hundred, the rest counted', async () => {
    const cases = Array.from({ length: 150 }, (_, i) => `  - {id: c${i}, input: x, trials: 0}`).join('\n')
    const { told } = await read(`cases:\n${cases}\n`)
    expect([told.length, told.at(99), told.at(-1)]).toEqual([
      101,
      expect.stringMatching(/^101:\d+ suite\/range /),
      '?:? suite/more and 50 more mistakes',
    ])
  })

  test('keys of a row that are no own keys are not there', async () => {
    const { told } = await read('cases: [{id: a, input: "{{constructor}}", each: [{n: 1}]}]\n')
    expect(told).toEqual([
      '1:24 suite/unknown-placeholder unknown placeholder `{{constructor}}`: no row has that column → Columns: n.',
    ])
  })

  test('control characters of the file do not reach the message', async () => {
    const { told } = await read('cases: [{id: "a\\e[31m\\u202e", input: x}]\n')
    expect(told).toEqual([
      '1:14 suite/format `id`: may have letters, digits and - _ . /, got the string "a\\x1b[31m\\u202e"',
    ])
  })

  const key = fc.oneof(
    fc.constantFrom(
      'id',
      'input',
      'each',
      'mock',
      'expected',
      'output',
      'files',
      'tools',
      'defaults',
      'cases',
      'triggers',
    ),
    fc.constantFrom(
      'skills',
      'actions',
      'in_order',
      'rules',
      'when',
      'regex',
      'json_path',
      'length',
      'toString',
      '{{a}}',
      '__proto__',
    ),
    fc.string({ maxLength: 5 }),
  )
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'medium', maxDepth: 6 },
      fc.oneof(
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.string(),
        fc.constantFrom('{{a}}', 'x{{b}}', '(', '/x/i'),
      ),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(key, tie('value'), { maxKeys: 5, noNullPrototype: true }),
    ),
  }))

  test('whatever JSON it is, it is a suite or has something to tell', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(key, value, { maxKeys: 6 }),
        fc.array(value, { maxLength: 3 }),
        async (top, cases) => {
          const { suite, told } = await read(JSON.stringify({ ...top, cases }))
          expect(suite !== undefined || told.length > 0).toBe(true)
        },
      ),
      { numRuns: 500 },
    )
  })

  test('whatever text it is, it is a suite or has something to tell', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 200 }), async (text) => {
        const { suite, told } = await read(`cases:\n${text}`)
        expect(suite !== undefined || told.length > 0).toBe(true)
      }),
    )
  })
})
