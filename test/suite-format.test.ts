import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { head, pack, project } from './support/cli.ts'
import { expectVerdicts, runJson, trialOf } from './support/shared-suite.ts'

const answering = (id: string, more = '') => `  - {id: ${id}, input: x, mock: [{final_answer: ok}]${more}}\n`
const one = (name: string, id = 'a') => `name: ${name}\nmodel: mock\ncases:\n${answering(id)}`
const listed = (out: string) => out.split('\n').flatMap((line) => line.split('  ')[0] || [])

describe('a suite file', () => {
  test('has keys in snake_case alone', () => {
    using p = project()
    const keys = keysOf(p.cli(['schema', 'suite']).json)
    expect(keys.length).toBeGreaterThan(80)
    expect(keys.filter((key) => key !== '$schema' && !/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(key))).toEqual([])
  })

  test('names the file, line and column of an error, shows the line and suggests the nearest key', () => {
    using p = project({ 'evals/t.eval.yaml': `${head}cases:\n  - id: a\n    input: x\n    expectd: {skills: []}\n` })
    const { code, err } = p.cli(['run'])
    expect(code).toBe(2)
    expect(err).toContain('--> evals/t.eval.yaml:7:5')
    expect(err).toContain('> 7 |     expectd: {skills: []}')
    expect(err).toContain('Did you mean `expected`?')
  })

  test('has its paths relative to itself, wherever the program is started', () => {
    const suite = `name: deep
skills: [../../skills]
model: mock
cases:
  - id: "row-{{n}}"
    each: data/rows.csv
    input: x
    files: {in.txt: data/in.txt}
    mock: [{select_skills: csv-analyzer}, {read_file: in.txt}, {final_answer: '{"a": 1}'}]
    expected:
      skills: [csv-analyzer]
      actions: {in_order: [{action: read_file, output: {contains: deep}}]}
      output: [{json_schema: data/schema.json}, {script: {run: data/check.sh}}]
`
    using p = project({
      ...pack,
      'package.json': '{}',
      'a/b/deep.eval.yaml': suite,
      'a/b/data/rows.csv': 'n\n1\n2\n',
      'a/b/data/in.txt': 'deep\n',
      'a/b/data/schema.json': '{"type": "object", "required": ["a"]}',
      'a/b/data/check.sh': '#!/usr/bin/env bash\ngrep -q a\n',
    })
    const passed = { 'row-1': 'passed', 'row-2': 'passed' } as const
    expectVerdicts(runJson(p, ['a']), passed)
    expectVerdicts(runJson(p, ['b/deep.eval.yaml', '-C', 'a']), passed)
    expectVerdicts(runJson(p, ['.', '-C', 'a/b']), passed)
  })
})

describe('what `run PATH` finds', () => {
  const files = {
    'evals/b.eval.yaml': one('b'),
    'evals/deep/er/c.eval.yml': one('c'),
    'evals/node_modules/x/d.eval.yaml': one('d'),
    'evals/.git/e.eval.yaml': one('e'),
    'evals/f.yaml': one('f'),
    'evals/g.eval.yaml.bak': one('g'),
    'odd.txt': one('odd'),
  }

  test('a file is taken as given, a folder is searched for *.eval.yaml and *.eval.yml', () => {
    using p = project(files)
    expect(listed(p.cli(['run', '--list']).out)).toEqual(['b/a', 'c/a'])
    expect(listed(p.cli(['run', 'odd.txt', 'evals/deep', 'evals/f.yaml', '--list']).out)).toEqual([
      'odd/a',
      'c/a',
      'f/a',
    ])
  })

  test('a path that is given twice is run once', () => {
    using p = project(files)
    expect(listed(p.cli(['run', 'evals', 'evals/b.eval.yaml', './evals/', '--list']).out)).toEqual(['b/a', 'c/a'])
  })

  test('no suite is exit 2 with what was searched; --pass-with-no-cases allows it', () => {
    using p = project({ 'evals/readme.md': '' })
    const none = p.cli(['run', 'evals'])
    expect(none.code).toBe(2)
    expect(none.err).toMatch(/no suite found in evals\n.*\*\.eval\.yaml/)
    expect(p.cli(['run', 'evals', '--pass-with-no-cases']).code).toBe(0)
  })

  test('a path that is not there is exit 2 with the nearest names', () => {
    using p = project({ 'evals/a.eval.yaml': one('a') })
    const missing = p.cli(['run', 'eval'])
    expect(missing.code).toBe(2)
    expect(missing.err).toMatch(/eval does not exist\n.*Did you mean evals\?/)
    const missingFile = p.cli(['run', 'evals/aa.eval.yaml'])
    expect(missingFile.code).toBe(2)
    expect(missingFile.err).toContain('evals/a.eval.yaml')
  })

  test('no case left by the filters is exit 2 with the nearest names; --pass-with-no-cases allows it', () => {
    using p = project({
      'evals/t.eval.yaml': `${head.replace('skills: [../skills]\n', '')}cases:\n${answering('top-months')}`,
    })
    const none = p.cli(['run', '--filter', 'top-moths'])
    expect(none.code).toBe(2)
    expect(none.err).toMatch(/no case is left by --filter top-moths\n.*t\/top-months/)
    expect(p.cli(['run', '--tag', 'nope']).code).toBe(2)
    expect(p.cli(['run', '--filter', 'top-moths', '--pass-with-no-cases']).code).toBe(0)
  })
})

