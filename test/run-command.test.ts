import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, test, vi } from 'vitest'
import type { RunResult } from '../src/core/results.ts'
import { pack, project } from './support/cli.ts'
import { expectVerdicts, runJson, trialOf } from './support/shared-suite.ts'

type Project = ReturnType<typeof project>

const ok = (id: string, more = '') => `  - {id: ${id}, input: x, mock: [{final_answer: ok}]${more}}\n`
const bad = (id: string, more = '') => ok(id, `, expected: {output: [{equals: no}]}${more}`)
const broken = (id: string) => `  - {id: ${id}, input: x, mock: []}\n`
const suite = (name: string, cases: string, more = '') =>
  `name: ${name}\nskills: []\nmodel: mock\n${more}cases:\n${cases}`
const t = (cases: string, more = '') => ({ 'evals/t.eval.yaml': suite('t', cases, more) })

const read = (p: Project, path: string): string => readFileSync(join(p.dir, path), 'utf8')
const runFolders = (p: Project): string[] =>
  existsSync(join(p.dir, 'reports')) ? readdirSync(join(p.dir, 'reports')).filter((name) => name !== 'latest') : []
const runOf = (p: Project, path = 'reports/latest/run.json'): RunResult => JSON.parse(read(p, path))
const idsOf = ({ suites }: RunResult): string[] =>
  suites.flatMap(({ name, cases }) => cases.map(({ id }) => `${name}/${id}`))

describe('which cases run', () => {
  const files = {
    ...pack,
    'evals/a.eval.yaml': `name: sales
skills: [../skills]
model: mock
triggers:
  csv-analyzer: {should: [sum it], should_not: [fill it]}
defaults: {mock: [{final_answer: ok}]}
cases:
  - {id: top-months, input: x, tags: [smoke, slow]}
  - {id: top/products, input: x, tags: [slow], expected: {skills: {excludes: [csv-analyzer]}}}
  - {id: Trend, input: x}
`,
    'evals/b.eval.yaml': suite('forms', ok('top-months', ', tags: [smoke]') + ok('fill')),
  }
  const all = [
    'sales/top-months',
    'sales/top/products',
    'sales/Trend',
    'sales/trigger/csv-analyzer/should/1',
    'sales/trigger/csv-analyzer/should_not/1',
    'forms/top-months',
    'forms/fill',
  ]
  const only = (...ids: readonly string[]) => all.filter((id) => ids.includes(id))

  test.each([
    { args: '', left: all },
    { args: '--filter TOP', left: only('sales/top-months', 'sales/top/products', 'forms/top-months') },
    { args: '--filter trend', left: ['sales/Trend'] },
    { args: '--filter forms/top-months', left: ['forms/top-months'] },
    { args: '--filter top-*', left: only('sales/top-months', 'forms/top-months') },
    { args: '--filter trigger/*', left: all.filter((id) => id.includes('trigger')) },
    { args: '--filter **/should/*', left: ['sales/trigger/csv-analyzer/should/1'] },
    { args: '--filter fill --filter Trend', left: only('sales/Trend', 'forms/fill') },
    { args: '--tag smoke', left: only('sales/top-months', 'forms/top-months') },
    { args: '--tag smoke,slow', left: only('sales/top-months', 'sales/top/products', 'forms/top-months') },
    { args: '--tag smoke --filter sales/', left: ['sales/top-months'] },
    {
      args: '--skill csv-analyzer',
      left: only(
        'sales/top/products',
        'sales/trigger/csv-analyzer/should/1',
        'sales/trigger/csv-analyzer/should_not/1',
      ),
    },
  ])('run $args leaves $left.length of seven cases', ({ args, left }) => {
    using p = project(files)
    const { out } = p.cli(['run', '--list', ...args.split(' ').filter(Boolean)])
    expect(out.split('\n').flatMap((line) => line.split('  ')[0] || [])).toEqual(left)
  })

  test('--list prints a line for each case, with its tags and model, and runs nothing', () => {
    using p = project({ ...t(ok('a', ', tags: [x, y]') + ok('b', ', skip: later')) })
    const { code, out, err } = p.cli(['run', '--list', '--model', 'mock'])
    expect({ code, out, err }).toEqual({
      code: 0,
      out: 't/a  [x, y]  mock\nt/b  mock  skipped: later\n',
      err: '',
    })
    expect(runFolders(p)).toEqual([])
  })

  test('--dry-run prints what would be run and runs nothing, with --json as data', () => {
    using p = project({
      ...t(ok('a', ', trials: 3') + ok('b', ', skip: later')),
      '.agent/config.json': '{"models": {"second": {"provider": "mock"}}}',
    })
    const { code, json } = p.cli(['run', '--dry-run', '--json', '--model', 'mock', '--model', 'second'])
    const part = { suite: 't', path: 'evals/t.eval.yaml', cases: 2, trials: 3, skipped: 1 }
    expect({ code, json }).toEqual({
      code: 0,
      json: {
        cases: 4,
        trials: 6,
        skipped: 2,
        parts: [
          { ...part, model: 'mock' },
          { ...part, model: 'second' },
        ],
        estimates: {},
        contacts: { mock: null, second: null },
        recordings: { mock: { mode: 'off', missing: 0 }, second: { mode: 'off', missing: 0 } },
      },
    })
    const text = p.cli(['run', '--dry-run', '--trials', '5'])
    expect(text.code).toBe(0)
    expect(text.out).toMatch(/2 cases, 5 trials, 1 skipped: nothing was run/)
    expect(runFolders(p)).toEqual([])
  })

  test('`only` leaves the others out, and is an error in CI', () => {
    using p = project(t(ok('a') + ok('b', ', only: true') + ok('c', ', only: false')))
    const outside = p.cli(['run', '--json'], { CI: '' })
    expect(outside.code, outside.err).toBe(0)
    expect(idsOf(outside.json as RunResult)).toEqual(['t/b'])
    const inside = p.cli(['run'])
    expect(inside.code).toBe(2)
    expect(inside.err).toMatch(/evals\/t\.eval\.yaml:6/)
    expect(p.cli(['run', '--filter', 't/a']).code).toBe(0)
  })
})

