import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { RunResult, TrialRow } from '../src/core/results.ts'
import { project, skill } from './support/cli.ts'
import { reopen } from './support/reopen.ts'
import { withoutTimes } from './support/without-times.ts'

// Baselines, audits, judges, distractors, adaptive trials, shards and sessions of one run, each beside the others.
type Project = ReturnType<typeof project>

const judgeAnswers = 'mock_judge: [{criterion: month, verdict: pass, quote: Feb}, {verdict: fail, reason: no}]'
const suite = (top = '', wrong = 'pdf') => `name: t
skills: [../skills]
model: m
${top}
cases:
  - id: helped
    input: Which month?
    trials: {max: 6, stop: decided}
    pass_threshold: 0.5
    mock:
      rules:
        - {when: {skill_available: csv, turn: 1}, do: [{select_skills: csv}]}
        - {when: {skill_loaded: csv}, do: [{final_answer: "Feb, ok"}]}
      otherwise: [{final_answer: "plain, ok"}]
    expected: {skills: [csv], output: [{contains: Feb}, {contains: ok}]}
  - id: judged
    input: Which month?
    mock: [{final_answer: Feb}]
    ${judgeAnswers}
    expected: {output: [{rubric: names the month}, {contains: Feb}]}
  - id: mistaken
    input: Fill it.
    mock: [{select_skills: ${wrong}}, {final_answer: done}]
    expected: {skills: [csv]}
  - {id: last, input: x, mock: [{final_answer: ok}], expected: {skills: [], output: [{equals: ok}]}}
`
const price = { input: 1, output: 2 }
const files = (top?: string, wrong?: string) => ({
  'skills/csv/SKILL.md': skill('csv', 'Summarise the figures of CSV files.'),
  'skills/pdf/SKILL.md': skill('pdf', 'Summarise the pages of PDF files.'),
  'evals/t.eval.yaml': suite(top, wrong),
  '.agent/config.json': JSON.stringify({
    models: { m: { provider: 'mock', price }, judge: { provider: 'mock', price } },
  }),
})

const runs = (p: Project, ...words: readonly string[]) => {
  const { json, ...rest } = p.cli(['run', '--json', '--concurrency', '1', ...words])
  return { ...rest, run: json as RunResult }
}
/** As if the run had been killed when this many trials had ended. */
const cutTo = (p: Project, count: number) => {
  reopen(p)
  const path = join(p.dir, 'reports/latest/results.jsonl')
  const lines = readFileSync(path, 'utf8').split('\n')
  writeFileSync(path, lines.slice(0, count).join('\n') + (count === 0 ? '' : '\n'))
  return lines.slice(0, -1).map((line) => JSON.parse(line) as TrialRow)
}
const caseOf = (run: RunResult, id: string) => run.suites[0]?.cases.find((one) => one.id === id)

describe('a run that goes on', () => {
  test('has the baseline, the audit and the costs of the judge that it would have had', () => {
    using p = project(files('distractors: 4'))
    const whole = runs(p, '--baseline', 'without:csv', '--fresh-baseline', '--audit')
    expect(whole.run.baseline?.lift.cases).toBeGreaterThan(0)
    expect(whole.run.audit).toMatchObject({ mode: 'warn', cases: 4 })
    expect(whole.run.summary.judge.cost_usd).toBeGreaterThan(0)
    for (const count of [0, 2, 4]) {
      cutTo(p, count)
      const resumed = runs(p, '--resume')
      expect(resumed.code, resumed.err).toBe(whole.code)
      expect(withoutTimes(resumed.run)).toEqual(withoutTimes(whole.run))
    }
  })

  test('runs a judged case again where the judge has changed, and no other', () => {
    using p = project(files())
    runs(p)
    const before = cutTo(p, 4).length
    const config = JSON.parse(files()['.agent/config.json']) as { models: { judge: object } }
    config.models.judge = { ...config.models.judge, price: { input: 3, output: 3 } }
    p.write({ '.agent/config.json': JSON.stringify(config) })
    const { run } = runs(p, '--resume')
    expect(cutTo(p, 4)).toHaveLength(before + 4)
    expect(run.summary.judge.cost_usd).toBeGreaterThan(0)
  })
})

describe('a baseline', () => {
  test('has the distractors of the run, ends adaptive trials early, and judges its rubrics', () => {
    using p = project(files('distractors: 3'))
    const [name = ''] = runs(p, '--filter', 'last').run.suites[0]?.distractors ?? []
    p.write(files('distractors: 3', name))
    const { run } = runs(p, '--baseline', 'without:csv')
    const arm = JSON.parse(readFileSync(join(p.dir, 'reports/latest/baseline/run.json'), 'utf8')) as RunResult
    expect(caseOf(arm, 'helped')).toMatchObject({ status: 'failed', trials_planned: 6 })
    // Three of six that pass are half of them; of those that fail it takes one more.
    expect(caseOf(run, 'helped')?.trials).toHaveLength(3)
    expect(caseOf(arm, 'helped')?.trials).toHaveLength(4)
    expect(caseOf(run, 'helped')?.baseline).toMatchObject({ pass_rate: 0, head_pass_rate: 1, lift: 1 })
    expect(arm.summary.judge.cost_usd).toBe(run.summary.judge.cost_usd)
    expect(caseOf(arm, 'judged')?.trials[0]?.checks.map(({ kind }) => kind)).toContain('rubric')
    expect(caseOf(run, 'mistaken')?.trials[0]?.skills_selected).toEqual([name])
  })

  test.each([
    ['--baseline', 'without_skills'],
    ['--audit', undefined],
  ])('%s is refused in a shard, with the way out', (option, value) => {
    using p = project(files())
    const { code, err } = p.cli(['run', '--shard', '1/2', option, ...(value === undefined ? [] : [value])])
    expect(code).toBe(2)
    expect(err).toMatch(/^error: --shard and --(?:baseline|audit) do not go together\n.*without --shard/m)
  })
})

test('shards merged have the distractors, the mistaken pairs and the costs of the judge that the whole has', () => {
  using p = project(files('distractors: 3'))
  const whole = runs(p)
  expect(whole.run.interference).toEqual([
    { skills: ['csv', 'pdf'], times: [1, 0], shared_words: expect.arrayContaining(['summarise', 'files']) },
  ])
  const shards = ['1/3', '2/3', '3/3'].map((shard) => runs(p, '--shard', shard).run.id)
  const merged = p.cli(['merge', '--json', ...shards.toReversed()])
  expect(merged.code, merged.err).toBe(whole.code)
  expect(withoutTimes(merged.json)).toEqual(withoutTimes(whole.run))
})

test('a case that failed is run again with its baseline alone', () => {
  using p = project(files())
  runs(p)
  const { run } = runs(p, '--rerun', 'failed', '--baseline', 'without:csv')
  expect(run.suites[0]?.cases.map(({ id }) => id)).toEqual(['mistaken'])
  expect(run.baseline?.arm).toEqual({ kind: 'without', skill: 'csv' })
})
