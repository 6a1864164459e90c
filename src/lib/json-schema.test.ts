import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { loadJsonSchema } from './json-schema.ts'

const { compile } = await loadJsonSchema()

const issuesOf = (schema: unknown, value: unknown): string[] => {
  const compiled = compile(schema)
  if (!compiled.ok) throw new Error(`${compiled.pointer}: ${compiled.message}`)
  return compiled.validate(value).map(({ pointer, message }) => `${pointer}: ${message}`)
}

const faultOf = (schema: unknown): string | undefined => {
  const compiled = compile(schema)
  return compiled.ok ? undefined : `${compiled.pointer}: ${compiled.message}`
}

describe('validate', () => {
  test('lists all issues with their pointers', () => {
    const schema = {
      type: 'object',
      properties: {
        month: { enum: ['March', 'May'] },
        'a/b': { const: 1 },
        rows: { type: 'array', items: { type: 'number', minimum: 0 }, maxItems: 2 },
        id: { type: 'string', pattern: '^[a-z]+$' },
      },
      required: ['month', 'total'],
      additionalProperties: false,
    }
    expect(issuesOf(schema, { month: 'June', 'a/b': 2, rows: [1, -1, 'x'], id: 'A', more: true })).toEqual([
      ": must have required property 'total'",
      ': must not have the property "more"',
      '/month: must be one of "March", "May"',
      '/a~1b: must be 1',
      '/rows: must NOT have more than 2 items',
      '/rows/1: must be >= 0',
      '/rows/2: must be number',
      '/id: must match pattern "^[a-z]+$"',
    ])
    expect(issuesOf(schema, { month: 'May', total: 1 })).toEqual([': must not have the property "total"'])
  })

  test.each<[unknown, unknown[], unknown[]]>([
    [{ prefixItems: [{ type: 'string' }], items: false }, [['a'], []], [['a', 1], [1]]],
    [{ type: 'string', format: 'date' }, ['2026-11-21'], ['21.11.2026', '2026-02-30']],
    [{ $defs: { n: { type: 'number' } }, $ref: '#/$defs/n' }, [1], ['a']],
    [{ $id: 'https://a.example/s', $defs: { n: { $anchor: 'n', type: 'number' } }, $ref: '#n' }, [1], ['a']],
    [
      { properties: { a: { $ref: '#' }, b: { type: 'null' } }, type: 'object' },
      [{ a: { a: {} } }],
      [{ a: { a: 1 } }, { a: { b: 1 } }],
    ],
    [{ $dynamicAnchor: 'n', properties: { a: { $dynamicRef: '#n' } }, type: 'object' }, [{ a: {} }], [{ a: 1 }]],
    [{ type: 'object', unevaluatedProperties: false, allOf: [{ properties: { a: true } }] }, [{ a: 1 }], [{ b: 1 }]],
    [{ required: ['constructor'] }, [{ constructor: 1 }, 3], [{}]],
    [{ properties: { constructor: { type: 'string' } } }, [{}, { constructor: 'x' }], [{ constructor: 1 }]],
    [{ pattern: '\\p{Lu}' }, ['É'], ['é']],
    [{ pattern: '^[\\w\\-\\_]+$' }, ['a-b_c'], ['a b']],
    [{ allOf: [{ pattern: '^a' }, { pattern: 'b$' }] }, ['ab'], ['a', 'b']],
    [{ patternProperties: { '^n_': { type: 'number' } } }, [{ n_a: 1 }], [{ n_a: 'x' }]],
    [
      { 'x-order': 1, properties: { a: { 'x-widget': 'text', example: 'b', type: 'string' } } },
      [{ a: 'x' }],
      [{ a: 1 }],
    ],
    [{ type: ['string', 'null'], minLength: 2 }, [null, 'ab'], ['a']],
    [{ $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'number' }, [1], ['a']],
    [
      { $schema: 'http://json-schema.org/draft-07/schema#', items: [{ type: 'string' }], additionalItems: false },
      [['a']],
      [[1], ['a', 'b']],
    ],
    [
      {
        $schema: 'https://json-schema.org/draft/2019-09/schema',
        $recursiveAnchor: true,
        properties: { a: { $recursiveRef: '#' } },
        type: 'object',
      },
      [{ a: {} }],
      [{ a: 1 }],
    ],
    [true, [1, null], []],
    [false, [], [1, null]],
    [{}, [1, 'a', []], []],
  ])('%j', (schema, valid, invalid) => {
    expect(valid.map((value) => issuesOf(schema, value))).toEqual(valid.map(() => []))
    for (const value of invalid) expect(issuesOf(schema, value)).not.toEqual([])
  })

  test('makes control characters of the value visible', () => {
    expect(issuesOf({ additionalProperties: false }, { '\x1b[2J\u202e': 1 })).toEqual([
      ': must not have the property "\\u001b[2J\\u202e"',
    ])
  })

  test('matches patterns in linear time', () => {
    const started = performance.now()
    expect(issuesOf({ pattern: '^(a+)+$' }, `${'a'.repeat(200_000)}b`)).toHaveLength(1)
    expect(performance.now() - started).toBeLessThan(2_000)
  })

  test.each<[string, unknown, unknown]>([
    [
      'alternatives that double with every level',
      {
        $ref: '#/$defs/d0',
        $defs: Object.fromEntries(
          Array.from({ length: 40 }, (_, i) => [
            `d${i}`,
            i === 39 ? { type: 'null' } : { anyOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] },
          ]),
        ),
      },
      1,
    ],
    ['unique items', { uniqueItems: true }, Array.from({ length: 50_000 }, (_, i) => ({ i }))],
  ])('stops %s', (_, schema, value) => {
    const started = performance.now()
    expect(() => issuesOf(schema, value)).toThrow(expect.objectContaining({ code: 'json_schema_timeout' }))
    expect(performance.now() - started).toBeLessThan(3_000)
  })

  test('does not overflow on deep values', () => {
    const deep = Array.from({ length: 100_000 }).reduce((inner: unknown) => ({ a: inner }), {})
    expect(() => issuesOf({ properties: { a: { $ref: '#' } } }, deep)).toThrow(
      expect.objectContaining({ code: 'json_too_deep' }),
    )
  })

  test('lists no more than a thousand issues', () => {
    expect(
      issuesOf(
        { items: { type: 'string' } },
        Array.from({ length: 5_000 }, () => 1),
      ),
    ).toHaveLength(1_000)
  })
})