describe('top level', () => {
  test('name: default is the file name without .eval.yaml', () => {
    using p = project({
      'evals/first.eval.yaml': one('x').replace('name: x\n', ''),
      'evals/second.eval.yml': one('x').replace('name: x\n', ''),
      'third.yaml': one('x').replace('name: x\n', ''),
    })
    expect(listed(p.cli(['run', 'evals', 'third.yaml', '--list']).out)).toEqual(['first/a', 'second/a', 'third/a'])
  })

  test('name: is unique within a run', () => {
    using p = project({ 'evals/a.eval.yaml': one('same'), 'evals/b.eval.yaml': one('same') })
    const { code, err } = p.cli(['run'])
    expect(code).toBe(2)
    expect(err).toMatch(/evals\/a\.eval\.yaml and evals\/b\.eval\.yaml are both named `same`/)
    expect(p.cli(['run', 'evals/a.eval.yaml']).code).toBe(0)
  })

  test('description: is shown in reports', () => {
    using p = project({ 'evals/a.eval.yaml': one('a').replace('model', 'description: What it is for\nmodel') })
    p.cli(['run', '-q'])
    const reports = ['run.json', 'summary.md', 'junit.xml'].map((file) =>
      readFileSync(join(p.dir, 'reports/latest', file), 'utf8'),
    )
    for (const report of reports) expect(report).toContain('What it is for')
  })

  test('skills: a folder of skill folders, or one skill folder; earlier roots win', () => {
    const suite = (roots: string, name: string, id: string, seen: string) =>
      `name: ${name}\nskills: [${roots}]\nmodel: mock\ncases:
  - id: ${id}
    input: x
    mock: [{select_skills: csv-analyzer}, {select_skills: pdf-forms}, {final_answer: ok}]
    expected: {skills: [${seen}]}\n`
    using p = project({
      ...pack,
      'other/csv-analyzer/SKILL.md': '---\nname: csv-analyzer\ndescription: Another one.\n---\n\nAnother body.\n',
      'evals/a.eval.yaml': suite('../skills', 'a', 'folder', 'csv-analyzer, pdf-forms'),
      'evals/b.eval.yaml': suite('../skills/csv-analyzer', 'b', 'single', 'csv-analyzer'),
      'evals/c.eval.yaml': suite(
        '../skills/csv-analyzer, ../skills/pdf-forms/',
        'c',
        'both',
        'csv-analyzer, pdf-forms',
      ),
      'evals/d.eval.yaml': suite('../other, ../skills', 'd', 'shadowing', 'csv-analyzer, pdf-forms'),
      'evals/e.eval.yaml': suite('', 'e', 'none', ''),
    })
    const run = runJson(p, ['evals'])
    expectVerdicts(run, { folder: 'passed', single: 'passed', both: 'passed', shadowing: 'passed', none: 'passed' })
    expect(trialOf(run, 'shadowing').actions[0]?.observation).toContain('Another body.')
    expect(trialOf(run, 'folder').actions[0]?.observation).toContain('Run scripts/top.py')
  })

  test('skills: default is the configured roots', () => {
    using p = project({
      '.agent/config.json': '{"skills": {"roots": ["mine"]}}',
      'mine/from-config/SKILL.md': '---\nname: from-config\ndescription: One.\n---\nA.\n',
      '.claude/skills/from-claude/SKILL.md': '---\nname: from-claude\ndescription: Two.\n---\nB.\n',
      '.home/.agents/skills/from-home/SKILL.md': '---\nname: from-home\ndescription: Three.\n---\nC.\n',
      'evals/a.eval.yaml': `name: a\nmodel: mock\ncases:
  - id: all
    input: x
    mock: [[{select_skills: from-config}, {select_skills: from-claude}], [{select_skills: from-home}, {select_skills: csv-analyzer}], {final_answer: ok}]
    expected: {skills: [from-config, from-claude, from-home, csv-analyzer]}\n`,
    })
    expectVerdicts(runJson(p, []), { all: 'passed' })
  })

  test('skills: a root that is not there is an error', () => {
    using p = project({
      ...pack,
      'evals/a.eval.yaml': `name: a\nskills: [../skils]\nmodel: mock\ncases:\n${answering('a')}`,
    })
    const { code, err } = p.cli(['run'])
    expect(code).toBe(2)
    expect(err).toMatch(/evals\/a\.eval\.yaml:2:10[\s\S]*skills/)
  })

  const models = '{"model": "second", "models": {"first": {"provider": "mock"}, "second": {"provider": "mock"}}}'
  const modelsOf = (p: ReturnType<typeof project>, args: readonly string[]) =>
    runJson(p, args).result.suites.flatMap((suite) => suite.cases.map((result) => `${result.id} on ${result.model}`))

  test('model: default is the configured one, a list runs every case on each, --model overrides', () => {
    using p = project({
      '.agent/config.json': models,
      'default.yaml': one('x').replace('model: mock\n', ''),
      'one.yaml': one('y').replace('model: mock', 'model: first'),
      'two.yaml': `name: z\nmodel: [first, second]\ncases:\n${answering('a')}${answering('b')}`,
    })
    expect(modelsOf(p, ['default.yaml'])).toEqual(['a on second'])
    expect(modelsOf(p, ['one.yaml'])).toEqual(['a on first'])
    expect(modelsOf(p, ['two.yaml'])).toEqual(['a on first', 'b on first', 'a on second', 'b on second'])
    expect(modelsOf(p, ['two.yaml', '--model', 'mock'])).toEqual(['a on mock', 'b on mock'])
    expect(modelsOf(p, ['one.yaml', '--model', 'mock', '--model', 'second'])).toEqual(['a on mock', 'a on second'])
  })

  test('defaults: are merged beneath every case; maps merge by key, lists and scalars replace', () => {
    using p = project({
      'evals/t.eval.yaml': `name: t
skills: []
model: mock
defaults:
  input: from defaults
  tags: [base]
  files: {a.txt: {text: A}}
  constraints: {max_turns: 2, max_tool_calls: 1}
  mock: [{read_file: a.txt}, {final_answer: hello}]
  expected: {output: [{contains: hello}, {contains: ell}], plan: {min_steps: 1}}
cases:
  - {id: inherits, expected: {plan: null}}
  - {id: all-of-them}
  - {id: replaces-a-list, tags: [own], expected: {output: [{contains: hello}]}, mock: ["hello"]}
  - {id: merges-maps, files: {b.txt: {text: B}}, mock: [[{read_file: a.txt}, {read_file: b.txt}]], constraints: {max_turns: 1}}
  - {id: replaces-a-scalar, constraints: {max_tool_calls: 2}, files: {b.txt: {text: B}}, mock: [[{read_file: a.txt}, {read_file: b.txt}], {final_answer: bye}], expected: {output: [{equals: bye}]}}
`.replace('  - {id: inherits, expected: {plan: null}}\n', ''),
    })
    const run = runJson(p, [])
    expectVerdicts(run, {
      'all-of-them': /plan/,
      'replaces-a-list': /plan/,
      'merges-maps': /max_tool_calls/,
      'replaces-a-scalar': /plan/,
    })
    expect(run.of('all-of-them').tags).toEqual(['base'])
    expect(run.of('replaces-a-list').tags).toEqual(['own'])
    const failing = (id: string) => trialOf(run, id).checks.flatMap((check) => (check.passed ? [] : check.kind))
    expect(failing('all-of-them')).toEqual(['plan'])
    expect(trialOf(run, 'replaces-a-list').checks.filter(({ kind }) => kind === 'contains')).toHaveLength(1)
    expect(failing('replaces-a-scalar')).toEqual(['plan'])
    expect(trialOf(run, 'merges-maps').actions.map(({ observation }) => observation)).toEqual(['A'])
  })

  test('thresholds: a missed gate fails the run even if each case passed', () => {
    const gate = (name: string, thresholds: string, cases: string) =>
      `name: ${name}\nskills: [../skills]\nmodel: priced\nthresholds: ${thresholds}\ncases:\n${cases}`
    const half = `  - {id: a, input: x, trials: 2, pass_threshold: 0, mock: [{final_answer: ok}], expected: {output: [{equals: no}]}}\n`
    const wrong = `  - {id: a, input: x, pass_threshold: 0, mock: [{select_skills: pdf-forms}, {final_answer: ok}], expected: {skills: [csv-analyzer]}}\n`
    using p = project({
      ...pack,
      '.agent/config.json':
        '{"models": {"priced": {"provider": "mock", "params": {"latency_ms": 20}, "price": {"input": 1000, "output": 1000}}}}',
      'evals/cost.eval.yaml': gate('cost', '{cost_usd: 0.001}', answering('a')),
      'evals/p95.eval.yaml': gate('p95', '{p95_seconds: 0.001}', answering('a')),
      'evals/pass.eval.yaml': gate('pass', '{pass_rate: 0.9}', half),
      'evals/tokens.eval.yaml': gate('tokens', '{tokens: 10}', answering('a')),
      'evals/trigger.eval.yaml': gate('trigger', '{trigger: {precision: 0.5, recall: 0.5, f1: 0.5}}', wrong),
      'more/met.yaml': gate(
        'met',
        '{pass_rate: 1, trigger: {precision: 1, recall: 1, f1: 1}, cost_usd: 1000, tokens: 1000000, p95_seconds: 60, max_unusable: 0}',
        `  - {id: a, input: x, mock: [{select_skills: csv-analyzer}, {final_answer: ok}], expected: {skills: [csv-analyzer]}}\n`,
      ),
    })
    const run = runJson(p, ['evals'])
    const { summary, suites } = run.result
    expect(run.code).toBe(1)
    expect(suites.map((suite) => suite.cases.map((result) => result.status))).toEqual(Array(5).fill(['passed']))
    expect(summary.thresholds.map(({ name, passed }) => [name, passed])).toEqual([
      ['cost/cost_usd', false],
      ['p95/p95_seconds', false],
      ['pass/pass_rate', false],
      ['tokens/tokens', false],
      ['trigger/trigger.precision', false],
      ['trigger/trigger.recall', false],
      ['trigger/trigger.f1', false],
    ])
    const met = runJson(p, ['more/met.yaml'])
    expect(met.code).toBe(0)
    expect(met.result.summary.thresholds.map(({ passed }) => passed)).toEqual(Array(8).fill(true))
  })

  test('triggers: each query is a case that ends with the first decision and counts in the trigger metrics', () => {
    using p = project({
      ...pack,
      'evals/t.eval.yaml': `${head}
defaults:
  mock:
    rules:
      - {when: {input: csv}, do: [{select_skills: csv-analyzer}]}
      - {when: {input: wrong}, do: [{list_dir: .}]}
      - {when: {input: twice, turn: 1}, do: [{search_skills: csv}]}
      - {when: {input: twice, turn: 2}, do: [{select_skills: csv-analyzer}]}
    otherwise: [{select_skills: pdf-forms}]
triggers:
  csv-analyzer:
    should: [sum my csv, wrong tool first, look twice]
    should_not: [fill a form, that csv again]
  pdf-forms: {should: [fill a form]}
`.replace('\n\n', '\n'),
    })
    const run = runJson(p, [])
    expectVerdicts(run, {
      'trigger/csv-analyzer/should/1': 'passed',
      'trigger/csv-analyzer/should/2': /csv-analyzer/,
      'trigger/csv-analyzer/should/3': 'passed',
      'trigger/csv-analyzer/should_not/1': 'passed',
      'trigger/csv-analyzer/should_not/2': /csv-analyzer/,
      'trigger/pdf-forms/should/1': 'passed',
    })
    const actions = (id: string) => trialOf(run, id).actions.map(({ action }) => action)
    expect(actions('trigger/csv-analyzer/should/1')).toEqual(['select_skills'])
    expect(actions('trigger/csv-analyzer/should/2')).toEqual(['list_dir'])
    expect(actions('trigger/csv-analyzer/should/3')).toEqual(['search_skills', 'select_skills'])
    const { skills } = run.result.summary.trigger
    expect(skills['csv-analyzer']).toMatchObject({ tp: 2, fn: 1, fp: 1, tn: 1 })
    expect(skills['pdf-forms']).toMatchObject({ tp: 1, fn: 0, fp: 0, tn: 0 })
  })
})