describe('how cases run', () => {
  test('a matrix of models has each case on each, and a JUnit suite for each', () => {
    using p = project({
      ...t(ok('a') + ok('b')),
      '.agent/config.json':
        '{"models": {"fast": {"provider": "mock"}, "text": {"provider": "mock", "protocol": "text"}}}',
    })
    const run = runJson(p, ['--model', 'fast', '--model', 'text'])
    expect(run.result.suites).toHaveLength(1)
    expect(run.result.suites[0]?.cases.map(({ id, model, status }) => [id, model, status])).toEqual([
      ['a', 'fast', 'passed'],
      ['b', 'fast', 'passed'],
      ['a', 'text', 'passed'],
      ['b', 'text', 'passed'],
    ])
    expect(run.result.summary).toMatchObject({ cases: 4, trials: 4, passed: 4 })
    const suites = [...read(p, 'reports/latest/junit.xml').matchAll(/<testsuite name="([^"]*)" tests="(\d+)"/g)]
    expect(suites.map(([, name, tests]) => [name, tests])).toEqual([
      ['t [fast]', '2'],
      ['t [text]', '2'],
    ])
  })

  test('--trials runs every case so often instead of its own number', () => {
    using p = project(t(ok('a', ', trials: 5') + ok('b')))
    const run = runJson(p, ['--trials', '3'])
    expect(run.result.summary).toMatchObject({ cases: 2, trials: 6 })
    expect(run.of('a').trials.map(({ n }) => n)).toEqual([1, 2, 3])
    expect(run.of('a')).toMatchObject({ pass_at_k: { 1: 1 }, pass_pow_k: { 1: 1 }, flaky: false })
  })

  test('--concurrency changes nothing of the result, not even its order', () => {
    const cases = Array.from({ length: 30 }, (_, i) => ok(`c${i}`)).join('')
    using p = project(t(cases))
    const orders = ['1', '2', '16'].map((n) => idsOf(runJson(p, ['--concurrency', n]).result))
    expect(orders[0]).toHaveLength(30)
    expect(new Set(orders.map(String)).size).toBe(1)
  })

  test('--bail stops after so many failed cases; the others are skipped and said not to have run', () => {
    using p = project(t(bad('a') + ok('b') + broken('c') + ok('d')))
    const one = runJson(p, ['--bail', '--concurrency', '1'])
    expect(one.code).toBe(1)
    expect(['a', 'b', 'c', 'd'].map((id) => one.of(id).status)).toEqual(['failed', 'skipped', 'skipped', 'skipped'])
    expect(one.of('b').reason).toMatch(/not run/)
    const two = runJson(p, ['--bail', '2', '--concurrency', '1'])
    expect(['a', 'b', 'c', 'd'].map((id) => two.of(id).status)).toEqual(['failed', 'passed', 'error', 'skipped'])
  })

  test('a case that crashes, hangs or floods leaves the others judged', () => {
    using p = project({
      ...pack,
      'skills/csv-analyzer/scripts/crash.sh': '#!/usr/bin/env bash\nkill -SEGV $$\n',
      'skills/csv-analyzer/scripts/hang.sh': '#!/usr/bin/env bash\ntrap "" TERM INT\nsleep 60 & sleep 60\n',
      'skills/csv-analyzer/scripts/flood.sh':
        '#!/usr/bin/env bash\nhead -c 40000000 /dev/zero | tr "\\0" "x"\necho the-end\n',
      'skills/csv-analyzer/scripts/escape.sh': '#!/usr/bin/env bash\nprintf "\\033]0;x\\007\\xff\\xfe"\n',
      'evals/grade.sh': '#!/usr/bin/env bash\nhead -c 40000000 /dev/zero\n',
      'evals/t.eval.yaml': `name: t\nskills: [../skills]\nmodel: mock\ncases:\n${['crash', 'hang', 'flood', 'escape']
        .map(
          (name) => `  - id: ${name}
    input: x
    constraints: {max_seconds: ${name === 'hang' ? 0.5 : 60}}
    mock: [{select_skills: csv-analyzer}, {run_script: {skill: csv-analyzer, path: scripts/${name}.sh}}, {final_answer: ok}]\n`,
        )
        .join('')}${ok('grader', ', expected: {output: [{script: {run: grade.sh}}]}')}${ok('good')}`,
    })
    const run = runJson(p, ['--concurrency', '3'])
    expect(run.code).toBe(1)
    expectVerdicts(run, { crash: 'passed', hang: /max_seconds/, flood: 'passed', escape: 'passed', good: 'passed' })
    expect(run.of('grader').status).toMatch(/passed|error/)
    const flood = trialOf(run, 'flood').actions[1]
    expect(flood?.observation).toContain('the-end')
    expect(flood?.observation.length).toBeLessThan(300_000)
    expect(trialOf(run, 'crash').actions[1]).toMatchObject({ action: 'run_script', status: 'error' })
  })

  test('the same seed gives the same intervals, and --seed is kept', () => {
    const cases = Array.from({ length: 12 }, (_, i) => (i % 3 === 0 ? bad(`c${i}`) : ok(`c${i}`, ', trials: 2'))).join(
      '',
    )
    using p = project(t(cases))
    const of = (seed: string) => {
      const { seed: kept, summary } = runJson(p, ['--seed', seed]).result
      return { kept, interval: summary.interval }
    }
    const first = of('7')
    expect(first.kept).toBe(7)
    expect(first.interval?.[0]).toBeGreaterThan(0)
    expect(first.interval?.[1]).toBeLessThan(1)
    expect(of('7')).toEqual(first)
  })
})

