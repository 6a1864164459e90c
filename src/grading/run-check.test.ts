import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Check } from '../schema/check.ts'
import { GraderError } from './grader-error.ts'
import type { GradingPorts } from './ports.ts'
import { runCheck } from './run-check.ts'
import { textSubject } from './subject.ts'

const ports: GradingPorts = {
  runScript: async () => {
    throw new Error('no script runs here')
  },
  readSchema: (path) => {
    if (path === 'row.json') return { type: 'object', required: ['n'] }
    return JSON.parse(path === 'broken.json' ? '{' : '{"type": "nonsense"}')
  },
}

const run = async (check: object, text: string) => (await runCheck(check as Check, textSubject(text), ports))[0]

const months = '{"months": [{"name": "Feb", "n": 9}, {"name": "Mar", "n": 7}], "total": 22, "note": "a b"}'
const fenced = `Here it is:\n\n\`\`\`json\n${months}\n\`\`\`\nDone.`
const markdown = '# Report\n\n## Summary\n\nText\n\n## Details ##\n\n### Rows\n\n```md\n# No heading\n```\n'

/** check, a text for which it holds, one for which it does not */
const table: [object, string, string][] = [
  [{ equals: 'March' }, 'March', 'march'],
  [{ equals: 'March', ignore_case: true }, 'mARCH', 'Mar'],
  [{ equals: 'March', trim: true }, ' March\n', 'Mar ch'],
  [{ equals: 'March' }, 'March', 'March '],
  [{ equals: '' }, '', ' '],
  [{ equals: 4 }, '4', '5'],
  [{ equals: true }, 'true', 'false'],
  [{ equals: null }, 'null', ''],
  [{ equals: { a: 1 } }, '{"a":1}', '{"a":2}'],
  [{ contains: 'Mar' }, 'in March', 'in May'],
  [{ contains: 'mar', ignore_case: true }, 'in March', 'in May'],
  [{ contains: 'mar' }, 'in mars', 'in March'],
  [{ contains_all: ['Feb', 'Mar'] }, 'Mar, Feb', 'Mar'],
  [{ contains_all: ['feb', 'mar'], ignore_case: true }, 'Mar, Feb', 'Mar'],
  [{ contains_any: ['Feb', 'Mar'] }, 'Mar', 'May'],
  [{ contains_any: ['feb'], ignore_case: true }, 'Feb', 'May'],
  [{ starts_with: 'The' }, 'The end', ' The end'],
  [{ starts_with: 'the', ignore_case: true }, 'The end', 'end'],
  [{ ends_with: 'end' }, 'The end', 'The end.'],
  [{ ends_with: 'END', ignore_case: true }, 'The end', 'end.'],
  [{ regex: '\\d{2}' }, 'a 42', 'a 4'],
  [{ regex: '/^march$/im' }, 'x\nMarch\ny', 'x March y'],
  [{ length: { max: 3, unit: 'chars' } }, '👩🏽é', 'abcd'],
  [{ length: { min: 2, max: 3, unit: 'words' } }, 'a\u00a0b', 'a'],
  [{ length: { min: 2, unit: 'lines' } }, 'a\nb\n', 'a\n'],
  [{ length: { unit: 'chars', min: 0 } }, '', ''],
  [{ is_json: true }, months, 'months'],
  [{ is_json: true }, fenced, 'Here it is: {"a": 1'],
  [{ is_json: true }, '3', ''],
  [{ is_json: false }, 'plain', '{}'],
  [{ json_schema: { type: 'object', required: ['total'] } }, fenced, '{}'],
  [{ json_schema: 'row.json' }, '{"n": 1}', '{"m": 1}'],
  [{ json_schema: true }, '{}', 'no JSON'],
  [{ json_equals: { a: [1, 2] } }, '{"a": [1, 2]}', '{"a": [2, 1]}'],
  [{ json_equals: { a: 1, id: 0 }, ignore: ['/id'] }, '{"a": 1, "id": 9}', '{"a": 2, "id": 9}'],
  [{ json_equals: { a: 1 }, tolerance: 1e-6 }, '{"a": 1.0000001}', '{"a": 1.1}'],
  [{ json_equals: { a: [1, 2] }, unordered: ['/a'] }, '{"a": [2, 1]}', '{"a": [2, 2]}'],
  [{ json_equals: null }, 'null', 'nothing'],
  [{ json_path: { path: '$.total', equals: 22 } }, fenced, '{"total": "22"}'],
  [
    { json_path: { path: '$.months[0].name', equals: 'feb', ignore_case: true } },
    months,
    '{"months": [{"name": "Jan"}]}',
  ],
  [{ json_path: { path: '$.months[*].n', equals: [9, 7] } }, months, '{"months": [{"n": 7}, {"n": 9}]}'],
  [{ json_path: { path: '$.a', equals: [1, 2] } }, '{"a": [1, 2]}', '{"a": [1]}'],
  [{ json_path: { path: '$.errors[*]', equals: [] } }, '{"errors": []}', '{"errors": [1]}'],
  [{ json_path: { path: '$.total', equals: 22, not: true } }, '{"total": 21}', '{"total": 22}'],
  [{ json_path: { path: '$.total', equals: 22, not: true } }, '{"total": 21}', '{}'],
  [
    { json_path: { path: '$.months', json_equals: [{ n: 9 }, { n: 7 }], unordered: [''], ignore: ['/*/name'] } },
    months,
    '{"months": []}',
  ],
  [
    { json_path: { path: '$.months[*].name', regex: '^[A-Z]' } },
    months,
    '{"months": [{"name": "Feb"}, {"name": "mar"}]}',
  ],
  [{ json_path: { path: '$.months[*].name', contains: 'e', not: true } }, '{"months": [{"name": "Mar"}]}', months],
  [{ json_path: { path: '$.months[*]', contains: '"n":' } }, months, '{"months": [{"n": 1}, {}]}'],
  [{ json_path: { path: '$.months[*].name', contains: '' } }, months, '{"months": []}'],
  [{ json_path: { path: '$.note', length: { max: 2, unit: 'words' } } }, months, '{"note": "a b c"}'],
  [{ json_path: { path: '$.note', json_schema: { type: 'string' } } }, months, '{"note": 3}'],
  [{ json_path: { path: '$.note', is_json: true } }, '{"note": "[1]"}', '{"note": "a"}'],
  [{ json_path: { path: '$.months', json_path: { path: '$[0].n', equals: 9 } } }, months, '{"months": []}'],
  [{ similar: { to: 'the cat sat', at_least: 0.8, by: 'token_f1' } }, 'the cat sat', 'a dog ran'],
  [{ similar: { to: 'kitten', at_least: 0.5, by: 'levenshtein' } }, 'sitting', 'unrelated'],
  [{ similar: { to: 'the cat sat down', at_least: 0.7, by: 'rouge_l' } }, 'the cat sat', 'down sat'],
  [{ headings: ['Report', 'Details'] }, markdown, '# Details\n\n# Report\n'],
  [{ headings: ['summary', 'rows'], ignore_case: true }, markdown, '# Summary\n'],
  [{ headings: ['# Report', '### Rows'] }, markdown, '## Report\n\n### Rows\n'],
  [{ headings: ['Summary'] }, markdown, '```\n# Summary\n```\n'],
]

