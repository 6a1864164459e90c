import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { CheckHistory } from '../src/core/results.ts'
import { project } from './support/cli.ts'

const suite = (answer: string) => ({
  'package.json': '{}',
  'evals/t.eval.yaml': `name: t
skills: []
model: mock
cases:
  - id: a
    input: x
    trials: 5
    mock: [{final_answer: ${answer}}]
    expected: {output: [{contains: o}, {contains: never}, {equals: ok}], actions: {never: [grep]}}
  - {id: row, each: [{w: one}, {w: two}], input: "{{w}}", mock: [{final_answer: "{{w}}"}], expected: {output: [{equals: "{{w}}"}]}}
`,
})
const afterTwoRuns = () => {
  const p = project(suite('ok'))
  p.cli(['run', '-q'])
  p.write(suite('no'))
  p.cli(['run', '-q'])
  return p
}
const audit = (p: ReturnType<typeof project>, ...args: readonly string[]) => {
  const result = p.cli(['runs', 'audit', '--json', ...args])
  return { ...result, data: result.json as CheckHistory }
}
const told = (records: CheckHistory['never_failed']) => records.map((one) => `${one.case} ${one.check} ${one.trials}`)
const ids = (p: ReturnType<typeof project>) => readdirSync(join(p.dir, 'reports')).filter((name) => /^\d/.test(name))

describe('runs audit', () => {
  test('tells over all stored runs which checks never failed and which always did, with what that is worth', () => {
    using p = afterTwoRuns()
    const { data, code } = audit(p, '--min-trials', '4')
    expect(code).toBe(0)
    expect(told(data.never_failed)).toEqual(['a contains "o" 10', 'row/* equals "…" 4'])
    expect(told(data.always_failed)).toEqual(['a contains "never" 10'])
    expect(data.never_failed[0]).toMatchObject({ suite: 't', kind: 'contains', failed: 0, bound: 0.3 })
    expect(data).toMatchObject({ trials: 14, checks: 5, guards: 1, too_few: 0, min_trials: 4 })
    expect(data.runs).toEqual(ids(p).toReversed())
    const { out } = p.cli(['runs', 'audit', '--min-trials', '4'])
    expect(out).toMatch(/^never failed +check +trials +fails at most\nt\/a +contains "o" +10 +30%\n/)
    expect(out).toMatch(/\nalways failed +check +trials +holds at most\nt\/a +contains "never" +10 +30%\n/)
    expect(out).toContain('2 runs, 14 trials, 5 checks; 2 never failed, 1 always did')
  })

  test('lists nothing with fewer trials than 20, or than are asked for', () => {
    using p = afterTwoRuns()
    expect(audit(p).data).toMatchObject({ min_trials: 20, too_few: 5, never_failed: [], always_failed: [] })
    expect(told(audit(p, '--min-trials', '5').data.never_failed)).toEqual(['a contains "o" 10'])
  })

  test('takes the runs that are named, each once, and a run.json from elsewhere', () => {
    using p = afterTwoRuns()
    const [first = '', second = ''] = ids(p)
    const one = audit(p, 'latest', second, '--min-trials', '1').data
    expect(one).toMatchObject({ runs: [second], trials: 7 })
    expect(told(one.always_failed)).toContain('a equals "ok" 5')
    p.write({ 'other/run.json': readFileSync(join(p.dir, 'reports', first, 'run.json'), 'utf8') })
    const other = audit(p, 'other/run.json', '--min-trials', '1').data
    expect(told(other.never_failed)).toEqual(['a contains "o" 5', 'a equals "ok" 5', 'row/* equals "…" 2'])
  })

  test('reads run.json where there is no results.jsonl, and leaves damaged lines out', () => {
    using p = afterTwoRuns()
    const [first = '', second = ''] = ids(p)
    rmSync(join(p.dir, 'reports', first, 'results.jsonl'))
    p.write({ [`reports/${second}/results.jsonl`]: '{"suite": "t"\n\n[]\n' })
    expect(audit(p, '--min-trials', '1').data).toMatchObject({ trials: 7 })
  })

  test('counts a trial once that a resumed run has made anew', () => {
    using p = afterTwoRuns()
    const path = join(p.dir, 'reports', ids(p).toSorted().at(-1) ?? '', 'results.jsonl')
    const before = audit(p, 'latest', '--min-trials', '1').data
    const lines = readFileSync(path, 'utf8')
    writeFileSync(path, `${lines.replaceAll('"passed":true', '"passed":false')}${lines}`)
    expect(audit(p, 'latest', '--min-trials', '1').data).toEqual(before)
  })

  test('groups rows with ids of their own, and leaves out what is expected to fail', () => {
    using p = project({
      'package.json': '{}',
      'evals/t.eval.yaml': `name: t
skills: []
model: mock
cases:
  - {id: "row-{{w}}", each: [{w: one}, {w: two}], input: x, mock: [{final_answer: "{{w}}"}], expected: {output: [{equals: "{{w}}"}]}}
  - {id: bad, xfail: not yet, input: x, mock: [{final_answer: no}], expected: {output: [{equals: ok}]}}
`,
    })
    p.cli(['run', '-q'])
    const check = () => {
      const { data } = audit(p, 'latest', '--min-trials', '1')
      expect(told(data.never_failed)).toEqual(['row-{{w}} equals "…" 2'])
      expect(data).toMatchObject({ trials: 2, xfail: 1, always_failed: [] })
    }
    check()
    expect(p.cli(['runs', 'audit']).out).toContain('1 trial of cases that should fail left out')
    rmSync(join(p.dir, 'reports', ids(p)[0] ?? '', 'results.jsonl'))
    check()
    for (const i of [1, 2]) p.cli(['run', '-q', '--shard', `${i}/2`])
    p.cli(['merge', '-q', ...ids(p).slice(1)])
    check()
  })

  test('counts shards once that lie beside the run they were merged into', () => {
    using p = project(suite('ok'))
    for (const i of [1, 2]) p.cli(['run', '-q', '--shard', `${i}/2`])
    const [one = '', two = ''] = ids(p)
    expect(audit(p, '--min-trials', '1').data).toMatchObject({ trials: 7 })
    expect(p.cli(['merge', '-q', '--partial', one]).code).not.toBe(2)
    expect(p.cli(['merge', '-q', one, two]).code).not.toBe(2)
    const { data } = audit(p, '--min-trials', '1')
    expect(data.trials).toBe(7)
    expect(data.runs).toEqual([ids(p).at(-1)])
    expect(JSON.parse(readFileSync(join(p.dir, 'reports/latest/run.json'), 'utf8'))).toMatchObject({
      merged_from: [
        { index: 1, id: one },
        { index: 2, id: two },
      ],
    })
    p.cli(['run', '-q'])
    expect(audit(p, '--min-trials', '1').data).toMatchObject({ trials: 14 })
  })

  test('a run that is none, and no runs at all, are mistakes of the command', () => {
    using p = project({ 'package.json': '{}' })
    expect(p.cli(['runs', 'audit'])).toMatchObject({ code: 2, err: expect.stringContaining('there are no runs') })
    expect(p.cli(['runs', 'audit', 'nothing']).code).toBe(2)
    expect(p.cli(['runs', 'audit', '--min-trials', '0']).code).toBe(2)
    expect(p.cli(['runs', 'audit', '--help']).out).toContain('--min-trials <n>')
  })
})
