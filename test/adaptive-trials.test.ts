import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LLMock } from '@copilotkit/aimock'
import { describe, expect, test } from 'vitest'
import type { RunResult } from '../src/core/results.ts'
import { pack, project, skill } from './support/cli.ts'
import { cassetteOf, config } from './support/recorded-project.ts'
import { reopen } from './support/reopen.ts'
import { withoutTimes } from './support/without-times.ts'

const suite = (trials: string, threshold: number, model = 'm', answer = 'ok') =>
  `name: t\nskills: []\nmodel: ${model}\ncases:
  - {id: a, input: x, trials: ${trials}, pass_threshold: ${threshold}, mock: [{final_answer: ${answer}}], expected: {output: [{equals: ok}]}}\n`
const decided = '{max: 30, stop: decided}'
const files = { ...pack, '.agent/config.json': config() }
const runOf = (json: unknown) => json as RunResult
const live = () => ({ provider: 'openai', model: 'x', base_url: 'http://127.0.0.1:9/v1' })
const caseOf = (json: unknown) => runOf(json).suites[0]?.cases[0]

describe('trials: {max, stop: decided}', () => {
  test.each([
    ['ok', 0.5, 0, 7, 'passed'],
    ['no', 0.5, 1, 7, 'failed'],
    ['no', 1, 1, 1, 'failed'],
    ['ok', 1, 0, 30, 'passed'],
    ['ok', 0.8, 0, 24, 'passed'],
  ])(
    'with answers "%s" and a threshold of %d ends with %d after %d trials',
    (answer, threshold, code, trials, status) => {
      using p = project({ ...files, 'evals/t.eval.yaml': suite(decided, threshold, 'm', answer) })
      const result = p.cli(['run', '--json', '--concurrency', '3'])
      expect(result.code, result.err).toBe(code)
      expect(caseOf(result.json)).toMatchObject({ status, trials_planned: 30 })
      expect(caseOf(result.json)?.trials).toHaveLength(trials)
      expect(runOf(result.json).summary).toMatchObject({ trials, trials_saved: 30 - trials })
      expect(runOf(result.json).suites[0]?.summary.trials_saved).toBe(30 - trials)
    },
  )

  test('is planned as the most that may run', () => {
    using p = project({ ...files, 'evals/t.eval.yaml': suite(decided, 0.5) })
    const { out } = p.cli(['run', '--dry-run'])
    expect(out).toContain('1 case, up to 30 trials, 0 skipped: nothing was run')
    expect(out).toMatch(/^t +m +1 +up to 30 +0$/m)
    expect(p.cli(['run', '--dry-run', '--json']).json).toMatchObject({ at_most: true, parts: [{ at_most: true }] })
    const exact = p.cli(['run', '--dry-run', '--trials', '9'])
    expect(exact.out).toContain('1 case, 9 trials, 0 skipped')
    const priced = { ...live(), price: { input: 1000, output: 0 } }
    p.write({ '.agent/config.json': JSON.stringify({ models: { m: priced } }) })
    expect(p.cli(['run', '--dry-run', '--record', 'off']).out).toMatch(
      /m would cost up to about \$.* \(up to 30 trials,/,
    )
  })

  test('is told on the terminal and in Markdown; a number on the command line is that number', () => {
    using p = project({ ...files, 'evals/t.eval.yaml': suite(decided, 0.5) })
    expect(p.cli(['run']).out).toContain('trials saved: 23')
    expect(readFileSync(join(p.dir, 'reports/latest/summary.md'), 'utf8')).toContain('trials saved: 23')
    const { json } = p.cli(['run', '--json', '--trials', '9'])
    expect(runOf(json).summary).toMatchObject({ trials: 9 })
    expect(runOf(json).summary).not.toHaveProperty('trials_saved')
    expect(caseOf(json)).not.toHaveProperty('trials_planned')
    p.write({ 'evals/t.eval.yaml': suite('3', 0.5) })
    expect(p.cli(['run']).out).not.toContain('saved')
  })

  test('says why a case failed before all trials were run, and runs at least as many as `min`', () => {
    using p = project({ ...files, 'evals/t.eval.yaml': suite('{max: 30, min: 3, stop: decided}', 1, 'm', 'no') })
    expect(caseOf(p.cli(['run', '--json']).json)?.reason).toMatch(
      /^0 of 3 trials passed, all must, which 3 of up to 30 decided; the first failure: /,
    )
  })

  test('has an interval that allows for stopping, says what it can not know, and warns where it is compared', () => {
    using p = project({ ...files, 'evals/t.eval.yaml': suite(decided, 0.5) })
    expect(p.cli(['run', '-q']).code).toBe(0)
    const { json, code, err } = p.cli(['run', '--json'])
    expect(code, err).toBe(0)
    expect(caseOf(json)).toMatchObject({
      interval: [expect.closeTo(0.5214, 4), 1],
      pass_at_k: { 7: 1, 10: null, 30: null },
      pass_k_reason: 'not known for k > 7: 7 of up to 30 trials ran and could be judged',
    })
    const note = 'Note: the trials of 1 of 1 case end as soon as they decide'
    const compared = p.cli(['compare', 'previous', '--json'])
    expect(compared.json).toMatchObject({ paired: { cases: 1, adaptive: 1 } })
    expect(p.cli(['compare', 'previous']).out).toContain(note)
    expect(p.cli(['compare', 'previous', '--reporter', 'markdown']).out).toContain(note)
    p.write({ 'skills/csv/SKILL.md': skill('csv', 'Summarise CSV files.') })
    p.write({ 'evals/t.eval.yaml': suite(decided, 0.5).replace('skills: []', 'skills: [../skills]') })
    const lifted = p.cli(['run', '--baseline', 'without_skills'])
    expect(lifted.out, lifted.err).toContain(note)
    expect(readFileSync(join(p.dir, 'reports/latest/summary.md'), 'utf8')).toContain(note)
    p.cli(['run', '-q', '--trials', '9'])
    p.cli(['run', '-q', '--trials', '9'])
    expect(p.cli(['compare', 'previous']).out).not.toContain('Note:')
  })

  test('goes on where it was killed, with the same end', () => {
    using p = project({ ...files, 'evals/t.eval.yaml': suite(decided, 0.5) })
    const whole = p.cli(['run', '--json', '--concurrency', '1'])
    const path = join(p.dir, 'reports/latest/results.jsonl')
    const lines = readFileSync(path, 'utf8').split('\n')
    // The second of them had not ended when the third had.
    p.write({ 'reports/latest/results.jsonl': `${lines[0]}\n${lines[2]}\n` })
    reopen(p)
    const resumed = p.cli(['run', '--json', '--resume'])
    expect(withoutTimes(resumed.json)).toEqual(withoutTimes(whole.json))
    expect(readFileSync(path, 'utf8').trimEnd().split('\n')).toHaveLength(7)
  })

  test.each([
    ['{max: 3}', /stop/],
    ['{max: 3, stop: never}', /decided/],
    ['{max: 3, min: 4, stop: decided}', /must not be more than max/],
    ['{max: 0, stop: decided}', /max/],
    ['{maximum: 3, stop: decided}', /Did you mean `max`/],
    ['0', /trials/],
  ])('%s is a mistake with its line', (trials, told) => {
    using p = project({ ...files, 'evals/t.eval.yaml': suite(trials, 0.5) })
    const { code, err } = p.cli(['run'])
    expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(told) })
    expect(err).toContain('evals/t.eval.yaml:5:')
  })
})

