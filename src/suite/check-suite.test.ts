import { describe, expect, test } from 'vitest'
import { memoryFiles } from '../adapters/memory/memory-files.ts'
import { checkSuite } from './check-suite.ts'
import { parseSuite } from './parse-suite.ts'
import { tell } from './read.test-support.ts'

type Entries = Parameters<typeof memoryFiles>[0]

/** Checks a suite in /p/evals, in the project /p, with these files around it. */
const check = async (text: string, entries: Entries = {}, opened: (path: string) => void = () => undefined) => {
  const { suite, diagnostics } = await parseSuite(text, { file: 'evals/t.eval.yaml' })
  if (suite === undefined) throw new Error(diagnostics.map(tell).join('\n'))
  const files = memoryFiles({ '/p/evals/t.eval.yaml': text, ...entries }, opened)
  const found = await checkSuite(
    suite,
    { text, file: 'evals/t.eval.yaml', dir: '/p/evals' },
    { files, projectDir: '/p' },
  )
  return found.map((one) => (one.file === 'evals/t.eval.yaml' ? '' : `${one.file}:`) + tell(one))
}

const oneCase = (more: string): string => `cases:\n  - id: a\n    input: hi\n    ${more}\n`

describe('files that a suite names', () => {
  test.each<[behaviour: string, more: string, entries: Entries, told: string[]]>([
    ['may lie beside it', 'files: {a.csv: a.csv}', { '/p/evals/a.csv': '' }, []],
    [
      'may lie elsewhere in the project',
      'files: {a.csv: ../fixtures/a.csv, d: ../fixtures}',
      { '/p/fixtures/a.csv': '' },
      [],
    ],
    [
      'must exist',
      'files: {a.csv: ../fixtures/b.csv}',
      { '/p/fixtures/a.csv': '' },
      ['4:20 suite/missing-file ../fixtures/b.csv does not exist → Did you mean `../fixtures/a.csv`?'],
    ],
    [
      'may not lie outside the project',
      'files: {a: ../../etc/passwd, b: /etc/passwd}',
      { '/etc/passwd': '' },
      [
        '4:16 suite/outside-project ../../etc/passwd lies outside of the project → Copy it into the project: a suite takes nothing from elsewhere.',
        '4:37 suite/outside-project /etc/passwd lies outside of the project → Copy it into the project: a suite takes nothing from elsewhere.',
      ],
    ],
    [
      'nor where a link leads out of it',
      'files: {a: link, b: dir/x}',
      { '/etc/x': '', '/p/evals/link': { link: '/etc/x' }, '/p/evals/dir': { link: '../../etc' } },
      [
        '4:16 suite/outside-project link lies outside of the project → Copy it into the project: a suite takes nothing from elsewhere.',
        '4:25 suite/outside-project dir/x lies outside of the project → Copy it into the project: a suite takes nothing from elsewhere.',
      ],
    ],
    ['may be links within it', 'files: {a: link}', { '/p/x': '', '/p/evals/link': { link: '../x' } }, []],
    [
      'nor is a neighbour whose name begins with that of the project inside it',
      'files: {a: ../../pp/x}',
      { '/pp/x': '' },
      [expect.stringMatching(/^4:16 suite\/outside-project/)],
    ],
    [
      'a JSON Schema must exist',
      'expected: {output: [{json_schema: s.json}]}',
      {},
      ['4:39 suite/missing-file s.json does not exist → Paths are relative to the suite.'],
    ],
    ['and compile', 'expected: {output: [{json_schema: s.json}]}', { '/p/evals/s.json': '{"type":"object"}' }, []],
    [
      'or is told not to',
      'expected: {output: [{json_schema: s.json}]}',
      { '/p/evals/s.json': '{"type":"strin"}' },
      [expect.stringMatching(/^4:39 suite\/json-schema s\.json is no JSON Schema: /)],
    ],
    [
      'also where it is no JSON',
      'expected: {output: [{json_path: {path: $.a, json_schema: s.json}}]}',
      { '/p/evals/s.json': '{\n"type":' },
      [expect.stringMatching(/^4:62 suite\/json-schema s\.json is not JSON in line 2: /)],
    ],
    [
      'a grader must be a file in the project',
      'expected: {output: [{script: {run: g.py}}, {script: {run: ../g}}, {script: {run: ../../x.py}}]}',
      { '/p/evals/g.py': '', '/p/g/x': '', '/x.py': '' },
      ['4:63 suite/wrong-file ../g is a folder → Name a file.', expect.stringMatching(/^4:86 suite\/outside-project/)],
    ],
    [
      'a check of a file names its schema too',
      'expected: {files: [{path: a, checks: [{json_schema: s.json}]}]}',
      {},
      [expect.stringMatching(/^4:57 suite\/missing-file/)],
    ],
  ])('%s', async (_, more, entries, told) => {
    expect(await check(oneCase(more), entries)).toEqual(told)
  })

  test('in defaults they are told once, where they stand', async () => {
    const text = `defaults: {files: {a: x}}
cases: [{id: a, input: x}, {id: b, input: x, files: {b: y}}]
triggers: {csv: {should: [x]}}
`
    expect(await check(text)).toEqual([
      '1:23 suite/missing-file x does not exist → A plain text is the path of a fixture, relative to the suite; content is written `{text: "…"}`.',
      '2:57 suite/missing-file y does not exist → A plain text is the path of a fixture, relative to the suite; content is written `{text: "…"}`.',
    ])
  })

  test('skill roots must be folders', async () => {
    const text = `skills: [../skills, ../skils, a.md]\n${oneCase('')}`
    expect(await check(text, { '/p/skills/csv/SKILL.md': '', '/p/evals/a.md': '' })).toEqual([
      '1:21 suite/missing-file ../skils does not exist → Did you mean `../skills`?',
      '1:31 suite/wrong-file a.md is a file → Name a folder.',
    ])
  })

  test('without a mistake nothing is read but what must be', async () => {
    const read: string[] = []
    await check(oneCase('files: {a: a.csv}'), { '/p/evals/a.csv': '' }, (path) => read.push(path))
    expect(read).toEqual([])
  })
})