describe('what it prints', () => {
  test('results on stdout, progress and diagnostics on stderr', () => {
    using p = project(t(ok('a') + bad('b')))
    const { code, out, err } = p.cli(['run'])
    expect(code).toBe(1)
    expect(out).toMatch(/^FAIL t\/b /m)
    expect(out).toContain("skills-eval run evals/t.eval.yaml --filter '=b'")
    expect(out).toMatch(/2 cases: 1 passed, 1 failed — /)
    expect(err).toMatch(/t\/a/)
    expect(err).toMatch(/results: .*reports/)
  })

  test('--json prints run.json alone on stdout', () => {
    using p = project(t(ok('a') + bad('b')))
    const { out } = p.cli(['run', '--json', '--reporter', 'junit=j.xml', '--reporter', 'terminal'])
    expect(out).toBe(read(p, 'reports/latest/run.json'))
    expect(existsSync(join(p.dir, 'j.xml'))).toBe(true)
  })

  test('--quiet prints the result only', () => {
    using p = project(t(ok('a')))
    const { out, err } = p.cli(['run', '--quiet'])
    expect(err).toBe('')
    expect(out).toMatch(/1 case: 1 passed/)
  })

  test('--reporter prints to stdout, or writes where it is told, from the folder it is started in', () => {
    using p = project({ ...t(ok('a') + bad('b')), 'sub/x': '' })
    const junit = p.cli(['run', '../evals', '-C', 'sub', '--reporter', 'junit', '--reporter', 'json=out/r.json'])
    expect(junit.out).toMatch(/^<\?xml/)
    expect(junit.out).toContain('</testsuites>')
    expect(runOf(p, 'sub/out/r.json').summary.cases).toBe(2)
    const jsonl = p.cli(['run', '--reporter', 'jsonl'])
    expect(
      jsonl.out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).case),
    ).toEqual(['a', 'b'])
    expect(p.cli(['run', '--reporter', 'markdown']).out).toBe(read(p, 'reports/latest/summary.md'))
    const both = p.cli(['run', '--reporter', 'github', '--reporter', 'terminal'])
    expect(both.out).toMatch(/2 cases: 1 passed, 1 failed[\s\S]*\n::error /)
  })

  test('reporters and the folder of the reports can be configured, relative to the project', () => {
    using p = project({
      ...t(ok('a')),
      '.agent/config.json': '{"reports": "out/runs", "reporters": ["junit=out/j.xml", "github"], "concurrency": 2}',
    })
    expect(p.cli(['run', '-C', 'evals', '.']).code).toBe(0)
    expect(readdirSync(join(p.dir, 'out')).sort()).toEqual(['j.xml', 'runs'])
    expect(existsSync(join(p.dir, 'out/runs/latest/run.json'))).toBe(true)
    expect(p.cli(['run', '--reporter', 'terminal']).out).toMatch(/1 case: 1 passed/)
  })

  test('--config names the configuration, -C the folder to work in', () => {
    using p = project({
      'work/evals/t.eval.yaml': suite('t', ok('a')).replace('model: mock\n', ''),
      'other.json': '{"model": "mine", "models": {"mine": {"provider": "mock"}}}',
    })
    const { json, err } = p.cli(['run', '-C', 'work', '--config', '../other.json', '--json'])
    expect((json as RunResult | undefined)?.suites[0]?.cases[0]?.model, err).toBe('mine')
  })
})