describe('nothing leaks into the case', () => {
  const tell = (run: ReturnType<typeof runJson>, id: string) => JSON.stringify(trialOf(run, id).actions)

  test('the agent never sees suites, expectations, recordings or reports, nor the evals of a skill', () => {
    using p = project({
      ...pack,
      'skills/csv-analyzer/evals/secret.eval.yaml': 'name: secret\n',
      'skills/csv-analyzer/references/more.md': '# More\n',
      'reports/old/run.json': '{}',
      'evals/t.eval.yaml': `${head}cases:
  - id: looks
    description: the-word-of-the-suite
    input: x
    files: {in/a.txt: {text: A}}
    mock:
      - [{list_dir: .}, {list_dir: ..}, {read_file: ../evals/t.eval.yaml}, {grep: the-word}, {list_dir: in}]
      - select_skills: csv-analyzer
      - load_resource: {skill: csv-analyzer, path: evals/secret.eval.yaml}
      - load_resource: {skill: csv-analyzer, path: ../../evals/t.eval.yaml}
      - {final_answer: ok}
    expected:
      skills: [csv-analyzer]
      actions:
        exactly: [list_dir, {action: list_dir, status: error}, {action: read_file, status: error}, grep, list_dir, select_skills, {action: load_resource, status: error}, {action: load_resource, status: error}]
`,
    })
    const run = runJson(p, [])
    expectVerdicts(run, { looks: 'passed' })
    expect(tell(run, 'looks')).not.toContain('the-word-of-the-suite')
    expect(tell(run, 'looks')).not.toContain('name: secret')
    const observations = trialOf(run, 'looks').actions.map(({ observation }) => observation)
    expect(observations[0]?.trim()).toBe('in/')
    expect(observations[5]).toContain('references/more.md')
    expect(observations[5]).not.toContain('evals/')
  })

  test('a body comes with the selection alone, and a resource needs its skill to be loaded', () => {
    using p = project({
      ...pack,
      'evals/t.eval.yaml': `${head}cases:
  - id: early
    input: x
    mock: [{load_resource: {skill: csv-analyzer, path: references/kpi.md}}, {run_script: {skill: csv-analyzer, path: scripts/top.py}}, {final_answer: ok}]
    expected: {actions: {exactly: [{action: load_resource, status: error, output: {contains: select_skills}}, {action: run_script, status: error}]}}
  - id: body
    input: x
    mock: [{search_skills: csv}, {select_skills: csv-analyzer}, {final_answer: ok}]
`,
    })
    const run = runJson(p, [])
    expectVerdicts(run, { early: 'passed', body: 'passed' })
    const [search, select] = trialOf(run, 'body').actions.map(({ observation }) => observation)
    expect(search).toContain('csv-analyzer')
    expect(search).not.toContain('Run scripts/top.py')
    expect(select).toContain('Run scripts/top.py')
    expect(tell(run, 'early')).not.toContain('Run scripts/top.py')
  })
})

const keysOf = (schema: unknown): string[] => {
  if (typeof schema !== 'object' || schema === null) return []
  const own = 'properties' in schema ? Object.keys(schema.properties as object) : []
  return [...own, ...Object.values(schema).flatMap(keysOf)]
}
