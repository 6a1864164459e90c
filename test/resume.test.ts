import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import type { RunResult, TrialRow } from '../src/core/results.ts'
import { pack, project, root } from './support/cli.ts'
import { cassetteOf, config, runOf } from './support/recorded-project.ts'
import { reopen } from './support/reopen.ts'
import { withoutTimes } from './support/without-times.ts'

type Project = ReturnType<typeof project>

const suite = (name: string, ids: readonly string[], more = '') =>
  `name: ${name}\nskills: [../skills]\nmodel: m\ncases:\n${ids
    .map(
      (id) =>
        `  - {id: ${id}, input: x, files: {sales.csv: ../fixtures/sales.csv}, mock: [{final_answer: ok}], expected: {output: [{equals: ok}]}${more}}\n`,
    )
    .join('')}`

const four = ['a', 'b', 'c', 'd']
const files = { ...pack, 'evals/t.eval.yaml': suite('t', four), '.agent/config.json': config() }

const resultsPath = (p: Project) => join(p.dir, 'reports/latest/results.jsonl')
const resultsOf = (p: Project): TrialRow[] =>
  readFileSync(resultsPath(p), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
/** As if the run had been killed when this many trials had ended. */
const cutTo = (p: Project, lines: number, torn = '') => {
  reopen(p)
  const all = readFileSync(resultsPath(p), 'utf8').split('\n')
  writeFileSync(
    resultsPath(p),
    all
      .slice(0, lines)
      .map((line) => `${line}\n`)
      .join('') + torn,
  )
}
const runFolders = (p: Project) => readdirSync(join(p.dir, 'reports')).filter((name) => name !== 'latest')
/** The cases whose trials were run by the last command, by their names. */
const ranSince = (p: Project, kept: number) =>
  resultsOf(p)
    .slice(kept)
    .map((row) => `${row.suite}/${row.case}`)
    .sort()

describe('a run that did not end', () => {
  test('goes on in its folder: what is there is kept, what is missing is run, the reports are of the whole', () => {
    using p = project(files)
    const whole = p.cli(['run', '--json', '--concurrency', '1'])
    const kept = resultsOf(p)[0]
    cutTo(p, 1)
    const { code, json, err } = p.cli(['run', '--resume', '--json'])
    expect(code, err).toBe(0)
    expect(err).toMatch(/resuming \S+: 1 trial is there/)
    expect(withoutTimes(json)).toEqual(withoutTimes(whole.json))
    expect((json as RunResult).id).toBe((whole.json as RunResult).id)
    expect(resultsOf(p)[0]).toEqual(kept)
    expect(ranSince(p, 1)).toEqual(['t/b', 't/c', 't/d'])
    expect(runFolders(p)).toHaveLength(1)
  })

  test('drops a torn last line, and what no line of results is', () => {
    using p = project(files)
    const whole = p.cli(['run', '--json', '--concurrency', '1'])
    cutTo(p, 2, '{"suite":"t","case":"c","mod')
    expect(withoutTimes(p.cli(['run', '--resume', '--json']).json)).toEqual(withoutTimes(whole.json))
    expect(ranSince(p, 2)).toEqual(['t/c', 't/d'])
    const [first, second] = resultsOf(p)
    cutTo(p, 0)
    appendFileSync(
      resultsPath(p),
      `${JSON.stringify({ ...first, usage: 'much' })}\nnonsense\n${JSON.stringify(second)}\n`,
    )
    expect(withoutTimes(p.cli(['run', '--resume', '--json']).json)).toEqual(withoutTimes(whole.json))
  })

  test.each<[string, Record<string, string>, string[]]>([
    [
      'the case',
      {
        'evals/t.eval.yaml':
          suite('t', ['a'], ', tags: [x]').replace('equals: ok', 'contains: o') +
          suite('t', ['b', 'c', 'd']).split('cases:\n')[1],
      },
      ['t/a'],
    ],
    ['a fixture', { 'fixtures/sales.csv': 'month,revenue\n' }, ['t/a', 't/b', 't/c', 't/d']],
    ['a skill', { 'skills/pdf-forms/references/new.md': 'New.\n' }, ['t/a', 't/b', 't/c', 't/d']],
    ['the profile', { '.agent/config.json': config({}, { protocol: 'text' }) }, ['t/a', 't/b', 't/c', 't/d']],
    [
      'the permissions',
      { '.agent/config.json': config({ permissions: { allow: ['read_file'] } }) },
      ['t/a', 't/b', 't/c', 't/d'],
    ],
    ['tags and trials only', { 'evals/t.eval.yaml': suite('t', four, ', tags: [x], pass_threshold: 0.5') }, []],
    ['another case', { 'evals/t.eval.yaml': suite('t', ['new', ...four]) }, ['t/new']],
    ['what is no part of it', { 'fixtures/other.csv': 'x', 'skills/csv-analyzer/evals/e.txt': 'x' }, []],
  ])('runs again what %s changes, and nothing else', (_what, change, again) => {
    using p = project(files)
    expect(p.cli(['run', '-q']).code).toBe(0)
    p.write(change)
    reopen(p)
    const { err } = p.cli(['run', '--resume', '-q'])
    expect(ranSince(p, 4), err).toEqual(again)
    expect(runOf(p).summary.trials).toBe(again.includes('t/new') ? 5 : 4)
  })

  test('counts what is kept as if it had been run: triggers, thresholds, cost and exit code', () => {
    const evals = `name: t\nskills: [../skills]\nmodel: m\nthresholds: {trigger: {recall: 1}}\ncases:
  - {id: hit, input: x, mock: [{select_skills: csv-analyzer}, {final_answer: ok}], expected: {skills: [csv-analyzer]}}
  - {id: miss, input: x, mock: [{final_answer: ok}], expected: {skills: {includes: [csv-analyzer]}}}
  - {id: broken, input: x, mock: []}\n`
    using p = project({
      ...files,
      'evals/t.eval.yaml': evals,
      '.agent/config.json': config({}, { price: { input: 3, output: 15 } }),
    })
    const whole = p.cli(['run', '--json'])
    cutTo(p, 2)
    const resumed = p.cli(['run', '--resume', '--json'])
    expect(resumed.code).toBe(whole.code)
    expect(withoutTimes(resumed.json)).toEqual(withoutTimes(whole.json))
    expect((resumed.json as RunResult).summary.trigger).toMatchObject({ tp: 1, fn: 1 })
    expect((resumed.json as RunResult).summary.cost_usd).toBeGreaterThan(0)
  })

  test('is told of with the command that goes on, which does', async () => {
    using p = project({
      ...files,
      'evals/t.eval.yaml': suite(
        't',
        Array.from({ length: 60 }, (_, i) => `c${i}`),
      ),
      '.agent/config.json': config({}, { params: { latency_ms: 60 } }),
    })
    const run = p.start(['run', '--concurrency', '1'])
    await vi.waitFor(() => expect(run.said.err).toContain('t/c3'), { timeout: 20_000, interval: 20 })
    run.kill('SIGINT')
    expect(await run.ended).toBe(130)
    const [, command = ''] = /to go on: skills-eval (.*)/.exec(run.said.err) ?? []
    const kept = resultsOf(p).length
    expect(kept).toBeGreaterThan(3)
    const { code, json } = p.cli([...command.split(' '), '--json', '--concurrency', '16'])
    expect(code).toBe(0)
    expect((json as RunResult).summary).toMatchObject({ cases: 60, passed: 60, skipped: 0 })
    expect(json).not.toHaveProperty('interrupted')
    expect(resultsOf(p)).toHaveLength(60)
  })

  test('goes on after --bail, which counts what fails from now on', () => {
    const bad = (ids: readonly string[]) => suite('t', ids).replaceAll('final_answer: ok', 'final_answer: no')
    using p = project({ ...files, 'evals/t.eval.yaml': bad(four) })
    p.cli(['run', '-q', '--bail', '--concurrency', '1'])
    expect(resultsOf(p)).toHaveLength(1)
    p.cli(['run', '-q', '--resume', '--bail', '2', '--concurrency', '1'])
    expect(resultsOf(p)).toHaveLength(3)
    expect(p.cli(['run', '-q', '--resume']).code).toBe(1)
    expect(resultsOf(p)).toHaveLength(4)
  })

  test('has kept the recordings of what is done, and records anew what was cut short', () => {
    using p = project({ ...files, 'evals/t.eval.yaml': suite('t', ['a', 'b'], ', trials: 3') })
    expect(p.cli(['run', '-q', '--record', 'all', '--concurrency', '1']).code).toBe(0)
    cutTo(p, 5)
    expect(p.cli(['run', '-q', '--resume']).code).toBe(0)
    expect(ranSince(p, 5)).toEqual(['t/b', 't/b', 't/b'])
    expect(runOf(p).summary.trials).toBe(6)
    expect(cassetteOf(p, 'recordings/t/b/m.json').trials).toHaveLength(3)
    // A replay goes by its recordings.
    p.cli(['run', '-q', '--record', 'replay'])
    const path = join(p.dir, 'recordings/t/a/m.json')
    writeFileSync(path, `${readFileSync(path, 'utf8')}\n`)
    reopen(p)
    p.cli(['run', '-q', '--resume'])
    expect(ranSince(p, 6)).toEqual(['t/a', 't/a', 't/a'])
  })

  test('records anew what was cut short also where the judge alone is recorded', () => {
    const judged = `name: t
skills: []
cases:
  - {id: a, input: x, trials: 3, mock: [{final_answer: ok}], mock_judge: [{verdict: pass}], expected: {output: [{rubric: is ok}]}}
`
    const models = { judge: { provider: 'mock', record: 'missing' } }
    using p = project({ ...files, '.agent/config.json': JSON.stringify({ models }), 'evals/t.eval.yaml': judged })
    const atHome = { CI: '' }
    expect(p.cli(['run', '-q', '--concurrency', '1'], atHome)).toMatchObject({ code: 0 })
    rmSync(join(p.dir, 'recordings'), { recursive: true })
    cutTo(p, 1)
    expect(p.cli(['run', '-q', '--resume'], atHome)).toMatchObject({ code: 0 })
    expect(cassetteOf(p, 'recordings/t/a/mock.json').trials).toHaveLength(3)
  })
})

test('results that the disk does not take end the run with the command that goes on, and exit 3', () => {
  using p = project({ ...files, 'evals/t.eval.yaml': suite('t', four, ', trials: 40') })
  const cli = join(root, 'dist/skills-eval.cjs')
  // No file may grow beyond 8 blocks: as a full disk, but for everybody.
  const said = p.run('sh', [
    '-c',
    `trap '' XFSZ; ulimit -f 8; '${process.execPath}' '${cli}' run -q 2>&1; echo "exit $?"`,
  ])
  expect(said).toMatch(/^error: results\.jsonl can't be written: /m)
  expect(said).toMatch(/^to go on: skills-eval run --resume \S+\nexit 3$/m)
  const { code, json } = p.cli(['run', '--resume', '--json'])
  expect(code).toBe(0)
  expect((json as RunResult).summary.trials).toBe(160)
})

describe('a run that has ended', () => {
  test('stays what it was: where cases have changed since, that is another run', () => {
    using p = project(files)
    p.cli(['run', '-q'])
    const before = readFileSync(resultsPath(p), 'utf8')
    p.write({ 'evals/t.eval.yaml': suite('t', ['a', 'b', 'c', 'new']) })
    expect(p.cli(['run', '--resume'])).toMatchObject({
      code: 2,
      err: expect.stringMatching(
        /^error: the run \S+ has ended, and 1 case is not what it was then\n.*--rerun failed/m,
      ),
    })
    expect(readFileSync(resultsPath(p), 'utf8')).toBe(before)
  })

  test('is told once more where nothing has changed', () => {
    using p = project(files)
    const whole = p.cli(['run', '--json'])
    const again = p.cli(['run', '--resume', '--json'])
    expect(again.code).toBe(whole.code)
    expect(withoutTimes(again.json)).toEqual(withoutTimes(whole.json))
    expect(resultsOf(p)).toHaveLength(4)
  })
})

describe('--resume', () => {
  test('takes over the options of the run, from whichever folder', () => {
    using p = project({ ...files, 'evals/u.eval.yaml': suite('u', four) })
    p.cli([
      'run',
      'evals/t.eval.yaml',
      '-q',
      '--trials',
      '2',
      '--filter',
      'a',
      '--seed',
      '5',
      '--reporter',
      'junit=j.xml',
    ])
    cutTo(p, 1)
    writeFileSync(join(p.dir, 'j.xml'), '')
    const { code, json, err } = p.cli(['run', '--resume', '-C', 'fixtures', '--json', '--filter', 'a'])
    expect(code, err).toBe(0)
    expect(json).toMatchObject({ seed: 5, summary: { cases: 1, trials: 2 } })
    p.cli(['run', '--resume', '-q'])
    expect(readFileSync(join(p.dir, 'j.xml'), 'utf8')).toContain('<testsuite')
  })

  test.each([
    ['--trials 3', '--trials 2'],
    ['--filter b', '--filter a'],
    ['--seed 6', '--seed was not given'],
    ['--model other', '--model was not given'],
    ['--record all', '--record was not given'],
    ['--allow-stale', '--allow-stale was not given'],
  ])('refuses %s where the run was started otherwise', (given, told) => {
    using p = project(files)
    p.cli(['run', '-q', '--trials', '2', '--filter', 'a'])
    const before = readFileSync(resultsPath(p), 'utf8')
    const { code, err } = p.cli(['run', '--resume', 'latest', ...given.split(' ')])
    expect({ code, told: err.includes(told) }, err).toEqual({ code: 2, told: true })
    expect(readFileSync(resultsPath(p), 'utf8')).toBe(before)
    expect(runFolders(p)).toHaveLength(1)
  })

  test('wants trust to be given again', () => {
    using p = project(files)
    p.cli(['run', '-q', '--trust-suites'])
    const { code, err } = p.cli(['run', '--resume', '-q'])
    expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining('give --trust-suites again') })
    expect(p.cli(['run', '--resume', '-q', '--trust-suites']).code).toBe(0)
  })

  test('finds a run by its id, how it starts, its folder, `latest` and `previous`', () => {
    using p = project(files)
    p.cli(['run', '-q', '--filter', 'a'])
    p.cli(['run', '-q', '--filter', 'b'])
    const [older = '', newer = ''] = runFolders(p)
    const idOf = (wanted: string) => (p.cli(['run', '--json', '--resume', wanted]).json as RunResult | undefined)?.id
    expect(['latest', 'previous', older, `reports/${older}`, newer].map(idOf)).toEqual([
      newer,
      older,
      older,
      older,
      newer,
    ])
    const { code, err } = p.cli(['run', '--resume', 'nothing'])
    expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining('there is no run nothing') })
    expect(p.cli(['run', '--resume', 'evals'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('run-state.json'),
    })
  })

  test('says in words what is wrong where there is none, or a damaged one', () => {
    using p = project(files)
    expect(p.cli(['run', '--resume'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('there is no latest run'),
    })
    p.cli(['run', '-q'])
    for (const text of ['{', '{}', '[]', '{"format":"skills-eval/run-state@1","options":{"paths":[7]}}']) {
      writeFileSync(join(p.dir, 'reports/latest/run-state.json'), text)
      const { code, err } = p.cli(['run', '--resume'])
      expect({ code, err }).toMatchObject({
        code: 2,
        err: expect.stringMatching(/can't be resumed: its run-state.json is/),
      })
    }
  })

  test.each([{ baseline: 5 }, { reporters: [{ name: 'nope' }] }, { minLift: 'much' }, { nothingOfOurs: true }])(
    'says in words that %j is no option of a run',
    (options) => {
      using p = project(files)
      p.cli(['run', '-q'])
      const path = join(p.dir, 'reports/latest/run-state.json')
      const state = JSON.parse(readFileSync(path, 'utf8'))
      writeFileSync(path, JSON.stringify({ ...state, options: { ...state.options, ...options } }))
      const { code, err } = p.cli(['run', '--resume'])
      expect({ code, err }).toMatchObject({
        code: 2,
        err: expect.stringContaining("can't be resumed: its run-state.json is"),
      })
      expect(p.cli(['run', '--rerun', 'failed']).code).toBe(2)
    },
  )

  test('says in words that the results are a folder', () => {
    using p = project(files)
    p.cli(['run', '-q'])
    rmSync(resultsPath(p))
    mkdirSync(resultsPath(p))
    const { code, err } = p.cli(['run', '--resume'])
    expect({ code, err }).toMatchObject({
      code: 2,
      err: expect.stringMatching(/results\.jsonl can't be read: it is a folder/),
    })
    expect(runFolders(p)).toHaveLength(1)
  })

  test('leaves a run alone that another process is at', async () => {
    using p = project({ ...files, '.agent/config.json': config({}, { params: { latency_ms: 3000 } }) })
    const run = p.start(['run', '--concurrency', '1'])
    await vi.waitFor(() => expect(runFolders(p).length).toBe(1), { timeout: 20_000, interval: 20 })
    const [id = ''] = runFolders(p)
    await vi.waitFor(() => expect(readdirSync(join(p.dir, 'reports', id))).toContain('results.jsonl'), {
      timeout: 20_000,
    })
    const { code, err } = p.cli(['run', '--resume', id])
    expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining('still going on') })
    run.kill('SIGKILL')
    await run.ended
    expect(readdirSync(join(p.dir, 'reports', id))).toContain('.lock')
    writeFileSync(join(p.dir, '.agent/config.json'), config())
    expect(p.cli(['run', '--resume', id, '-q']).code).toBe(0)
    expect(readdirSync(join(p.dir, 'reports', id))).not.toContain('.lock')
  })

  test('keeps the state free of secrets', () => {
    using p = project(files)
    const secret = 'sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789'
    p.cli(['run', '-q', '--filter', 'a', '--filter', secret])
    expect(readFileSync(join(p.dir, 'reports/latest/run-state.json'), 'utf8')).not.toContain(secret)
  })
})