describe('rows of files', () => {
  const each = (rows: string, more = '') =>
    `cases:\n  - id: "q-{{n}}"\n    input: "{{q}}"\n    each: ${rows}\n    ${more}\n`
  const suffix = '(row 2 of `q-{{n}}`, evals/t.eval.yaml line 2)'

  test.each<[format: string, name: string, content: string]>([
    ['CSV', 'r.csv', 'n,q\n1,one\n2,two\n'],
    ['JSON', 'r.json', '[{"n": 1, "q": "one"}, {"n": 2, "q": "two"}]'],
    ['JSON lines', 'r.jsonl', '{"n": 1, "q": "one"}\n\n{"n": 2, "q": "two"}\n'],
    ['YAML', 'r.yaml', '- {n: 1, q: one}\n- {n: 2, q: two}\n'],
    ['YAML under its other name', 'r.yml', '- {n: 1, q: one}\n'],
  ])('are read from %s', async (_, name, content) => {
    expect(await check(each(name), { [`/p/evals/${name}`]: content })).toEqual([])
  })

  test.each<[behaviour: string, name: string, content: string, more: string, told: string[]]>([
    [
      'a value that is not valid, in JSON lines',
      'r.jsonl',
      '{"n":1,"q":"a","t":1}\n\n{"n":2,"q":"a","t":"x"}\n',
      'trials: "{{t}}"',
      [`evals/r.jsonl:3:? suite/type \`trials\`: expected a number or a map, got the string "x" ${suffix}`],
    ],
    [
      'in YAML',
      'r.yaml',
      '- {n: 1, q: a, t: 1}\n- n: 2\n  q: a\n  t: x\n',
      'trials: "{{t}}"',
      [`evals/r.yaml:2:? suite/type \`trials\`: expected a number or a map, got the string "x" ${suffix}`],
    ],
    [
      'in CSV, of which every value is a string',
      'r.csv',
      'n,q,t\n1,a,1\n',
      'trials: "{{t}}"',
      [
        'evals/r.csv:2:? suite/type `trials`: expected a number or a map, got the string "1" (row 1 of `q-{{n}}`, evals/t.eval.yaml line 2) → Remove the quotes.',
      ],
    ],
    [
      'in CSV with values of several lines, where lines are not known',
      'r.csv',
      'n,q\n1,"a\nb"\n1 2,b\n',
      '',
      [`evals/r.csv:?:? suite/format \`id\`: may have letters, digits and - _ . /, got the string "q-1 2" ${suffix}`],
    ],
    [
      'an id that another row has',
      'r.jsonl',
      '{"n":1,"q":"a"}\n{"n":1,"q":"b"}\n',
      '',
      [
        `evals/r.jsonl:2:? suite/duplicate-id duplicate id: \`q-1\` is already used in line 1 ${suffix} → Ids are unique within a suite: results, recordings and filters go by them.`,
      ],
    ],
    [
      'a row that is no map',
      'r.jsonl',
      '{"n":1,"q":"a"}\n5\n',
      '',
      [`evals/r.jsonl:2:? suite/row a row is a map, got the number 5 ${suffix}`],
    ],
    [
      'a line that is no JSON',
      'r.jsonl',
      '{"n":1,"q":"a"}\n{"n":\n',
      '',
      [expect.stringMatching(/^evals\/r\.jsonl:2:\? suite\/row not JSON: .* \(row 2 of /)],
    ],
    [
      'a column that no row has',
      'r.jsonl',
      '{"n":1,"question":"a"}\n',
      '',
      ['3:12 suite/unknown-placeholder unknown placeholder `{{q}}`: no row has that column → Columns: n, question.'],
    ],
    [
      'a column that some rows do not have',
      'r.jsonl',
      '{"n":1,"q":"a"}\n{"n":2}\n',
      '',
      [`evals/r.jsonl:2:? suite/unknown-placeholder the row has no column \`q\` ${suffix} → Columns: n.`],
    ],
    [
      'a file that a row names',
      'r.jsonl',
      '{"n":1,"q":"a","f":"t.eval.yaml"}\n{"n":2,"q":"a","f":"no.csv"}\n',
      'files: {a: "{{f}}"}',
      [
        `evals/r.jsonl:2:? suite/missing-file no.csv does not exist ${suffix} → A plain text is the path of a fixture, relative to the suite; content is written \`{text: "…"}\`.`,
      ],
    ],
    [
      'a pattern that a row brings',
      'r.jsonl',
      '{"n":1,"q":"a","r":"a"}\n{"n":2,"q":"a","r":"("}\n',
      'expected: {output: [{regex: "{{r}}"}]}',
      [`evals/r.jsonl:2:? suite/regex not a regular expression: Unterminated group ${suffix}`],
    ],
    ['no rows', 'r.csv', 'n,q\n', '', ['4:11 suite/no-rows evals/r.csv has no rows: the case is never made']],
    ['no list', 'r.json', '{"n":1}', '', ['evals/r.json:?:? suite/row-file rows are a list of maps, got a map']],
    ['broken CSV', 'r.csv', 'n,q\n1,2,3\n', '', [expect.stringMatching(/^evals\/r\.csv:2:1 csv\/columns /)]],
    ['broken YAML', 'r.yaml', '- [\n', '', [expect.stringMatching(/^evals\/r\.yaml:\d+:\d+ suite\/yaml-syntax /)]],
    [
      'broken JSON',
      'r.json',
      '[1,\n]',
      '',
      [expect.stringMatching(/^evals\/r\.json:\d+:\d+ suite\/row-file not JSON: /)],
    ],
  ])('%s is told', async (_, name, content, more, told) => {
    expect(await check(each(name, more), { [`/p/evals/${name}`]: content })).toEqual(told)
  })

  test('a file that is missing, outside, or of no known format is told at the case', async () => {
    const at = async (rows: string) => (await check(each(rows), { '/x.csv': 'n,q\n', '/p/evals/r.txt': '' }))[0]
    expect([await at('no.csv'), await at('../../x.csv'), await at('r.txt')]).toEqual([
      '4:11 suite/missing-file no.csv does not exist → Paths are relative to the suite.',
      expect.stringMatching(/^4:11 suite\/outside-project/),
      '4:11 suite/row-format r.txt has no extension that says how to read it → Rows are read from .csv, .json, .jsonl, .yaml and .yml.',
    ])
  })

  test('ids of rows differ from those of the other cases, also of inline rows', async () => {
    const text = `cases:
  - {id: q-1, input: x}
  - {id: "q-{{k}}", input: x, each: [{k: 2}]}
  - {id: "q-{{n}}", input: x, each: r.jsonl}
`
    expect(await check(text, { '/p/evals/r.jsonl': '{"n":1}\n{"n":2}\n{"n":3}\n' })).toEqual([
      expect.stringMatching(
        /^evals\/r\.jsonl:1:\? suite\/duplicate-id duplicate id: `q-1` is already used in evals\/t\.eval\.yaml line 2 /,
      ),
      expect.stringMatching(
        /^evals\/r\.jsonl:2:\? suite\/duplicate-id duplicate id: `q-2` is already used in evals\/t\.eval\.yaml line 3 /,
      ),
    ])
  })

  test('many bad rows are told to a hundred, the rest counted', async () => {
    const rows = Array.from({ length: 150 }, (_, n) => JSON.stringify({ n, q: 'x', t: 'x' })).join('\n')
    const told = await check(each('r.jsonl', 'trials: "{{t}}"'), { '/p/evals/r.jsonl': rows })
    expect([told.length, told.at(-1)]).toEqual([101, 'evals/r.jsonl:?:? suite/more and 50 more mistakes'])
  })

  test('inline rows may name files too', async () => {
    const text = each('[{n: 1, q: x, f: t.eval.yaml}, {n: 2, q: x, f: no.csv}]', 'files: {a: "{{f}}"}')
    expect(await check(text)).toEqual([
      '4:42 suite/missing-file row 2: no.csv does not exist → A plain text is the path of a fixture, relative to the suite; content is written `{text: "…"}`.',
    ])
  })
})
