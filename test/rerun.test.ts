import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { RunResult } from '../src/core/results.ts'
import { pack, project } from './support/cli.ts'
import { config } from './support/recorded-project.ts'

const one = (id: string, answer: string) =>
  `  - {id: ${id}, input: x, mock: [${answer === '' ? '' : `{final_answer: ${answer}}`}], expected: {output: [{equals: ok}]}}\n`
const suite = (name: string, cases: Readonly<Record<string, string>>) =>
  `name: ${name}\nskills: []\ncases:\n${Object.entries(cases)
    .map(([id, answer]) => one(id, answer))
    .join('')}`
const files = {
  ...pack,
  'evals/t.eval.yaml': suite('t', { good: 'ok', bad: 'no', broken: '' }),
  'evals/u.eval.yaml': suite('u', { good: 'ok', bad: 'no' }),
  '.agent/config.json': config({ model: 'm' }),
}
const casesOf = (json: unknown) =>
  (json as RunResult | undefined)?.suites.flatMap(({ name, cases }) =>
    cases.map(({ id, model }) => `${name}/${id} ${model}`),
  )

describe('--rerun', () => {
  test('makes a new run of the cases that ended so, and of those that still do the next time', () => {
    using p = project(files)
    const first = p.cli(['run', '--json']).json as RunResult
    const again = p.cli(['run', '--rerun', 'failed', '--json'])
    expect(casesOf(again.json)).toEqual(['t/bad m', 'u/bad m'])
    expect(again.code).toBe(1)
    expect((again.json as RunResult).id).not.toBe(first.id)
    p.write({ 'evals/u.eval.yaml': suite('u', { good: 'ok', bad: 'ok' }) })
    expect(casesOf(p.cli(['run', '--rerun', 'failed', '--json']).json)).toEqual(['t/bad m', 'u/bad m'])
    expect(casesOf(p.cli(['run', '--rerun', 'failed', '--json']).json)).toEqual(['t/bad m'])
    const ofFirst = ['run', '--rerun-of', first.id, '--json']
    expect(casesOf(p.cli([...ofFirst, '--rerun', 'error']).json)).toEqual(['t/broken m'])
    const all = ['t/bad m', 't/broken m', 'u/bad m']
    expect(casesOf(p.cli([...ofFirst, '--rerun', 'failed,error']).json)).toEqual(all)
    expect(casesOf(p.cli([...ofFirst, '--rerun', 'failed', '--rerun', 'error']).json)).toEqual(all)
  })

  test('takes over how the run was started, and what is given is given', () => {
    using p = project({
      ...files,
      '.agent/config.json': config({ models: { m: { provider: 'mock' }, n: { provider: 'mock' } } }),
    })
    p.cli(['run', 'evals/t.eval.yaml', '-q', '--model', 'n', '--model', 'm', '--trials', '2', '--seed', '9'])
    const same = p.cli(['run', '--rerun', 'failed', '--json']).json as RunResult
    expect(casesOf(same)).toEqual(['t/bad n', 't/bad m'])
    expect(same).toMatchObject({ seed: 9, summary: { trials: 4 } })
    const other = p.cli(['run', '--rerun', 'failed', '--json', '--trials', '1', '--model', 'm']).json as RunResult
    expect(casesOf(other)).toEqual(['t/bad m'])
    expect(other.summary.trials).toBe(1)
  })

  test('that was interrupted goes on with the cases it was to run, and no others', () => {
    using p = project(files)
    p.cli(['run', '-q'])
    p.cli(['run', '-q', '--rerun', 'failed'])
    const results = join(p.dir, 'reports/latest/results.jsonl')
    writeFileSync(results, `${readFileSync(results, 'utf8').split('\n')[0]}\n`)
    const state = join(p.dir, 'reports/latest/run-state.json')
    writeFileSync(state, readFileSync(state, 'utf8').replace('"ended": true', '"ended": false'))
    const { json, err } = p.cli(['run', '--resume', '--json'])
    expect(casesOf(json), err).toEqual(['t/bad m', 'u/bad m'])
  })

  test('of a shard runs all of it that ended so, and is no shard', () => {
    using p = project({ ...files, 'evals/u.eval.yaml': suite('u', { a: 'no', b: 'no', c: 'no', d: 'no' }) })
    p.cli(['run', '-q'])
    const { id } = p.cli(['run', '--json', '--shard', '1/2']).json as RunResult
    const shard = ['run', '--json', '--shard', '1/2', '--timings', id]
    const failed = (p.cli(shard).json as RunResult).suites.flatMap(({ name, cases }) =>
      cases.flatMap((one) => (one.status === 'failed' ? [`${name}/${one.id} ${one.model}`] : [])),
    )
    const again = p.cli(['run', '--rerun', 'failed', '--json'])
    expect(failed.length).toBeGreaterThan(1)
    expect(casesOf(again.json), again.err).toEqual(failed)
    expect(again.json).not.toHaveProperty('shard')
  })

  test('says so and exits 0 where no case ended so, and 2 where those that did are gone', () => {
    using p = project({ ...files, 'evals/t.eval.yaml': suite('t', { good: 'ok' }) })
    p.cli(['run', '-q', 'evals/t.eval.yaml'])
    const { code, out, err } = p.cli(['run', '--rerun', 'failed,stale'])
    expect({ code, out }).toEqual({ code: 0, out: '' })
    expect(err).toMatch(/no case of \S+ ended as failed or stale: there is nothing to run again/)
    p.cli(['run', '-q', 'evals'])
    rmSync(join(p.dir, 'evals/u.eval.yaml'))
    expect(p.cli(['run', '--rerun', 'failed'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('no case is left by --rerun failed'),
    })
  })

  test.each([
    [['--rerun', 'fail'], 'Did you mean failed?'],
    [['--rerun', 'failed', '--rerun-of', 'nope'], 'there is no run nope'],
    [['--rerun', 'failed', '--resume'], '--resume and --rerun do not go together'],
    [['--rerun-of', 'latest'], '--rerun-of goes with --rerun'],
    [['--rerun', 'failed'], 'there is no latest run'],
  ])('%j is a mistake', (args, told) => {
    using p = project(files)
    expect(p.cli(['run', ...args])).toMatchObject({ code: 2, err: expect.stringContaining(told) })
  })
})

test('says of cases that did not end so that they did not', () => {
  using p = project(files)
  p.cli(['run', '-q'])
  const { code, err } = p.cli(['run', '--rerun', 'failed', '--filter', 'good'])
  expect(code).toBe(2)
  expect(err).toContain('None of the cases that --filter good leaves ended as failed in that run.')
})

test.each([
  [['run', '--resume', 'evals'], 'Paths stand before --resume, or behind --resume=RUN.'],
  [['run', '--baseline', 'without_skills', '--baseline', 'without:csv'], 'a run has one baseline'],
  [['run', '--baseline', 'without_skill'], 'Did you mean without_skills?'],
  [['skills', 'coverage', 'recordings'], 'no suite found in recordings'],
  [['judge', 'calibrate', '--judges', '16'], 'It must be at most 15.'],
])('%j is told as what it is', (args, told) => {
  using p = project({ ...files, 'recordings/x': '' })
  expect(p.cli(args)).toMatchObject({ code: 2, err: expect.stringContaining(told) })
})