describe.each(table)('%j', (check, holding, failing) => {
  test('holds, fails, and is inverted by not', async () => {
    expect((await run(check, holding)).passed).toBe(true)
    expect((await run({ ...check, not: true }, holding)).passed).toBe(false)
    if (holding === failing) return
    expect((await run(check, failing)).passed).toBe(false)
    expect((await run({ ...check, not: true }, failing)).passed).toBe(true)
  })

  test('a failure says why, with what was expected and what was there', async () => {
    if (holding === failing) return
    const failed = await run(check, failing)
    expect(failed.message).toMatch(/\S/)
    expect(failed).toHaveProperty('actual')
    const inverted = await run({ ...check, not: true }, holding)
    expect(inverted.message).toContain('it holds, and should not')
    expect(inverted.expected).toHaveProperty('not')
  })
})

describe('a result', () => {
  test('has the operator as kind, a readable name, weight 1 and a score of 1 or 0', async () => {
    expect(await run({ contains: 'March' }, 'March 1200')).toEqual({
      name: 'contains "March"',
      kind: 'contains',
      passed: true,
      score: 1,
      weight: 1,
    })
    expect(await run({ contains: 'March', name: 'names the month', weight: 3 }, 'May 1200')).toEqual({
      name: 'names the month',
      kind: 'contains',
      passed: false,
      score: 0,
      weight: 3,
      message: 'missing "March"; the text is "May 1200"',
      expected: 'March',
      actual: 'May 1200',
    })
  })

  test('of an inverted check says that it holds, and where', async () => {
    expect(await run({ contains: 'secret', not: true }, `${'x'.repeat(900)} secret ${'y'.repeat(900)}`)).toMatchObject({
      name: 'not: contains "secret"',
      passed: false,
      score: 0,
      message: expect.stringMatching(/^it holds, and should not: contains "secret"; the text is "…x+ secret y+…"$/),
    })
  })

  test('shows a long text around the place and cuts it, never inside a character', async () => {
    const result = await run({ equals: `${'a'.repeat(2000)}b` }, `${'a'.repeat(2000)}${'👍'.repeat(2000)}`)
    expect(result.actual).toHaveLength(501)
    expect(result.message?.length).toBeLessThan(100_000)
    expect(JSON.stringify(result)).not.toMatch(/\\ud[89a-f]/)
  })
})