describe('compile', () => {
  test.each<[string, unknown]>([
    ['/propertys: unknown keyword "propertys"; did you mean "properties"?', { propertys: {} }],
    ['/properties/a/typ: unknown keyword "typ"; did you mean "type"?', { properties: { a: { typ: 'string' } } }],
    [
      '/properties/a/type: must be one of "array", "boolean", "integer", "null", "number", "object", "string"',
      { properties: { a: { type: 'text' } } },
    ],
    ['/required: must be array', { required: 'a' }],
    ['/pattern: Invalid regular expression: /(/: Unterminated group', { pattern: '(' }],
    [
      '/patternProperties: Invalid regular expression: /[/: Unterminated character class',
      { patternProperties: { '[': true } },
    ],
    [
      '/allOf/0/$ref: "$ref": "https://other.example/s.json" is not defined in this schema: put what it means under $defs, nothing is fetched',
      { allOf: [{ $ref: 'https://other.example/s.json' }] },
    ],
    [
      '/properties/a/$ref: "$ref": "#/$defs/b" is not defined in this schema: put what it means under $defs, nothing is fetched',
      { properties: { a: { $ref: '#/$defs/b' } } },
    ],
    [
      '/$ref: "$ref": "other.json#/a" is not defined in this schema: put what it means under $defs, nothing is fetched',
      { $ref: 'other.json#/a' },
    ],
    [
      '/$schema: http://json-schema.org/draft-04/schema# is not supported: 2020-12, 2019-09 and draft-07 are',
      { $schema: 'http://json-schema.org/draft-04/schema#' },
    ],
    ['/$schema: 7 is not supported: 2020-12, 2019-09 and draft-07 are', { $schema: 7 }],
    ['/$async: unknown keyword "$async"', { $async: true }],
    ['/$id: this id is taken', { $id: 'https://json-schema.org/draft/2020-12/schema' }],
    ['/$id: must be string', { $id: 7 }],
    ['/minimum: must be number', { minimum: { $data: '/a' } }],
    [': a schema is a map, true or false', 'text'],
    [': a schema is a map, true or false', null],
    [': a schema is a map, true or false', []],
  ])('says %j', (fault, schema) => {
    expect(faultOf(schema)).toBe(fault)
  })

  test('refuses formats that it does not know', () => {
    expect(faultOf({ format: 'phone' })).toMatch(/unknown format "phone"/)
  })

  test('refuses what is nested too deep, without compiling it', () => {
    const nested = (depth: number) => Array.from({ length: depth }).reduce((inner: unknown) => ({ not: inner }), {})
    expect(faultOf(nested(64))).toBe(undefined)
    expect(faultOf(nested(65))).toBe(`${'/not'.repeat(65)}: nested deeper than 64 schemas`)
    expect(faultOf(nested(50_000))).toBe(': a value nests deeper than 1000 levels')
    expect(faultOf({ const: nested(5_000) })).toBe(': a value nests deeper than 1000 levels')
  })

  test('gives the same validator for the same content, and another for another', () => {
    const schema = { type: 'string', minLength: 3 }
    expect(compile(schema)).toBe(compile(schema))
    expect(compile({ minLength: 3, type: 'string' })).toBe(compile(schema))
    expect(compile({ type: 'string', minLength: 4 })).not.toBe(compile(schema))
  })

  test('keeps schemas with the same id apart', () => {
    const id = 'https://a.example/same'
    expect(issuesOf({ $id: id, type: 'string' }, 1)).toHaveLength(1)
    expect(issuesOf({ $id: id, type: 'number' }, 1)).toEqual([])
    expect(issuesOf({ $id: id, type: 'string' }, 'a')).toEqual([])
  })

  test('says that a schema which only refers to itself decides nothing', () => {
    expect(() => issuesOf({ $ref: '#' }, 1)).toThrow(expect.objectContaining({ code: 'json_too_deep' }))
  })

  test('never throws, whatever the schema, and pollutes no prototype', () => {
    const keyword = fc.constantFrom(
      'type',
      'properties',
      'items',
      '$ref',
      '$id',
      'not',
      'allOf',
      'const',
      '$defs',
      '__proto__',
      'pattern',
      'required',
      'if',
      '$anchor',
      '$schema',
      'default',
    )
    const leaf = fc.constantFrom<unknown>('string', '#', '#/$defs/a', 'x', '(', 1, null, true, [], {}, ['a'])
    const schema = fc.letrec<{ schema: unknown }>((tie) => ({
      schema: fc.oneof(
        { depthSize: 'small' },
        leaf,
        fc.array(tie('schema'), { maxLength: 2 }),
        fc.dictionary(keyword, tie('schema'), { maxKeys: 3, noNullPrototype: true }),
      ),
    })).schema
    fc.assert(
      fc.property(schema, fc.jsonValue(), (each, value) => {
        const compiled = compile(each)
        // One that refers to itself is looked at above.
        if (compiled.ok && !JSON.stringify(each).includes('"$ref"')) {
          expect(compiled.validate(value)).toEqual(expect.any(Array))
        }
        expect(Object.keys(Object.prototype)).toEqual([])
      }),
      { numRuns: 1_000 },
    )
  })
})
