import { LLMock } from '@copilotkit/aimock'
import { describe, expect, test, vi } from 'vitest'
import type { RunResult } from '../src/core/results.ts'
import { pack, project } from './support/cli.ts'
import { cassetteOf } from './support/recorded-project.ts'

const slow = { error: { message: 'Slow down.', type: 'rate_limit_error' }, status: 429 }
const refused = { error: { message: 'No.', type: 'invalid_request_error' }, status: 400 }
const usage = { prompt_tokens: 100, completion_tokens: 10 }
const says = (content: string) => ({ content, usage })
const calls = { toolCalls: [{ name: 'list_dir', arguments: '{"path": "."}' }], usage }

/** A provider that says these turns, one after the other, and the program in a project that asks it. */
const scene = async (...turns: readonly object[]) => {
  const mock = new LLMock({ port: 0, logLevel: 'silent' })
  let at = 0
  mock.on({}, () => {
    at += 1
    return (turns[at - 1] ?? refused) as { content: string }
  })
  await mock.start()
  const live = {
    provider: 'openai',
    model: 'gpt-test',
    base_url: `${mock.url}/v1`,
    max_retries: 0,
    price: { input: 10, output: 100 },
  }
  const p = project({
    ...pack,
    '.agent/config.json': JSON.stringify({ models: { live, script: { provider: 'mock' } } }),
    'evals/t.eval.yaml':
      'name: t\nskills: []\nmodel: live\ncases:\n  - {id: a, input: x, mock: [], expected: {output: [{equals: ok}]}}\n',
  })
  return {
    p,
    asked: () => at,
    trial: (result: { json: unknown }) => (result.json as RunResult).suites[0]?.cases[0]?.trials[0],
    run: (...args: readonly string[]) => {
      const run = p.start(['run', '--json', ...args])
      return run.ended.then((code) => ({ code, err: run.said.err, json: JSON.parse(run.said.out) as unknown }))
    },
    start: p.start,
    [Symbol.asyncDispose]: async () => {
      p[Symbol.dispose]()
      await mock.stop()
    },
  }
}

describe('--retries', () => {
  test('tries a trial again whose model failed, and counts what all attempts cost', async () => {
    await using s = await scene(calls, slow, says('ok'))
    const result = await s.run('--retries', '2', '--record', 'off')
    expect(result.code, result.err).toBe(0)
    // 100 in and 10 out cost 0.002; the first attempt had one answer, the second one too.
    expect(s.trial(result)).toMatchObject({
      status: 'passed',
      attempts: 2,
      cost_usd: 0.004,
      usage: { input_tokens: 200 },
    })
    expect((result.json as RunResult).summary).toMatchObject({ trials: 1, passed: 1, cost_usd: 0.004 })
    expect(s.asked()).toBe(3)
  })

  test.each([
    ['none without it', [], slow, 1, undefined],
    ['as often as it says, and the last error counts', ['--retries', '1'], slow, 2, 2],
    ['none where the request was refused for good', ['--retries', '3'], says('no'), 1, undefined],
    ['none of a scripted model', ['--retries', '3', '--model', 'script'], slow, 0, undefined],
  ])('there is %s', async (_what, args, turn, asked, attempts) => {
    await using s = await scene(turn, turn, turn, turn)
    const result = await s.run('--record', 'off', ...args)
    expect(result.code).not.toBe(0)
    expect(s.asked()).toBe(asked)
    expect(s.trial(result)?.attempts).toBe(attempts)
  })

  test('a recording is that of the attempt that ended in order, and a replay is never tried again', async () => {
    await using s = await scene(calls, slow, calls, says('ok'))
    expect((await s.run('--record', 'all', '--retries', '1')).code).toBe(0)
    const path = 'recordings/t/a/live.json'
    expect(cassetteOf(s.p, path).trials).toMatchObject([{ turns: [{}, { answer: { text: 'ok' } }] }])
    const replay = await s.run('--retries', '3')
    expect(replay.code, replay.err).toBe(0)
    expect(s.trial(replay)).not.toHaveProperty('attempts')
    expect(s.asked()).toBe(4)
  })

  test('waiting for the next attempt ends at once when the run is interrupted', async () => {
    await using s = await scene(slow, slow, slow, slow, slow, slow, slow, slow)
    const run = s.start(['run', '--record', 'off', '--retries', '20', '-q'])
    await vi.waitFor(() => expect(s.asked()).toBeGreaterThanOrEqual(3), { timeout: 30_000, interval: 20 })
    const begun = performance.now()
    run.kill('SIGINT')
    expect(await run.ended).toBe(130)
    // The next attempt would have come four seconds after the third.
    expect(performance.now() - begun).toBeLessThan(3_500)
  })
})

describe('--retries with --record stale, where only the judge is asked again', () => {
  const verdict = {
    toolCalls: [
      {
        name: 'give_verdicts',
        arguments: JSON.stringify({ verdicts: [{ criterion: 1, quote: 'ok', reason: 'so it is', verdict: 'pass' }] }),
      },
    ],
    usage,
  }
  const suite = (...rubrics: readonly string[]) =>
    `name: t\nskills: []\nmodel: live\njudge: live\ncases:\n  - {id: a, input: x, expected: {output: [${rubrics.map((one) => `{rubric: ${one}}`).join(', ')}]}}\n`
  const path = 'recordings/t/a/live.json'

  test('an answer that did not come is asked for again, and the agent is replayed', async () => {
    await using s = await scene(says('ok'), verdict, slow, verdict)
    s.p.write({ 'evals/t.eval.yaml': suite('is short') })
    expect((await s.run('--record', 'all')).code).toBe(0)
    const before = cassetteOf(s.p, path)
    s.p.write({ 'evals/t.eval.yaml': suite('is good') })
    const result = await s.run('--record', 'stale', '--retries', '2')
    expect(result.code, result.err).toBe(0)
    expect(s.asked()).toBe(4)
    expect(s.trial(result)).toMatchObject({ status: 'passed', attempts: 2 })
    const after = cassetteOf(s.p, path)
    expect(after.trials[0]?.turns).toEqual(before.trials[0]?.turns)
    expect(after.trials[0]?.judge).not.toEqual(before.trials[0]?.judge)
  })

  test('without --retries nothing is asked again, and the agent never', async () => {
    await using s = await scene(says('ok'), verdict, verdict, verdict, slow, says('other'), verdict, verdict)
    s.p.write({ 'evals/t.eval.yaml': suite('is short', 'is kind') })
    expect((await s.run('--record', 'all')).code).toBe(0)
    const before = cassetteOf(s.p, path)
    s.p.write({ 'evals/t.eval.yaml': suite('is good', 'is new') })
    const result = await s.run('--record', 'stale')
    expect(result.code).toBe(3)
    expect(s.trial(result)).toMatchObject({ status: 'error', error: { code: 'judge_error' } })
    expect(s.trial(result)).not.toHaveProperty('attempts')
    expect(s.asked()).toBe(5)
    expect(cassetteOf(s.p, path)).toEqual(before)
  })

  test('the replay that was stale is no retry, what was recorded after it is', async () => {
    await using s = await scene(says('ok'), slow, slow, says('ok'))
    expect((await s.run('--record', 'all')).code).toBe(0)
    s.p.write({
      'evals/t.eval.yaml':
        'name: t\nskills: []\nmodel: live\ncases:\n  - {id: a, input: y, expected: {output: [{equals: ok}]}}\n',
    })
    const result = await s.run('--record', 'stale', '--retries', '1')
    expect(result.code).toBe(3)
    expect(s.asked()).toBe(3)
  })
})
