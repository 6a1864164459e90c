import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { extractJson, parseJson } from './json.ts'
import { findJsonFault } from './json-fault.ts'

describe('parseJson', () => {
  test('reads what JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent)
        expect(parseJson(text)).toEqual({ ok: true, value: JSON.parse(text) })
      }),
    )
  })

  test('holds __proto__ as a key of its own', () => {
    const result = parseJson('{"__proto__": {"polluted": true}}')
    expect(result.ok && Object.keys(result.value as object)).toEqual(['__proto__'])
    expect(result.ok && (result.value as { polluted?: unknown }).polluted).toBe(undefined)
  })

  test.each<[string, string, string]>([
    ['', '1:1', 'expected a value, but the text ends'],
    ['{"a": 1,}', '1:9', 'expected a key in double quotes'],
    ['{\n  a: 1\n}', '2:3', 'expected a key in double quotes or "}"'],
    ['{"a" 1}', '1:6', 'expected ":" after the key'],
    ['{"a": }', '1:7', 'expected a value'],
    ['[1 2]', '1:4', 'expected "," or "]"'],
    ['[1,]', '1:4', 'expected a value'],
    ['{"a": [1, 2}', '1:12', 'expected "," or "]"'],
    ['{"a": 1', '1:8', 'expected "," or "}", but the text ends'],
    ['"open', '1:6', 'expected ", but the text ends'],
    ['"line\nbreak"', '1:6', 'expected an escape instead of a control character'],
    ['"\\x"', '1:2', 'expected one of \\" \\\\ \\/ \\b \\f \\n \\r \\t \\u0000'],
    ['01', '1:2', 'expected nothing more after the value'],
    ['NaN', '1:1', 'expected a value'],
    ['{} {}', '1:4', 'expected nothing more after the value'],
    ["{'a': 1}", '1:2', 'expected a key in double quotes or "}"'],
    ['\ufeff[1}', '1:4', 'expected "," or "]"'],
    ['{\r\n"a": tru}', '2:6', 'expected a value'],
  ])('says where and why %j is no JSON', (text, place, message) => {
    const result = parseJson(text)
    expect(result.ok ? undefined : [`${result.line}:${result.column}`, result.message]).toEqual([place, message])
  })

  test('skips a byte order mark', () => {
    expect(parseJson('\ufeff{"a":1}')).toEqual({ ok: true, value: { a: 1 } })
  })

  test('counts bytes, not characters', () => {
    expect(parseJson('"é"', { maxBytes: 4 })).toEqual({ ok: true, value: 'é' })
    expect(parseJson('"éé"', { maxBytes: 5 })).toEqual({ ok: false, message: 'larger than 5 bytes' })
  })

  test('refuses deep nesting, but not brackets in strings', () => {
    expect(parseJson('['.repeat(512) + ']'.repeat(512)).ok).toBe(true)
    expect(parseJson('['.repeat(513) + ']'.repeat(513))).toEqual({
      ok: false,
      message: 'nested deeper than 512 levels',
      offset: 512,
      line: 1,
      column: 513,
    })
    expect(parseJson('[{"a":'.repeat(1_000_000)).ok).toBe(false)
    const brackets = { text: `${'['.repeat(600)}\\"${'['.repeat(600)}\\` }
    expect(parseJson(JSON.stringify([brackets, '\\', '"', '['.repeat(600)])).ok).toBe(true)
  })

  test('finds the fault after a string of megabytes', () => {
    const long = 'a\\n'.repeat(3_000_000)
    expect(findJsonFault(`"${long}" x`)).toEqual({
      offset: long.length + 3,
      message: 'expected nothing more after the value',
    })
  })

  test('finds a fault exactly where JSON.parse refuses the text', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '"a"',
      '1',
      '-',
      '.',
      'e',
      '0',
      'true',
      'null',
      ' ',
      '\n',
      '\\',
      'u0041',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('')
        expect([text, findJsonFault(text) === undefined]).toEqual([text, isJson(text)])
      }),
      { numRuns: 5_000 },
    )
  })
})

describe('extractJson', () => {
  test.each<[string, unknown]>([
    ['{"a": 1}', { a: 1 }],
    ['  [1]\n', [1]],
    ['Here it is:\n\n```json\n{"a": 1}\n```\nDone.', { a: 1 }],
    ['Here:\n```JSON\r\n{"a": 1}\r\n```\r\n', { a: 1 }],
    ['```\n[1, 2]\n```', [1, 2]],
    ['~~~json\n"```"\n~~~', '```'],
    ['````json\n{"fence": "```"}\n````', { fence: '```' }],
    ['```sh\nls\n```\n```json\n{"a": 1}\n```\n```\nnot this\n```', { a: 1 }],
    ['```json\n{"a": 1}', { a: 1 }],
  ])('finds the value in %j', (text, value) => {
    expect(extractJson(text)).toEqual({ ok: true, value })
  })

  test.each<[string, string, string | undefined]>([
    ['no JSON here', 'expected a value', '1:1'],
    ['Here:\n```json\n{"a": }\n```', 'expected a value', '3:7'],
    ['```json\n1\n```\n```json\n2\n```', '2 JSON code blocks: which one is meant is unclear', undefined],
    ['```python\n{}\n```', 'expected a value', '1:1'],
    ['{"a": 1} and more', 'expected nothing more after the value', '1:10'],
  ])('finds none in %j', (text, message, place) => {
    const result = extractJson(text)
    const found = result.ok ? undefined : [result.message, result.line && `${result.line}:${result.column}`]
    expect(found).toEqual([message, place])
  })

  test('reads any value back out of a fenced block in prose', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value, null, 2)
        expect(extractJson(`The result:\n\n\`\`\`json\n${text}\n\`\`\`\n`)).toEqual({
          ok: true,
          value: JSON.parse(text),
        })
      }),
    )
  })
})

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