describe('exit codes', () => {
  test.each([
    { exit: '0', title: 'everything passed, every gate met', cases: ok('a'), more: 'thresholds: {pass_rate: 1}\n' },
    { exit: '1', title: 'a case failed', cases: bad('a') + ok('b'), more: '' },
    { exit: '1', title: 'a case failed, and another could not be judged', cases: broken('a') + bad('b'), more: '' },
    { exit: '1', title: 'an xfail case passed', cases: ok('a', ', xfail: known'), more: '' },
    {
      exit: '1',
      title: 'a threshold was missed',
      cases: bad('a', ', pass_threshold: 0'),
      more: 'thresholds: {pass_rate: 0.5}\n',
    },
    { exit: '2', title: 'the suite is wrong', cases: ok('a').replace('input', 'inptu'), more: '' },
    { exit: '3', title: 'a case could not be judged', cases: broken('a') + ok('b'), more: '' },
    { exit: '0', title: 'failed as expected', cases: bad('a', ', xfail: known'), more: '' },
    { exit: '0', title: 'all are skipped', cases: ok('a', ', skip: true'), more: '' },
  ])('$exit when $title', ({ exit, cases, more }) => {
    using p = project(t(cases, more))
    const done = p.cli(['run'])
    expect(String(done.code), done.err + done.out).toBe(exit)
    expect(runFolders(p)).toHaveLength(exit === '2' ? 0 : 1)
  })

  const slow = {
    'evals/a.eval.yaml': suite('fast', ok('a')),
    'evals/b.eval.yaml': suite('slow', ok('b') + ok('c')).replace('model: mock', 'model: slow'),
    '.agent/config.json': '{"models": {"slow": {"provider": "mock", "params": {"latency_ms": 300000}}}}',
  }
  const results = (p: Project): string =>
    runFolders(p)
      .map((folder) => read(p, `reports/${folder}/results.jsonl`))
      .join('')

  test.each([
    { signal: 'SIGHUP', code: 129 },
    { signal: 'SIGINT', code: 130 },
    { signal: 'SIGTERM', code: 143 },
  ] as const)('$code when $signal interrupted it: what had finished is kept and reported', async ({ signal, code }) => {
    using p = project(slow)
    const run = p.start(['run', '--concurrency', '2', '--reporter', 'junit=j.xml'])
    await vi.waitFor(() => expect(results(p)).toContain('"fast"'), { timeout: 20_000 })
    run.kill(signal)
    expect(await run.ended).toBe(code)
    const result = runOf(p)
    expect(result.interrupted).toBe(signal)
    expect(result.suites.map((one) => one.cases.map(({ id, status }) => `${id} ${status}`))).toEqual([
      ['a passed'],
      ['b skipped', 'c skipped'],
    ])
    expect(result.summary).toMatchObject({ trials: 1, passed: 1, skipped: 2 })
    expect(results(p).trimEnd().split('\n')).toHaveLength(1)
    expect(read(p, 'j.xml')).toContain('</testsuites>')
    expect(run.said.err).not.toMatch(/\n\s+at /)
  })

  test('what had finished when it was killed is there, in whole lines', async () => {
    using p = project(slow)
    const run = p.start(['run', '--concurrency', '2'])
    await vi.waitFor(() => expect(results(p)).toContain('"fast"'), { timeout: 20_000 })
    run.kill('SIGKILL')
    expect(await run.ended).toBeNull()
    const lines = results(p).split('\n')
    expect(lines).toHaveLength(2)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ suite: 'fast', case: 'a', status: 'passed' })
  })

  test('a second signal ends it at once, and leaves no folder of its own', async () => {
    using p = project({
      'tmp/.keep': '',
      ...pack,
      // It tells by a file of the skill that its trap is set: isolated, it could not write there.
      '.agent/config.json': '{"sandbox": "off"}',
      'skills/csv-analyzer/scripts/stubborn.sh':
        '#!/usr/bin/env bash\ntrap "" TERM INT\ntouch "$SKILL_DIR/started"\nsleep 3 & wait; sleep 3\n',
      'evals/t.eval.yaml': `name: t\nskills: [../skills]\nmodel: mock\ncases:
  - {id: a, input: x, files: {f: {text: a}}, mock: [{select_skills: csv-analyzer}, {run_script: {skill: csv-analyzer, path: scripts/stubborn.sh}}, {final_answer: ok}]}
  - {id: first, input: x, mock: [{final_answer: ok}]}
`,
    })
    const run = p.start(['run', '--concurrency', '2'], { TMPDIR: join(p.dir, 'tmp') })
    await vi.waitFor(() => expect(results(p)).toContain('"first"'), { timeout: 20_000 })
    // Until its trap is set, the script would end with the first signal, and the run in order.
    await vi.waitFor(() => expect(existsSync(join(p.dir, 'skills/csv-analyzer/started'))).toBe(true), {
      timeout: 20_000,
    })
    run.kill('SIGINT')
    await vi.waitFor(() => expect(run.said.err).toContain('once more to stop at once'), { timeout: 20_000 })
    run.kill('SIGINT')
    expect(await run.ended).toBe(130)
    expect(existsSync(join(p.dir, 'reports/latest'))).toBe(false)
    expect(results(p)).toContain('"first"')
    expect(readdirSync(join(p.dir, 'tmp'))).toEqual(['.keep'])
  })

  test('a second signal leaves nothing behind of an isolation that is just being tried', async () => {
    using p = project({
      ...pack,
      'tmp/.keep': '',
      'evals/t.eval.yaml': `name: t\nskills: [../skills]\nmodel: mock\ncases:
  - {id: a, input: x, mock: [{select_skills: csv-analyzer}, {run_script: {skill: csv-analyzer, path: scripts/top.py}}, {final_answer: ok}]}
`,
    })
    const run = p.start(['run'], { TMPDIR: join(p.dir, 'tmp') })
    const isTried = () => readdirSync(join(p.dir, 'tmp')).some((name) => name.startsWith('skills-eval-try-'))
    // A run that is faster than we look is no worse: it has ended, and left nothing either.
    let isOver = false
    void run.ended.then(() => {
      isOver = true
    })
    await vi.waitFor(() => expect(isTried() || isOver).toBe(true), { timeout: 20_000, interval: 5 })
    run.kill('SIGINT')
    await vi.waitFor(() => expect(isOver || run.said.err.includes('once more')).toBe(true), {
      timeout: 20_000,
      interval: 5,
    })
    run.kill('SIGINT')
    await run.ended
    expect(readdirSync(join(p.dir, 'tmp'))).toEqual(['.keep'])
  })
})