describe('what a failure says', () => {
  test.each([
    [
      { contains: 'March' },
      'in march',
      'missing "March"; it is there in another case: "in march" (ignore_case: true accepts that)',
    ],
    [{ contains_all: ['Jan', 'Feb', 'Mar'] }, 'Feb', 'missing "Jan", "Mar"; the text is "Feb"'],
    [{ contains_any: ['Jan', 'Mar'] }, '', 'it has none of them; missing "Jan", "Mar"; the text is empty'],
    [{ starts_with: 'The' }, 'An end', 'it starts with "An end"'],
    [{ ends_with: 'end' }, 'The end.', 'it ends with "The end."'],
    [{ regex: '^a' }, 'b\u0007', 'no match; the text is "b\\u0007"'],
    [{ equals: 'March' }, 'May', 'expected "March", was "May"'],
    [{ length: { max: 3, unit: 'words' } }, 'a b c d', 'it has 4 words, not at most 3 words'],
    [{ is_json: false }, '[]', 'it is JSON; the text is "[]"'],
    [{ json_path: { path: '$.a', equals: 4 } }, '{"a": 5}', '$.a: expected 4, was 5'],
    [{ json_path: { path: '$.a', equals: 4 } }, '{}', '$.a: expected 4, nothing is there'],
    [{ json_path: { path: '$.a', contains: 'x' } }, '{}', 'nothing is at $.a'],
    [{ json_path: { path: '$[*]', contains: 'x' } }, '["x", "y"]', '$[*], value 2 of 2: missing "x"; the text is "y"'],
  ])('%j of %j', async (check, text, message) => {
    expect((await run(check, text)).message).toBe(message)
  })

  test('equals: a text diff of several lines', async () => {
    const { message } = await run({ equals: 'one\ntwo\nthree' }, 'one\n2\nthree')
    expect(message).toMatch(/^expected "one\\ntwo\\nthree", was "one\\n2\\nthree"\n/)
    expect(message).toMatch(/-.*two/)
    expect(message).toMatch(/\+.*2/)
  })

  test('json_schema: every error with its pointer', async () => {
    const schema = {
      type: 'object',
      properties: { rows: { type: 'array', items: { type: 'object', properties: { n: { type: 'number' } } } } },
      required: ['total'],
    }
    const { message } = await run({ json_schema: schema }, '{"rows": [{"n": 1}, {"n": "2"}, {"n": null}]}')
    expect(message).toMatch(/^3 errors against the schema\n/)
    expect(message).toContain('/rows/1/n: ')
    expect(message).toContain('/rows/2/n: ')
    expect(message).toContain('total')
  })

  test('json_equals: the first difference and a structural diff, without colours', async () => {
    const { message } = await run({ json_equals: { month: 'Mar', n: 1200 } }, '{"month": "Mar", "n": 1100}')
    expect(message).toMatch(/^\/n: expected 1200, was 1100\n/)
    expect(message).toMatch(/-.*1200/)
    expect(message).toMatch(/\+.*1100/)
    expect(message).not.toContain('\u001b')
  })

  test('similar: how similar it is', async () => {
    const result = await run({ similar: { to: 'the cat sat', at_least: 0.9, by: 'token_f1' } }, 'the cat ran')
    expect(result.score).toBe(0.5)
    expect(result.message).toBe('the token_f1 similarity is 0.50, at least 0.9 is expected; the text is "the cat ran"')
  })

  test('headings: which is missing and which there are', async () => {
    const { message } = await run({ headings: ['Report', 'Rows', 'Summary'] }, markdown)
    expect(message).toBe(
      'there is no heading "Summary" after "Rows"; the headings are "# Report", "## Summary", "## Details", "### Rows"',
    )
  })
})