test('a recording that was decided early is replayed to the same place, however many run at a time', async () => {
  const answers = ['ok', 'no', 'ok', 'ok', 'no', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok']
  const mock = new LLMock({ port: 0, logLevel: 'silent' })
  let at = 0
  mock.on({}, () => {
    at += 1
    return { content: answers[at - 1] ?? 'too many' }
  })
  await mock.start()
  const live = { provider: 'openai', model: 'gpt-test', base_url: `${mock.url}/v1` }
  using p = project({
    ...pack,
    '.agent/config.json': JSON.stringify({ models: { live } }),
    'evals/t.eval.yaml': suite(decided, 0.4, 'live'),
  })
  try {
    const recording = p.start(['run', '--json', '--record', 'all', '--concurrency', '4'])
    expect(await recording.ended, recording.said.err).toBe(0)
    const trials = caseOf(JSON.parse(recording.said.out))?.trials ?? []
    expect(trials.length).toBe(at)
    expect(trials.length).toBeLessThan(15)
    const cassette = cassetteOf(p, 'recordings/t/a/live.json')
    expect(cassette.trials).toHaveLength(trials.length)
    for (const concurrency of ['1', '8']) {
      const replay = p.cli(['run', '--json', '--concurrency', concurrency])
      expect(replay.code, replay.err).toBe(0)
      expect(caseOf(replay.json)?.trials.map(({ status }) => status)).toEqual(trials.map(({ status }) => status))
    }
    expect(at).toBe(trials.length)
  } finally {
    await mock.stop()
  }
})