describe('what a run leaves', () => {
  test('reports/<run-id>/ with its files, and reports/latest that points to it', () => {
    using p = project(t(ok('a') + bad('b')))
    p.cli(['run', '-q'])
    const [first] = runFolders(p)
    expect(readdirSync(join(p.dir, 'reports', first ?? '')).sort()).toEqual([
      'junit.xml',
      'report.html',
      'results.jsonl',
      'run-state.json',
      'run.json',
      'summary.md',
    ])
    expect(readlinkSync(join(p.dir, 'reports/latest'))).toBe(first)
    p.cli(['run', '-q'])
    const [, second] = runFolders(p).sort()
    expect(second).not.toBe(first)
    expect(realpathSync(join(p.dir, 'reports/latest'))).toBe(join(p.dir, 'reports', second ?? ''))
    expect(runOf(p).id).toBe(second)
  })

  test('results.jsonl has a line for each finished trial, and --reporter jsonl the same in the order of the run', () => {
    using p = project(t(ok('a', ', trials: 3') + bad('b') + broken('c') + ok('d', ', skip: true')))
    const { out } = p.cli(['run', '-q', '--reporter', 'jsonl', '--concurrency', '3'])
    const lines = (text: string) =>
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
    const rows = lines(read(p, 'reports/latest/results.jsonl'))
    const key = (row: { case: string; n: number }) => `${row.case}/${row.n}`
    expect(rows.map(key).sort()).toEqual(['a/1', 'a/2', 'a/3', 'b/1', 'c/1'])
    expect(lines(out).map(key)).toEqual(['a/1', 'a/2', 'a/3', 'b/1', 'c/1'])
    expect(lines(out).sort((a, b) => (key(a) < key(b) ? -1 : 1))).toEqual(
      rows.map(({ inputs: _1, planned: _2, ...row }) => row).sort((a, b) => (key(a) < key(b) ? -1 : 1)),
    )
    expect(new Set(rows.map(({ inputs }) => inputs)).size).toBe(3)
    expect(rows[0]).toMatchObject({ suite: 't', case: 'a', model: 'mock', n: 1, status: 'passed' })
  })

  test('run.json is valid against `schema run`, strictly, whatever became of the cases', () => {
    using p = project({
      ...pack,
      'evals/t.eval.yaml': suite(
        't',
        `${ok('a', ', trials: 2, tags: [x], description: D, golden: true, expected: {skills: [], output: [{json_equals: 1}], files: [{path: x}]}')}${bad('b')}${broken('c')}${ok('d', ', skip: later')}${ok('e', ', xfail: known')}
  - id: f
    input: [x, y]
    mock: [{update_plan: {goal: G, steps: [{id: a, title: A}], assumptions: [b]}}, {read_file: nope}, {delete_file: x}, {final_answer: {json: {a: 1}}}, {select_skills: csv-analyzer}, {run_script: {skill: csv-analyzer, path: scripts/top.py}}, {raw: {name: nonsense, input: 1}}, {final_answer: ok}]
`,
        'thresholds: {pass_rate: 1, trigger: {f1: 1}}\n',
      ).replace('skills: []', 'skills: [../skills]'),
    })
    const schema = p.cli(['schema', 'run']).json as object
    const ajv = new Ajv2020({ strict: true, allErrors: true })
    addFormats.default(ajv)
    const validate = ajv.compile(schema)
    const run = runJson(p, [])
    expect(validate(run.result), JSON.stringify(validate.errors, null, 2)).toBe(true)
    expect(run.result.suites.flatMap((one) => one.cases.map(({ status }) => status))).toEqual([
      'failed',
      'failed',
      'error',
      'skipped',
      'failed',
      'passed',
    ])
    const empty = runJson(p, ['--filter', 't/d'])
    expect(validate(empty.result), JSON.stringify(validate.errors, null, 2)).toBe(true)
    expect(empty.result.summary).toMatchObject({
      pass_rate: null,
      interval: null,
      cost_usd: 0,
      latency_ms: { p95: null },
    })
  })

  test('run.json has the documented head and summary', () => {
    using p = project(t(ok('a') + bad('b') + broken('c') + ok('d', ', skip: later')))
    const run = runJson(p, ['--seed', '3'])
    expect(run.result).toMatchObject({
      format: 'skills-eval/run@1',
      id: runFolders(p)[0],
      tool: { name: 'skills-eval', version: expect.stringMatching(/^\d+\.\d+\.\d+/) },
      command: ['run', '--seed', '3', '--json'],
      git: null,
      seed: 3,
      summary: {
        cases: 4,
        trials: 3,
        passed: 1,
        failed: 1,
        errors: 1,
        stale: 0,
        skipped: 1,
        pass_rate: 0.5,
        usage: { cached_input_tokens: 0, reasoning_tokens: 0 },
        cost_usd: 0,
        judge: { cost_usd: 0 },
        actions: { final_answer: 2 },
        thresholds: [],
      },
      suites: [{ name: 't', path: 'evals/t.eval.yaml' }],
    })
    expect(run.result).not.toHaveProperty('interrupted')
    expect(run.of('b')).toMatchObject({ line: 6, status: 'failed', pass_rate: 0, tags: [], model: 'mock' })
    expect(run.of('c')).toMatchObject({ status: 'error', pass_rate: null, interval: null, pass_at_k: {} })
    expect(run.of('d')).toMatchObject({ status: 'skipped', reason: 'later', trials: [] })
  })

  test('two runs of the same differ in times and ids alone', () => {
    using p = project({
      ...pack,
      'evals/t.eval.yaml': suite(
        't',
        `${ok('a', ', trials: 3')}${bad('b')}${broken('c')}
  - {id: d, input: x, mock: [{select_skills: csv-analyzer}, {run_script: {skill: csv-analyzer, path: scripts/top.py, args: [sales.csv, "2"]}}, {final_answer: ok}], files: {sales.csv: ../fixtures/sales.csv}, expected: {skills: [csv-analyzer]}}
`,
      ).replace('skills: []', 'skills: [../skills]'),
    })
    const still = (text: string, id: string) =>
      text
        .replaceAll(id, 'RUN')
        .replace(/"(duration_ms)":[\d.]+/g, '"$1":0')
        .replace(/"started_at":"[^"]*"/, '"started_at":""')
    const [first, second] = [1, 2].map(() => {
      const { out, json } = p.cli(['run', '--json', '--concurrency', '3'])
      return still(out, (json as RunResult).id)
    })
    expect(first).toContain('Feb,Mar')
    expect(second).toBe(first)
  })

  test('git says from which commit, and whether the tree was as committed', () => {
    using p = project(t(ok('a')))
    const git = (...args: readonly string[]) =>
      p.run('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.org', ...args])
    git('init', '-q')
    git('add', 'evals')
    git('commit', '-q', '-m', 'first')
    p.write({ '.gitignore': 'reports/\n.home/\n.gitignore\n' })
    const commit = git('rev-parse', 'HEAD').trim()
    expect(runJson(p, []).result.git).toEqual({ commit, dirty: false })
    p.write(t(ok('a') + ok('b')))
    expect(runJson(p, []).result.git).toEqual({ commit, dirty: true })
  })
})