describe('a check that can’t be judged is no failed check', () => {
  test.each([
    ['a broken regular expression', { regex: '(' }, 'x'],
    ['a broken schema', { json_schema: { type: 'nonsense' } }, '{}'],
    ['a broken schema file', { json_schema: 'other.json' }, '{}'],
    ['a schema file that is no JSON', { json_schema: 'broken.json' }, '{}'],
    [
      'texts too long to compare',
      { similar: { to: 'x'.repeat(40_000), at_least: 1, by: 'levenshtein' } },
      'y'.repeat(40_000),
    ],
    ['a broken schema, even where there is nothing to validate', { json_schema: { type: 'nonsense' } }, 'no JSON'],
    ['a broken JSONPath', { json_path: { path: '$[', equals: 1 } }, '{}'],
    ['no operator', {}, 'x'],
  ])('%s', async (_, check, text) => {
    await expect(run(check, text)).rejects.toBeInstanceOf(GraderError)
    await expect(run({ ...check, not: true }, text)).rejects.toBeInstanceOf(GraderError)
  })

  test('a regular expression that would hang ends the check in time, by a verdict or an error', async () => {
    const started = performance.now()
    const outcome = await run({ regex: '(a|a)*\\1?b$' }, 'a'.repeat(5000)).then(
      (result) => result.passed,
      (error: unknown) => error,
    )
    expect(outcome === false || outcome instanceof GraderError).toBe(true)
    expect(performance.now() - started).toBeLessThan(3000)
  })

  test('a bug is not dressed up', async () => {
    await expect(run({ script: { run: 'x' } }, 'x')).rejects.toThrow(new Error('no script runs here'))
  })
})

describe('hostile answers', () => {
  const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`

  test.each([
    { is_json: true },
    { json_equals: [] },
    { json_equals: [[]], ignore: ['/x'] },
    { json_schema: { type: 'object' } },
    { json_path: { path: '$[0]', equals: 1 } },
    { json_path: { path: '$[0]', contains: 'x' } },
    { headings: ['x'] },
    { similar: { to: 'x', at_least: 0.5, by: 'rouge_l' } },
  ])('%j of a text that is nested endlessly deep ends with a verdict', async (check) => {
    expect(typeof (await run(check, deep)).passed).toBe('boolean')
  })

  test('a key named like the prototype is a key', async () => {
    expect((await run({ json_equals: {} }, '{"__proto__": {"a": 1}}')).passed).toBe(false)
    expect((await run({ json_path: { path: '$.toString', is_json: true } }, '{}')).passed).toBe(false)
  })
})

test('not inverts every check on every text', async () => {
  const word = fc.string({ minLength: 1, maxLength: 3 })
  const checks = fc.oneof(
    fc.record({ equals: fc.oneof(word, fc.integer()), trim: fc.boolean(), ignore_case: fc.boolean() }),
    fc.record({ contains: word, ignore_case: fc.boolean() }),
    fc.record({ contains_all: fc.array(word, { minLength: 1 }) }),
    fc.record({ contains_any: fc.array(word, { minLength: 1 }) }),
    fc.record({ starts_with: word }),
    fc.record({ ends_with: word }),
    fc.record({
      length: fc.record({ min: fc.nat(5), max: fc.nat(5), unit: fc.constantFrom('chars', 'words', 'lines') }),
    }),
    fc.record({ is_json: fc.boolean() }),
    fc.record({ json_equals: fc.jsonValue({ maxDepth: 1 }) }),
    fc.record({ json_path: fc.record({ path: fc.constantFrom('$', '$.a', '$[*]'), equals: fc.integer() }) }),
  )
  const texts = fc.oneof(fc.string(), fc.json({ maxDepth: 2 }))
  await fc.assert(
    fc.asyncProperty(checks, texts, async (check, text) => {
      expect((await run({ ...check, not: true }, text)).passed).toBe(!(await run(check, text)).passed)
    }),
  )
})
