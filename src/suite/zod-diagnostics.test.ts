import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { issuesOf } from '../lib/zod-issues.ts'
import { caseSchema } from '../schema/suite.ts'
import { explainIssues } from './zod-diagnostics.ts'

const explain = (schema: z.ZodType, input: unknown, options = {}) =>
  explainIssues(schema, input, issuesOf(schema, input), options)

const messages = (schema: z.ZodType, input: unknown) =>
  explain(schema, input).map(({ message, hint }) => (hint === undefined ? message : `${message} → ${hint}`))

describe('explainIssues', () => {
  const text = z.strictObject({ kind: z.literal('text'), text: z.string() })
  const range = z.strictObject({ min: z.number(), max: z.number() })
  const shape = z.union([z.string(), z.array(z.string()), range, text])

  test.each<[behaviour: string, input: unknown, told: string[]]>([
    [
      'a type that no form has names them all',
      5,
      ['expected a string, a list or a map, got the number 5 → Put it in quotes: "5".'],
    ],
    [
      'the form of the same type is explained',
      ['a', 5],
      ['`[1]`: expected a string, got the number 5 → Put it in quotes: "5".'],
    ],
    ['the form with the nearest keys is explained', { min: 1, maxx: 2 }, ['unknown key `maxx` → Did you mean `max`?']],
    [
      'a key that only another form has chooses that form',
      { kind: 'text', txt: 'x' },
      ['unknown key `txt` → Did you mean `text`?'],
    ],
    [
      'a value that tells forms apart is checked',
      { kind: 'txt', text: 'x' },
      ['`kind`: expected text, got the string "txt" → Did you mean `text`?'],
    ],
    [
      'a key that no form has names those of all forms',
      { colour: 1 },
      ['unknown key `colour` → Known keys: min, max, kind, text.'],
    ],
    ['nothing of any form', {}, ['needs `min`, `max`, `kind` or `text`']],
  ])('of a union, %s', (_, input, told) => {
    expect(messages(shape, input)).toEqual(told)
  })

  const live = z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('mock'), params: z.strictObject({ latency: z.number().optional() }).optional() }),
    z.strictObject({
      kind: z.literal('live'),
      model: z.string(),
      params: z.strictObject({ seed: z.number().optional(), stop: z.string().optional() }).optional(),
    }),
  ])
  const models = z.strictObject({ models: z.record(z.string(), live) })

  test.each<[behaviour: string, input: unknown, told: string[]]>([
    [
      'the named form is explained, not the nearest one',
      { kind: 'mock', model: 'x', params: {} },
      ['unknown key `model` in `models.m` → Known keys: kind, params.'],
    ],
    [
      'keys of other forms are no advice, at any depth',
      { kind: 'mock', params: { seed: 1 } },
      ['unknown key `seed` in `models.m.params` → Known keys: latency.'],
    ],
    [
      'its own keys are',
      { kind: 'live', model: 'x', params: { sed: 1 } },
      ['unknown key `sed` in `models.m.params` → Did you mean `seed`?'],
    ],
    ['a key that it lacks', { kind: 'live' }, ['missing key `model` in `models.m`']],
    [
      'a name that no form has',
      { kind: 'life', model: 1 },
      ['`models.m.kind`: expected one of mock, live, got the string "life" → Did you mean `live`?'],
    ],
    ['no name at all', { model: 'x' }, ['missing key `kind` in `models.m`']],
    ['no map', 'live', ['`models.m`: expected a map, got the string "live"']],
  ])('of a union that a key tells apart, %s', (_, input, told) => {
    expect(messages(models, { models: { m: input } })).toEqual(told)
  })

  test('a map that takes any key still shows a misspelt one', () => {
    expect(messages(z.looseObject({ action: z.string() }), { acton: 'x' })).toEqual([
      'missing key `action` → Did you mean it by `acton`?',
    ])
  })

  test('what a broken rule says is not repeated beside the misspelt key that broke it', () => {
    const one = z
      .strictObject({ a: z.unknown().optional() })
      .refine((value) => Object.keys(value).length === 1, 'is one')
    expect(messages(one, { aa: 1 })).toEqual([
      'unknown key `aa` → Known keys: a.'.replace('Known keys: a.', 'Did you mean `a`?'),
    ])
  })

  test('a long list of values is not told in the message', () => {
    const values = z.enum(['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'])
    expect([messages(values, 'sevn'), messages(z.enum(['a', 'b']), 'zz')]).toEqual([
      ['the string "sevn" is not known here → Did you mean `seven`?'],
      ['expected one of a, b, got the string "zz"'],
    ])
  })

  test('a home of a key is told before a guess', () => {
    const found = explain(z.strictObject({ max: z.number().optional() }), { maxx: 1 }, { homeOf: () => 'Elsewhere.' })
    expect(found).toEqual([
      { path: ['maxx'], at: 'key', code: 'unknown-key', message: 'unknown key `maxx`', hint: 'Elsewhere.' },
    ])
  })

  test('beyond the limit issues are counted', () => {
    const found = explain(z.array(z.string()), [1, 2, 3], { limit: 2 })
    expect(found.map(({ message, rest }) => rest ?? message)).toEqual([
      '`[0]`: expected a string, got the number 1',
      '`[1]`: expected a string, got the number 2',
      1,
    ])
  })

  const known = fc.constantFrom(
    'id',
    'input',
    'each',
    'files',
    'mock',
    'tools',
    'expected',
    'output',
    'actions',
    'skills',
    'count',
    'in_order',
    'when',
    'json_path',
    'length',
    'toString',
    'trials',
  )
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'medium', maxDepth: 5 },
      fc.oneof(fc.double(), fc.boolean(), fc.constant(null), fc.string()),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.oneof(known, fc.string()), tie('value'), { maxKeys: 5, noNullPrototype: true }),
    ),
  }))

  test('whatever is wrong with a case is told in plain words, at a place that is there', () => {
    fc.assert(
      fc.property(value, (input) => {
        const found = explain(caseSchema, input)
        expect(found.length > 0).toBe(issuesOf(caseSchema, input).length > 0)
        for (const { path, message } of found) {
          expect(message).not.toMatch(/invalid (input|option)|nonoptional|undefined|received|unrecognized|record\b/i)
          expect(path.reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], input)).not.toBe(undefined)
        }
      }),
      { numRuns: 1_000 },
    )
  })
})

test('an optional key is never missing, and a key that is known is never a misspelt one', () => {
  const found = messages(caseSchema, { id: 'a', input: 'x', trials: { max: 0, stop: 'decided' } })
  expect(found).toEqual(['`trials.max`: must be at least 1, got the number 0'])
  const both = z.strictObject({ min: z.number(), max: z.number() })
  expect(messages(both, { max: 1 })).toEqual(['missing key `min`'])
})
