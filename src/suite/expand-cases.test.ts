import { describe, expect, test } from 'vitest'
import { memoryFiles } from '../adapters/memory/memory-files.ts'
import { rowFilesOf, suiteCases } from './expand-cases.ts'
import { readValid } from './read.test-support.ts'
import { loadRowFiles } from './row-files.ts'

type Entries = Parameters<typeof memoryFiles>[0]

const expand = async (text: string, entries: Entries = {}, opened: (path: string) => void = () => undefined) => {
  const suite = await readValid(text)
  const files = memoryFiles(entries, opened)
  const rowFiles = await loadRowFiles(rowFilesOf([{ suite, dir: '/p/evals' }]), files)
  return suiteCases(suite, { dir: '/p/evals', files, rowFiles })
}

describe('suiteCases', () => {
  test('makes one case per row, with typed values, and numbers ids that name no column', async () => {
    const cases = await expand(`cases:
  - id: q
    each: [{n: 1, t: [a], w: 4}, {n: 2, t: [], w: x}]
    input: ["number {{n}}", "{{w}}"]
    tags: "{{t}}"
    trials: "{{n}}"
    files: {"in-{{n}}.txt": {text: "{{n}}{{w}}"}}
    expected: {output: [{equals: "{{w}}"}, {contains: "{{w}}"}]}
`)
    const shared = { pass_threshold: 1, line: 2, triggerOnly: false }
    expect([...cases]).toEqual([
      {
        ...shared,
        id: 'q/1',
        input: ['number 1', '4'],
        tags: ['a'],
        trials: 1,
        files: { 'in-1.txt': { text: '14' } },
        expected: { output: [{ equals: 4 }, { contains: '4' }] },
      },
      {
        ...shared,
        id: 'q/2',
        input: ['number 2', 'x'],
        tags: [],
        trials: 2,
        files: { 'in-2.txt': { text: '2x' } },
        expected: { output: [{ equals: 'x' }, { contains: 'x' }] },
      },
    ])
  })

  test.each<[name: string, content: string]>([
    ['rows.csv', 'n,q\r\n1,"one, two"\r\n2,zwei\r\n'],
    ['rows.json', '[{"n":"1","q":"one, two"},{"n":"2","q":"zwei"}]'],
    ['rows.jsonl', '{"n":"1","q":"one, two"}\n{"n":"2","q":"zwei"}'],
    ['rows.yaml', '- {n: "1", q: "one, two"}\n- {n: "2", q: zwei}\n'],
  ])('reads rows of %s', async (name, content) => {
    const cases = await expand(`cases: [{id: "q-{{n}}", input: "{{q}}", each: ${name}}]\n`, {
      [`/p/evals/${name}`]: content,
    })
    expect([...cases].map(({ id, input }) => [id, input])).toEqual([
      ['q-1', ['one, two']],
      ['q-2', ['zwei']],
    ])
  })

  test('makes paths absolute, of sources and graders, and leaves destinations as they are', async () => {
    const cases = await expand(`cases:
  - id: a
    input: x
    files: {a.csv: ../fixtures/./a.csv, b: {json: [1]}}
    expected:
      output: [{script: {run: graders/check.py, args: [graders/check.py]}}]
      files: [{path: out/a.txt, script: {run: ../g.py}}]
`)
    expect([...cases]).toMatchObject([
      {
        files: { 'a.csv': '/p/fixtures/a.csv', b: { json: [1] } },
        expected: {
          output: [{ script: { run: '/p/evals/graders/check.py', args: ['graders/check.py'] } }],
          files: [{ path: 'out/a.txt', script: { run: '/p/g.py' } }],
        },
      },
    ])
  })

  test('puts the one loaded schema where a check names its path', async () => {
    const read: string[] = []
    const cases = await expand(
      `cases:
  - {id: a, input: x, expected: {output: [{json_schema: s.json}, {json_path: {path: $.a, json_schema: s.json}}]}}
  - {id: "b-{{n}}", input: x, each: [{n: 1}, {n: 2}], expected: {files: [{path: f, checks: [{json_schema: ../evals/s.json}]}]}}
`,
      { '/p/evals/s.json': '{"type":"object"}' },
      (path) => read.push(path),
    )
    const schemas = [...cases].flatMap(({ expected }) => [
      ...(expected?.output ?? []).flatMap((check) => [check.json_schema, check.json_path?.json_schema]),
      ...(expected?.files ?? []).flatMap((file) => (file.checks ?? []).map((check) => check.json_schema)),
    ])
    const found = schemas.filter((schema) => schema !== undefined)
    expect([found.length, new Set(found).size, found[0], read]).toEqual([4, 1, { type: 'object' }, ['/p/evals/s.json']])
  })

  test('reads lines only as cases are asked for', async () => {
    let lines = 0
    const suite = await readValid('cases: [{id: a, input: "{{n}}", each: rows.jsonl}]\n')
    const files = {
      ...memoryFiles({}),
      *lines() {
        for (;;) yield JSON.stringify({ n: ++lines })
      },
    }
    const rowFiles = await loadRowFiles(['/p/rows.jsonl'], files)
    const [first, second] = take(2, suiteCases(suite, { dir: '/p', files, rowFiles }))
    expect([first?.id, second?.input, lines]).toEqual(['a/1', ['2'], 2])
  })

  test('keeps the object of a case that names no path', async () => {
    const suite = await readValid('cases: [{id: a, input: x}]\n')
    const files = memoryFiles({})
    const [made] = suiteCases(suite, { dir: '/p', files, rowFiles: await loadRowFiles([], files) })
    expect(suite.cases).toEqual([{ kind: 'case', case: made }])
    expect(suite.cases[0]?.kind === 'case' && suite.cases[0].case).toBe(made)
  })
})

const take = <T>(count: number, items: Iterable<T>): T[] => {
  const taken: T[] = []
  for (const item of items) {
    taken.push(item)
    if (taken.length === count) break
  }
  return taken
}
