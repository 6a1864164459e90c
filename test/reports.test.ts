import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import markdownIt from 'markdown-it'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RunResult } from '../src/core/results.ts'
import { pack, project, root } from './support/cli.ts'
import { parseXml, type XmlElement } from './support/parse-xml.ts'
import { HOSTILE } from './support/sample-run.ts'

type Project = ReturnType<typeof project>

const validator = 'xmllint'
const hasValidator = spawnSync(validator, ['--version']).error === undefined
const read = (p: Project, path: string): string => readFileSync(join(p.dir, path), 'utf8')
const all = (element: XmlElement, name: string): XmlElement[] => [
  ...(element.name === name ? [element] : []),
  ...element.children.flatMap((child) => all(child, name)),
]
const everyReporter = [
  'junit=j.xml',
  'json=r.json',
  'jsonl=r.jsonl',
  'markdown=s.md',
  'github=g.txt',
  'gitlab=q.json',
  'terminal=t.txt',
].flatMap((written) => ['--reporter', written])

describe('junit.xml', () => {
  let p: Project
  let document: XmlElement
  beforeAll(() => {
    p = project({
      ...pack,
      'evals/a.eval.yaml': `name: a
skills: [../skills]
model: [first, second]
cases:
  - {id: good, tags: [smoke, x], input: x, trials: 2, mock: [{select_skills: csv-analyzer}, {final_answer: ok}]}
  - {id: bad, input: x, mock: [{final_answer: ok}], expected: {output: [{contains: no}, {equals: other}]}}
`,
      'evals/b.eval.yaml': `name: b
model: first
cases:
  - {id: broken, input: x, mock: []}
  - {id: skipped, input: x, skip: later, mock: []}
`,
      '.agent/config.json':
        '{"models": {"first": {"provider": "mock", "price": {"input": 1, "output": 2}}, "second": {"provider": "mock"}}}',
    })
    p.cli(['run', '-q'])
    document = parseXml(read(p, 'reports/latest/junit.xml'))
  })
  afterAll(() => p[Symbol.dispose]())

  test('has a suite for each suite and model, and a case for each of theirs', () => {
    expect(document.name).toBe('testsuites')
    expect(document.attributes).toMatchObject({ tests: '6', failures: '2', errors: '1', skipped: '1' })
    expect(document.attributes.time).toMatch(/^\d+\.\d{3}$/)
    const suites = document.children.map(({ name, attributes }) => [
      name,
      attributes.name,
      attributes.tests,
      attributes.file,
    ])
    expect(suites).toEqual([
      ['testsuite', 'a [first]', '2', 'evals/a.eval.yaml'],
      ['testsuite', 'a [second]', '2', 'evals/a.eval.yaml'],
      ['testsuite', 'b', '2', 'evals/b.eval.yaml'],
    ])
    const cases = all(document, 'testcase').map(({ attributes }) => `${attributes.classname} ${attributes.name}`)
    expect(cases).toEqual([
      'a [first] good',
      'a [first] bad',
      'a [second] good',
      'a [second] bad',
      'b broken',
      'b skipped',
    ])
    expect(all(document, 'testcase')[1]?.attributes).toMatchObject({ file: 'evals/a.eval.yaml', line: '6' })
  })

  test('has failure, error and skipped, with why', () => {
    const of = (id: string) => all(document, 'testcase').find(({ attributes }) => attributes.name === id)
    const [failure] = all(of('bad') as XmlElement, 'failure')
    expect(failure?.attributes).toMatchObject({ type: 'contains', message: expect.stringContaining('no') })
    expect(failure?.text).toContain('other')
    expect(failure?.text).toContain("skills-eval run evals/a.eval.yaml --filter '=bad' --model first")
    const [error] = all(of('broken') as XmlElement, 'error')
    expect(error?.attributes.type).toBe('mock_exhausted')
    const [skipped] = all(of('skipped') as XmlElement, 'skipped')
    expect(skipped?.attributes.message).toBe('later')
    expect(of('good')?.children.map(({ name }) => name)).toEqual(['properties', 'system-out'])
  })

  test('has tokens, cost, skills and trials as properties, and the trajectory as system-out', () => {
    const good = all(document, 'testcase')[0] as XmlElement
    const values = Object.fromEntries(
      all(good, 'property').map(({ attributes }) => [attributes.name, attributes.value]),
    )
    expect(values).toMatchObject({
      trials: '2',
      pass_rate: '1',
      flaky: 'false',
      tags: 'smoke, x',
      skills_selected: 'csv-analyzer',
    })
    expect(Number(values.input_tokens)).toBeGreaterThan(0)
    expect(Number(values.cost_usd)).toBeGreaterThan(0)
    const [out, ...others] = all(good, 'system-out')
    expect(others).toEqual([])
    expect(out?.text).toMatch(
      /trial 1: passed\n.*select_skills csv-analyzer.*\n.*final_answer[^\n]*\ntrial 2: passed\n/,
    )
  })

  test.runIf(hasValidator)('is valid against the schema that CI servers use', () => {
    const { status, stderr } = spawnSync(
      validator,
      ['--noout', '--nonet', '--schema', join(root, 'test/support/junit.xsd'), 'reports/latest/junit.xml'],
      { cwd: p.dir, encoding: 'utf8' },
    )
    expect({ status, stderr: stderr.trim() }).toEqual({ status: 0, stderr: 'reports/latest/junit.xml validates' })
  })
})

