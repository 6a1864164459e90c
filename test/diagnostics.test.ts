import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type CliResult, head, pack, project } from './support/cli.ts'
import { runJson } from './support/shared-suite.ts'

type Project = ReturnType<typeof project>

/** Runs what must be refused: exit 2, words on stderr alone, no stack, no raw escape, nothing was run. */
const refused = (p: Project, args: readonly string[] = ['run'], env: Readonly<Record<string, string>> = {}): string => {
  const done = p.cli(args, env)
  expect({ code: done.code, out: done.out }, done.err).toEqual({ code: 2, out: '' })
  expectPlain(done)
  expect(existsSync(join(p.dir, 'reports'))).toBe(false)
  expect(done.err).not.toBe('')
  return done.err
}

const expectPlain = ({ out, err }: CliResult): void => {
  expect(out + err).not.toMatch(/\n\s+at .*[:(]/)
  expect(out + err).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
}

const good = `name: good\nmodel: mock\ncases:\n  - {id: a, input: x, mock: [{final_answer: ok}]}\n`

describe('mistakes in a suite', () => {
  test('all are told at once, each with file, line, column, the line itself and the way out', async () => {
    using p = project({
      ...pack,
      'evals/csv.eval.yaml': `name: csv
skill: [../skills]
model: mock
defaults:
  constraints: {max_turn: 6}
cases:
  - id: top months
    input: Which months had the most revenue?
    files: {../sales.csv: ../fixtures/sales.csv}
    mock:
      - select_skils: csv-analyzer
      - run_script: {skill: csv-analyzer, file: scripts/top.py}
    expectd: {skills: [csv-analyzer]}
  - id: refund
    input: [1]
    trials: 0
    max_turns: 3
    expected:
      skills: {includes: [a], excludes: [a]}
      actions:
        in_order: [run_scrip, {load_resurce: "*.md"}]
      output:
        - {contain: Mar}
        - {regex: "(Mar"}
        - {contains: Mar, equals: Mar}
        - {json_path: {path: "$.rows[", equals: 1}}
  - {id: refund, input: x, pass_threshold: 80}
  - {id: "q-{{n}}", input: "{{question}}", each: [{n: 1, qestion: x}]}
triggers:
  csv-analyzer: {should: sum my csv}
`,
    })
    const err = refused(p)
    expect(err.match(/^ +--> /gm)?.length).toBeGreaterThanOrEqual(18)
    await expect(err).toMatchFileSnapshot('golden/diagnostics/suite.golden.txt')
  })

  test('what it says of other files is told at once', async () => {
    using p = project({
      ...pack,
      'package.json': '{}',
      'evals/schemas/sales.json': '{"type": "strin"}',
      'evals/rows.json': '[{"n": 1}, 2]',
      'evals/csv.eval.yaml': `name: csv
skills: [../skils]
model: mock
cases:
  - {id: missing, input: x, files: {a.csv: ../fixtures/sale.csv}}
  - {id: outside, input: x, files: {a.csv: ../../other.csv}}
  - {id: absolute, input: x, files: {passwd: /etc/passwd}}
  - {id: schema, input: x, expected: {output: [{json_schema: schemas/sale.json}, {json_schema: schemas/sales.json}]}}
  - {id: grader, input: x, expected: {output: [{script: {run: graders/check.py}}]}}
  - {id: "row-{{n}}", input: x, each: rows.json}
  - {id: "rows-{{n}}", input: x, each: row.csv}
`,
    })
    await expect(refused(p)).toMatchFileSnapshot('golden/diagnostics/references.golden.txt')
  })

  test('those of several suites are told together, and no good suite is run', () => {
    using p = project({
      'evals/a.eval.yaml': good.replace('input', 'inptu'),
      'evals/b.eval.yaml': good,
      'evals/c.eval.yaml': good.replace('model', 'modle'),
    })
    const err = refused(p)
    expect(err).toContain('--> evals/a.eval.yaml:4:')
    expect(err).toContain('--> evals/c.eval.yaml:2:1')
    expect(err).toMatch(/nothing was run\n$/)
  })

  test('a name that is no skill of the suite is a warning, and the run goes on', () => {
    using p = project({
      ...pack,
      'evals/t.eval.yaml': `${head}cases:\n  - {id: a, input: x, mock: [{final_answer: ok}], expected: {skills: {excludes: [csv-analyser]}}}\n`,
    })
    const { code, err } = p.cli(['run'])
    expect(code).toBe(0)
    expect(err).toMatch(/warning\[suite\/unknown-skill\].*csv-analyser/)
    expect(err).toContain('Did you mean csv-analyzer?')
  })

  test('more cases in a file than belong there are a warning', () => {
    using p = project({
      'evals/t.eval.yaml': `name: t\nmodel: mock\ncases:\n${Array.from({ length: 5001 }, (_, i) => `- {id: c${i}, input: x, mock: [ok]}\n`).join('')}`,
    })
    const { code, err } = p.cli(['run', '--list', '-q'])
    expect(code).toBe(0)
    expect(err).toMatch(/warning\[.*5,?001/)
    expect(err).toContain('.jsonl')
  })

  test('a reason that is told in CI: `only` would hide every other case', () => {
    using p = project({ 'evals/t.eval.yaml': `${good.trimEnd().replace('}]}', '}], only: true}')}\n` })
    expect(refused(p)).toMatch(/error\[suite\/only-in-ci\][\s\S]*evals\/t\.eval\.yaml:4:/)
  })
})

describe('hostile YAML', () => {
  const deep = 20_000
  const files: Readonly<Record<string, readonly [text: string, said: RegExp]>> = {
    'alias-bomb': ['a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\ncases: *c\n', /yaml-alias/],
    'anchor-cycle': ['cases: &a [*a]\n', /yaml-alias/],
    'block-depth': [Array.from({ length: 2000 }, (_, i) => `${' '.repeat(i)}a:\n`).join(''), /yaml-too-deep/],
    'dup-key': ['name: a\nname: b\ncases: []\n', /yaml-duplicate-key/],
    'flow-depth': [`cases: ${'['.repeat(deep)}${']'.repeat(deep)}\n`, /yaml-too-deep/],
    'map-depth': [`cases: ${'{a: '.repeat(deep)}\n`, /yaml-too-deep/],
    'merge-key': ['base: &b {a: 1}\nname:\n  <<: *b\n', /yaml-alias/],
    'not-a-map': ['- a\n- b\n', /a suite is a map/],
    'nul-bytes': ['name: a\u0000b\ncases: []\n', /suite\//],
    'open-bracket': ['cases: [\n', /yaml-syntax/],
    'open-quote': ['name: "a\ncases: []\n', /yaml-syntax/],
    'proto-key': ['__proto__: {model: x}\nconstructor: 1\ncases: []\n', /unknown key `__proto__`/],
    'question-depth': [`${'? '.repeat(deep)}a\n`, /yaml-/],
    scalar: ['just words\n', /a suite is a map/],
    tabs: ['cases:\n\t- id: a\n', /yaml-syntax/],
    tag: ['name: !!js/function "x"\ncases: []\n', /yaml-tag/],
    'two-documents': ['name: a\n---\nname: b\n', /yaml-multiple-documents/],
    'huge-key': [`${'k'.repeat(200_000)}: 1\ncases: []\n`, /unknown key|yaml-/],
    'huge-value': [`name: ${'v'.repeat(300_000)}\ncases: []\n`, /name/],
    controls: ['name: "\\e[31m\\u0007\\u202e"\ncases: [{id: "\\e]0;x\\u0007", input: x}]\n', /id/],
    'many-keys': [`cases: []\n${Array.from({ length: 20_000 }, (_, i) => `k${i}: 1\n`).join('')}`, /unknown key `k0`/],
  }

  test('each is refused in words at its place', () => {
    using p = project(Object.fromEntries(Object.entries(files).map(([name, [text]]) => [`h/${name}.yaml`, text])))
    // A file at a time where the number of mistakes shown in all would hide another file's.
    const crowded = ['many-keys']
    const calm = Object.keys(files).filter((name) => !crowded.includes(name))
    const err = [calm, ...crowded.map((name) => [name])]
      .map((names) => refused(p, ['run', ...names.map((name) => `h/${name}.yaml`)]))
      .join('\n\n')
    expect(Buffer.byteLength(err)).toBeLessThan(60_000)
    for (const [name, [, said]] of Object.entries(files)) {
      const blocks = err.split(/\n\n(?=\w+\[)/).filter((block) => block.includes(`--> h/${name}.yaml`))
      expect(blocks.join('\n\n'), name).toMatch(said)
    }
  })

  test('a suite of 20 MB is refused', () => {
    using p = project({ 'evals/big.eval.yaml': `# ${'x'.repeat(20 * 1024 * 1024)}\n${good}` })
    expect(refused(p)).toMatch(/evals\/big\.eval\.yaml/)
  })

  test('a suite that is not UTF-8, or no file, is refused', () => {
    using p = project({ 'evals/latin.eval.yaml': '' })
    p.writeBytes('evals/latin.eval.yaml', Buffer.from([0x6e, 0x61, 0x6d, 0x65, 0x3a, 0x20, 0xe9, 0x0a]))
    expect(refused(p)).toMatch(/UTF-8[\s\S]*evals\/latin\.eval\.yaml/)
  })

  test('names of files are shown without their escapes', () => {
    using p = project({ 'evals/\u001b[31mred\u202e.eval.yaml': 'name: [\n' })
    expect(refused(p)).toContain('red')
    refused(p, ['run', '\u001b[31mgone'])
  })

  test('an unknown key does not change what objects are', () => {
    using p = project({
      'evals/t.eval.yaml': `name: t\nmodel: mock\ncases:
  - {id: "{{__proto__}}-{{n}}", each: [{__proto__: a, n: 1}], input: x, files: {__proto__: {text: a}, constructor: {text: b}}, mock: [[{list_dir: .}], ok], tools: {__proto__: {returns: 1}}}
`,
    })
    const run = runJson(p, [])
    expect(run.code, run.err).toBe(0)
    expect(run.result.suites[0]?.cases.map(({ id }) => id)).toEqual(['a-1'])
    expect(run.of('a-1').trials[0]?.actions[0]?.observation).toContain('__proto__')
  })
})

describe('configuration', () => {
  test('every mistake is told at its place', async () => {
    using p = project({
      'evals/t.eval.yaml': good,
      '.agent/config.json': `{
  "modle": "mock",
  "models": {
    "a": {"provider": "mok"},
    "b c": {"provider": "mock"},
    "d": {"provider": "mock", "params": {"latency": 1}},
    "e": {"provider": "anthropic", "model": "claude-x", "params": {"seed": 1, "temprature": 1}},
    "f": {"provider": "openai", "base_url": "http://me:secret@localhost/v1", "max_retries": 11},
    "g": {"provider": "openai-responses", "model": "x", "params": {"extra_body": {"tools": []}}}
  },
  "permissions": {"allow": "write_file", "env": ["A-B"]},
  "concurrency": 0
}
`,
    })
    await expect(refused(p)).toMatchFileSnapshot('golden/diagnostics/config.golden.txt')
  })

  test('one that is no JSON, or no YAML, is told at its place', () => {
    using p = project({ 'evals/t.eval.yaml': good, '.agent/config.json': '{\n  "model": \n' })
    expect(refused(p)).toMatch(/\.agent\/config\.json:\d+:\d+/)
    using q = project({ 'evals/t.eval.yaml': good, '.agent/config.yaml': 'model: [\n' })
    expect(refused(q)).toMatch(/\.agent\/config\.yaml:\d+:\d+/)
  })

  test('that of the user, or of --config, is told too', () => {
    using p = project({
      'evals/t.eval.yaml': good,
      '.home/.agent/config.json': '{"modle": "x"}',
      'other.json': '{"modls": {}}',
    })
    expect(refused(p)).toContain('Did you mean `model`')
    expect(refused(p, ['run', '--config', 'other.json'], { HOME: p.dir })).toContain('other.json:1:')
    expect(refused(p, ['run', '--config', 'nowhere.json'], { HOME: p.dir })).toContain('nowhere.json')
  })

  test('a model profile that is not there is told with the nearest', () => {
    using p = project({
      'a/t.eval.yaml': good.replace('model: mock', 'model: smal'),
      'b/t.eval.yaml': good.replace('model: mock\n', ''),
      '.agent/config.json': '{"model": "big", "models": {"small": {"provider": "mock"}}}',
    })
    expect(refused(p, ['run', 'a'])).toMatch(
      /there is no model profile "smal"[\s\S]*--> a\/t.eval.yaml:2:8[\s\S]*Did you mean small\?/,
    )
    expect(refused(p, ['run', 'a', '--model', 'mok'])).toMatch(/"mok"\n.*Did you mean mock\?/)
    expect(refused(p, ['run', 'b'])).toMatch(/"big"\n.*small.*mock/)
  })
})

describe('skills', () => {
  test('a broken one beside good ones is a diagnostic, and the run goes on', () => {
    using p = project({
      ...pack,
      'skills/broken/SKILL.md': '---\nname: broken\n---\nNo description.\n',
      'skills/worse/SKILL.md': '---\nname: [\n---\n',
      'skills/no-skill/readme.txt': '',
      'evals/t.eval.yaml': `${head}cases:\n  - {id: a, input: x, mock: [{select_skills: csv-analyzer}, {select_skills: broken}, {final_answer: ok}], expected: {skills: [csv-analyzer]}}\n`,
    })
    const done = p.cli(['run'])
    expect(done.code, done.err).toBe(0)
    expectPlain(done)
    expect(done.err).toMatch(/skills\/broken\/SKILL\.md/)
    expect(done.err).toMatch(/skills\/worse\/SKILL\.md/)
  })
})

describe('the command line', () => {
  test('an unknown command suggests the nearest', () => {
    using p = project()
    expect(refused(p, ['runn'])).toContain('Did you mean one of run, runs?')
    expect(refused(p, ['skills', 'lst'])).toContain('Did you mean list?')
    expect(refused(p, ['agent', 'rum', 'x'])).toContain('Did you mean run?')
    expect(refused(p, ['new', 'skil', 'x'])).toContain('Did you mean skill?')
  })

  test('an unknown option suggests the nearest', () => {
    using p = project({ 'evals/t.eval.yaml': good })
    expect(refused(p, ['run', '--modle', 'x'])).toContain('Did you mean --model?')
    expect(refused(p, ['skills', 'list', '--jsn'])).toContain('Did you mean --json?')
    expect(refused(p, ['--versoin'])).toContain('Did you mean --version?')
  })

  test('a wrong value, a missing one, or one too many is told', () => {
    using p = project({ 'evals/t.eval.yaml': good })
    expect(refused(p, ['run', '--trials', '0'])).toMatch(/--trials.*at least 1/)
    expect(refused(p, ['run', '--trials', 'many'])).toMatch(/--trials/)
    expect(refused(p, ['run', '--bail', '-1'])).toMatch(/--bail/)
    expect(refused(p, ['run', '--model'])).toMatch(/--model/)
    expect(refused(p, ['run', '--reporter', 'junitt'])).toMatch(/there is no reporter "junitt"[\s\S]*junit/)
    expect(refused(p, ['run', '--reporter', 'junit='])).toMatch(/junit/)
    expect(refused(p, ['run', '--filter', '[z-a]'])).toMatch(/--filter/)
    expect(refused(p, ['run', '-C', 'nowhere'])).toContain('there is no folder nowhere')
    expect(refused(p, ['run', '-C', 'evals/t.eval.yaml'])).toContain('there is no folder evals/t.eval.yaml')
    expect(refused(p, ['run', '--config', 'evals'])).toContain('evals')
    expect(refused(p, ['schema', 'suit'])).toMatch(/suite/)
    expect(refused(p, ['schema', 'suite', 'run'])).toMatch(/argument/)
    expect(refused(p, ['skills', 'inspect'])).toMatch(/argument/)
  })

  test('a report that could not be written is told before anything is run', () => {
    using p = project({ 'evals/t.eval.yaml': good })
    mkdirSync(join(p.dir, 'taken'))
    expect(refused(p, ['run', '--reporter', 'junit=taken'])).toContain('taken is a folder')
    expect(refused(p, ['run', '--reporter', 'junit=evals/t.eval.yaml/junit.xml'])).toContain('is no folder')
    expect(refused(p, ['run', '--reporter', 'json=/dev/null'])).toContain('no regular file')
    expect(refused(p, ['run', '--reporter', 'json=a', '--reporter', 'junit=./a'])).toContain('two reporters write to')
    expect(refused(p, ['run', '--reporter', 'json', '--reporter', 'junit'])).toContain("can't both print to stdout")
    p.write({ '.agent/config.json': '{"reporters": ["junitt"]}' })
    expect(refused(p)).toContain('there is no reporter "junitt"')
  })

  test('a reader that has gone is no fault, and nothing is said of it', () => {
    using p = project({ 'evals/t.eval.yaml': good })
    const { status, stderr } = p.shell(['schema', 'suite'], '| true; exit ${PIPESTATUS[0]}')
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(p.shell(['run', '-q', '--json'], '| true; exit ${PIPESTATUS[0]}').stderr).toBe('')
  })

  test('without a command, help is shown', () => {
    using p = project()
    const { code, out, err } = p.cli([])
    expect(out + err).toContain('Usage: skills-eval')
    expect(code).toBe(2)
  })

  test('help of every command has an example', () => {
    using p = project()
    const commands = [
      'run',
      'init',
      'new skill',
      'new eval',
      'schema',
      'skills list',
      'skills inspect',
      'skills search',
    ]
    for (const command of ['', ...commands, 'skills validate', 'agent run']) {
      const { code, out } = p.cli([...command.split(' ').filter(Boolean), '--help'])
      expect(code).toBe(0)
      expect(out, command).toMatch(/Example:\n {2}skills-/)
    }
  })
})

test('a model profile that a suite names and nobody configured is told where it is written', () => {
  using p = project({ ...pack, 'evals/t.eval.yaml': `${head.replace('mock', 'mokc')}cases: [{id: a, input: x}]\n` })
  const { code, err } = p.cli(['run'])
  expect(code).toBe(2)
  expect(err).toContain('error[suite/unknown-model] there is no model profile "mokc"')
  expect(err).toContain('--> evals/t.eval.yaml:3:8')
  expect(err).toContain('Did you mean mock?')
  const listed = { 'evals/t.eval.yaml': `${head.replace('mock', '[mock, nope]')}cases: [{id: a, input: x}]\n` }
  p.write(listed)
  expect(p.cli(['run']).err).toContain('--> evals/t.eval.yaml:3:15')
  // What the command line says counts, and is told as its own mistake.
  expect(p.cli(['run', '--model', 'mock', '--list']).code).toBe(0)
  expect(p.cli(['run', '--model', 'nope']).err).not.toContain('evals/t.eval.yaml')
})

test('tools of a case: one that is named like an action, and names in patterns that nearly are one', () => {
  using p = project({
    ...pack,
    'evals/t.eval.yaml': `${head}cases:
  - id: a
    input: x
    tools: {web_search: {returns: x}, read_file: {returns: y}}
    constraints: {forbidden_tools: [web_serch]}
    expected: {actions: {never: [{call_tool: web_serach}, {action: call_tool, tool: web-search}, {call_tool: other}]}}
    mock: [{final_answer: ok}]
`,
  })
  const { code, err } = p.cli(['run'])
  expect(code).toBe(2)
  expect(err).toContain('warning[suite/tool-name] `read_file` is an action of every agent')
  expect(err.match(/error\[suite\/unknown-tool\] there is no tool `.*`/g)).toEqual([
    'error[suite/unknown-tool] there is no tool `web_serch`',
    'error[suite/unknown-tool] there is no tool `web_serach`',
    'error[suite/unknown-tool] there is no tool `web-search`',
  ])
  expect(err.match(/Did you mean `web_search`\?/g)).toHaveLength(3)
})