describe('gates', () => {
  const gated = (thresholds: string, cases: string) => {
    using p = project(t(cases, `thresholds: ${thresholds}\n`))
    const { code, result } = runJson(p, [])
    return { code, thresholds: result.summary.thresholds }
  }

  test('a threshold is met, or missed', () => {
    expect(gated('{pass_rate: 0.5}', ok('a') + bad('b', ', pass_threshold: 0'))).toEqual({
      code: 0,
      thresholds: [{ name: 'pass_rate', limit: 0.5, actual: 0.5, passed: true }],
    })
    expect(gated('{pass_rate: 0.6}', ok('a') + bad('b', ', pass_threshold: 0'))).toEqual({
      code: 1,
      thresholds: [{ name: 'pass_rate', limit: 0.6, actual: 0.5, passed: false }],
    })
  })

  test('one whose number can not be known is null, and not met', () => {
    expect(gated('{trigger: {recall: 0.1}}', ok('a'))).toEqual({
      code: 1,
      thresholds: [{ name: 'trigger.recall', limit: 0.1, actual: null, passed: false }],
    })
  })

  test('max_unusable is the share of trials that may end without a verdict', () => {
    const cases = broken('a') + ok('b') + ok('c') + ok('d')
    expect(gated('{max_unusable: "10%"}', cases)).toEqual({
      code: 1,
      thresholds: [{ name: 'max_unusable', limit: 0.1, actual: 0.25, passed: false }],
    })
    expect(gated('{max_unusable: 0.25}', cases)).toMatchObject({ code: 3, thresholds: [{ passed: true }] })
  })
})