describe('summary.md', () => {
  test('has the verdict, the tables and each problem', () => {
    using p = project({
      ...pack,
      'evals/t.eval.yaml': `name: t
skills: [../skills]
model: mock
thresholds: {pass_rate: 0.9}
cases:
  - {id: good, input: x, mock: [{select_skills: csv-analyzer}, {final_answer: ok}], expected: {skills: [csv-analyzer]}}
  - {id: bad, input: x, mock: [{final_answer: ok}], expected: {skills: [csv-analyzer], output: [{contains: no}]}}
`,
    })
    p.cli(['run', '-q'])
    const text = read(p, 'reports/latest/summary.md')
    expect(text).toMatch(/^# Not passed\n\n2 cases: 1 passed, 1 failed, 1 threshold missed — /)
    const headings = text.match(/^#+ .*$/gm)
    expect(headings).toEqual([
      '# Not passed',
      '## Suites',
      '## Skills',
      '## Wrong selections',
      '## Thresholds',
      '## Problems',
      '### failed: `t/bad`',
    ])
    expect(text).toContain('`evals/t.eval.yaml:7`')
    expect(text).toContain("skills-eval run evals/t.eval.yaml --filter '=bad'")
  })

  test('of a run that passed says so', () => {
    using p = project({ 'evals/t.eval.yaml': 'name: t\nmodel: mock\ncases: [{id: a, input: x, mock: [ok]}]\n' })
    p.cli(['run', '-q'])
    expect(read(p, 'reports/latest/summary.md')).toMatch(/^# Passed\n\n1 case: 1 passed — /)
  })

  test('is appended to $GITHUB_STEP_SUMMARY', () => {
    using p = project({
      'evals/t.eval.yaml': 'name: t\nmodel: mock\ncases: [{id: a, input: x, mock: [ok]}]\n',
      'summary.md': 'before\n',
    })
    p.cli(['run', '-q', '--reporter', 'github'], { GITHUB_STEP_SUMMARY: join(p.dir, 'summary.md') })
    expect(read(p, 'summary.md')).toBe(`before\n${read(p, 'reports/latest/summary.md')}`)
  })
})

describe('github', () => {
  test('annotates the file and line of the ten worst cases, and says how many there are besides', () => {
    const cases = Array.from(
      { length: 12 },
      (_, i) => `  - {id: c${i}, input: x, mock: [ok], expected: {output: [{equals: no}]}}\n`,
    )
    using p = project({
      'evals/t.eval.yaml': `name: t\nmodel: mock\ncases:\n${cases.join('')}  - {id: fine, input: x, mock: [ok]}\n`,
    })
    const lines = p.cli(['run', '--reporter', 'github']).out.trimEnd().split('\n')
    expect(lines).toHaveLength(11)
    for (const line of lines.slice(0, 10))
      expect(line).toMatch(/^::error file=evals\/t\.eval\.yaml,line=\d+,title=t\/c\d+ failed::/)
    expect(lines[10]).toMatch(/^::notice::2 more cases/)
  })

  test('says nothing where nothing is wrong', () => {
    using p = project({ 'evals/t.eval.yaml': 'name: t\nmodel: mock\ncases: [{id: a, input: x, mock: [ok]}]\n' })
    expect(p.cli(['run', '--reporter', 'github']).out).toBe('')
  })
})

describe('hostile text in every field', () => {
  const line = HOSTILE.replaceAll('\n', ' ')
  const name = `<b>&"]]> ::error::x ##[group]y \u001b[31m\u202e`
  const plainName = `<i>&"]]> ::error::x ##[group]y`.replaceAll('/', '')
  const failing = (id: string, more: object) => ({
    id,
    description: HOSTILE,
    tags: [HOSTILE, 'tag'],
    input: HOSTILE,
    mock: [{ final_answer: HOSTILE }],
    ...more,
  })
  const suite = {
    name: line.slice(0, 190),
    description: HOSTILE,
    skills: ['../skills'],
    model: 'mock',
    thresholds: { pass_rate: 1 },
    cases: [
      failing('output', {
        expected: {
          output: [
            { equals: `no ${HOSTILE}`, name: HOSTILE },
            { contains_all: [HOSTILE, 'x'] },
            { json_equals: { [HOSTILE]: HOSTILE } },
            { regex: 'nothing-like-it' },
            { script: { run: 'says.mjs' } },
          ],
          files: [{ path: `${plainName}.txt`, contains: HOSTILE }],
          skills: [HOSTILE],
        },
      }),
      failing('json', {
        mock: [{ final_answer: { json: { [HOSTILE]: [HOSTILE] } } }],
        expected: { output: [{ json_equals: { a: HOSTILE } }, { json_schema: { required: [HOSTILE] } }] },
      }),
      failing('actions', {
        files: { [`${plainName}.txt`]: { text: HOSTILE } },
        tools: { says: { description: HOSTILE, returns: HOSTILE }, fails: { error: HOSTILE } },
        mock: [
          [
            { list_dir: '.' },
            { read_file: HOSTILE },
            { grep: 'alert' },
            { call_tool: { tool: 'says', input: { [HOSTILE]: HOSTILE } } },
          ],
          [
            { call_tool: { tool: 'fails' } },
            { call_tool: { tool: HOSTILE } },
            { select_skills: HOSTILE },
            { search_skills: HOSTILE },
          ],
          [{ raw: { name: HOSTILE, input: { [HOSTILE]: 1 } } }, { select_skills: 'hostile' }],
          [{ run_script: { skill: 'hostile', path: 'scripts/says.mjs', args: [line] } }],
          [{ update_plan: { goal: HOSTILE, steps: [{ id: HOSTILE, title: HOSTILE }], assumptions: [HOSTILE] } }],
          { write_file: { path: 'out.txt', content: HOSTILE } },
          { final_answer: HOSTILE },
        ],
        expected: {
          actions: { never: ['run_script', 'call_tool'], in_order: [{ read_file: HOSTILE }] },
          plan: { completed: 'all' },
        },
      }),
      failing('error', { mock: [{ raw: { name: HOSTILE } }, { raw: { name: HOSTILE } }, { raw: { name: HOSTILE } }] }),
      failing('grader', { expected: { output: [{ script: { run: 'breaks.mjs' } }] } }),
      failing('skip', { skip: HOSTILE }),
      failing('xfail', { xfail: HOSTILE }),
    ],
  }
  const script = (text: string) => `#!/usr/bin/env node\n${text}\n`
  const says = `process.stdout.write(Buffer.concat([Buffer.from(${JSON.stringify(HOSTILE)}), Buffer.from([0xff, 0xfe])]))`
  let p: Project
  let out = ''
  let err = ''
  beforeAll(() => {
    p = project({
      ...pack,
      'skills/hostile/SKILL.md': `---\nname: hostile\ndescription: ${JSON.stringify(HOSTILE)}\n---\n\n${HOSTILE}\n`,
      'skills/hostile/scripts/says.mjs': script(says),
      [`evals/${name.replaceAll('/', '')}.eval.yaml`]: JSON.stringify(suite, null, 1),
      'evals/says.mjs': script(
        `process.stdout.write(JSON.stringify({score: 0, pass: false, message: ${JSON.stringify(HOSTILE)}}))`,
      ),
      'evals/breaks.mjs': script(
        `process.stdout.write(JSON.stringify({score: ${JSON.stringify(HOSTILE)}})); process.stderr.write(${JSON.stringify(HOSTILE)})`,
      ),
    })
    const done = p.cli(['run', ...everyReporter, '--trials', '2'])
    expect(done.code, done.err).toBe(1)
    out = done.out
    err = done.err
  })
  afterAll(() => p[Symbol.dispose]())

  const controls =
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e0fff}]/u
  const commands = /^\s*::|##\w*\[/m

  const kept = HOSTILE.replace(/\p{Surrogate}/gu, '\ufffd')

  test('it got everywhere', () => {
    const run = JSON.parse(read(p, 'r.json')) as RunResult
    expect(run.suites[0]?.cases.map(({ id, status }) => `${id} ${status}`)).toEqual([
      'output failed',
      'json failed',
      'actions failed',
      'error error',
      'grader error',
      'skip skipped',
      'xfail failed',
    ])
    expect(run.suites[0]?.cases.find(({ id }) => id === 'skip')?.reason).toBe(kept)
  })

  test.each(['stdout', 'stderr', 't.txt'])('%s obeys and hides nothing of it', (place) => {
    const text = place === 'stdout' ? out : place === 'stderr' ? err : read(p, place)
    expect(text).toContain(place === 'stderr' ? 'output' : 'alert(1)')
    expect(text).not.toMatch(controls)
    expect(text).not.toMatch(commands)
  })

  test('with colours, no escape but ours is printed', () => {
    const colored = p.cli(['run', '--filter', 'output'], { NO_COLOR: '', FORCE_COLOR: '1' })
    expect(colored.out).toContain('\u001b[31m')
    expect((colored.out + colored.err).replace(/\u001b\[\d+m/g, '')).not.toMatch(controls)
    expect((colored.out + colored.err).replace(/\u001b\[\d+m/g, '')).not.toMatch(commands)
  })

  test('junit.xml stays well-formed, with nothing invisible', () => {
    const text = read(p, 'j.xml')
    const document = parseXml(text)
    expect(all(document, 'testcase').map(({ attributes }) => attributes.name)).toHaveLength(7)
    expect(text).not.toMatch(controls)
    expect(text).toContain('&lt;script&gt;alert(1)')
    if (!hasValidator) return
    const schema = join(root, 'test/support/junit.xsd')
    const judged = spawnSync(validator, ['--noout', '--nonet', '--schema', schema, 'j.xml'], {
      cwd: p.dir,
      encoding: 'utf8',
    })
    expect(judged.stderr.trim()).toBe('j.xml validates')
  })

  test('summary.md makes no markup of it', () => {
    const text = read(p, 's.md')
    expect(text).toContain('alert(1)')
    expect(text).not.toMatch(controls)
    const kinds = new Set(
      markdownIt({ html: true, linkify: true })
        .parse(text, {})
        .flatMap((token) => [token.type, ...(token.children ?? []).map((child) => child.type)]),
    )
    const expected = [
      'heading',
      'paragraph',
      'table',
      'thead',
      'tbody',
      'tr',
      'th',
      'td',
      'strong',
      'bullet_list',
      'list_item',
    ]
    const allowed = new Set([
      'inline',
      'text',
      'softbreak',
      'code_inline',
      'fence',
      'code_block',
      ...expected.flatMap((kind) => [`${kind}_open`, `${kind}_close`]),
    ])
    expect([...kinds].filter((kind) => !allowed.has(kind))).toEqual([])
  })

  test('annotations are one command a line, whose data has no other', () => {
    const lines = read(p, 'g.txt').trimEnd().split('\n')
    expect(lines).toHaveLength(6)
    for (const annotation of lines) {
      expect(annotation).toMatch(/^::error file=[^,:\r\n]+,line=\d+,title=[^,:\r\n]+::[^\r\n]+$/)
      expect(annotation.slice(2).split('::')).toHaveLength(2)
      expect(annotation).not.toMatch(controls)
      expect(annotation).not.toMatch(/##\w*\[/)
    }
  })

  test('findings for GitLab are JSON with nothing invisible', () => {
    const text = read(p, 'q.json')
    expect(JSON.parse(text)).toHaveLength(6)
    expect(text).not.toMatch(controls)
  })

  test('JSON keeps it as it is, in well-formed lines', () => {
    const run = JSON.parse(read(p, 'r.json')) as RunResult
    expect(run.suites[0]?.cases[0]?.trials[0]?.output).toBe(kept)
    const rows = read(p, 'r.jsonl')
      .trimEnd()
      .split('\n')
      .map((row) => JSON.parse(row))
    expect(rows).toHaveLength(12)
    expect(rows[0].output).toBe(kept)
    for (const file of ['r.json', 'r.jsonl', 'reports/latest/run.json']) expect(halves(read(p, file)), file).toBeNull()
  })

  // The store keeps what was said, to the letter; reports are where it is made safe for other readers.
  test('results.jsonl keeps it as JSON that reads back', () => {
    const lines = read(p, 'reports/latest/results.jsonl').trimEnd().split('\n')
    expect(lines.length).toBeGreaterThan(0)
    for (const line of lines) expect(JSON.parse(line)).toHaveProperty('status')
  })
  // An escaped half of a surrogate pair, which many readers refuse. A doubled backslash is one that somebody wrote.
  const halves = (json: string) => json.replaceAll('\\\\', '').match(/\\ud[89a-f]../i)

  test('nothing was made by it outside of where a run writes', () => {
    expect(existsSync(join(p.dir, 'out.txt'))).toBe(false)
    expect(readdirSync(p.dir).sort()).toEqual(
      [
        'evals',
        'fixtures',
        'g.txt',
        'j.xml',
        'q.json',
        'r.json',
        'r.jsonl',
        'reports',
        's.md',
        'skills',
        't.txt',
      ].sort(),
    )
  })
})
