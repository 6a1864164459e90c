import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LLMock } from '@copilotkit/aimock'
import { describe, expect, test } from 'vitest'
import type { RunResult } from '../src/core/results.ts'
import type { CostEstimate, DryRun } from '../src/report/plan-report.ts'
import type { Cassette } from '../src/schema/cassette.ts'
import { pack, project } from './support/cli.ts'

type Project = ReturnType<typeof project>

const suite = (ids: readonly string[], more = '', top = '') =>
  `name: t\nmodel: live\nskills: [../skills]\n${top}cases:\n${ids
    .map(
      (id) => `  - {id: ${id}, input: Which?, mock: [{final_answer: ok}], expected: {output: [{equals: ok}]}${more}}\n`,
    )
    .join('')}`
const live = (more: object = {}) => ({
  provider: 'openai',
  model: 'some-model',
  base_url: 'http://127.0.0.1:9/v1',
  price: { input: 1000, output: 10_000 },
  ...more,
})
const config = (profile: object): Readonly<Record<string, string>> => ({
  '.agent/config.json': JSON.stringify({ models: { live: profile } }),
})
const files = (profile: object, text = suite(['a', 'b'])) => ({
  ...pack,
  ...config(profile),
  'evals/t.eval.yaml': text,
})
const dryRun = (p: Project, ...args: readonly string[]): DryRun => {
  const { json, err } = p.cli(['run', '--dry-run', '--json', ...args])
  expect(json, err).toBeDefined()
  return json as DryRun
}
const estimateOf = (p: Project, ...args: readonly string[]): CostEstimate | undefined =>
  dryRun(p, ...args).estimates.live
/** What a live model would have been recorded with: so many tokens in each turn. */
const record = (p: Project, input: number | null) => {
  p.write(config({ provider: 'mock' }))
  p.cli(['record', '-q', '--filter', 't/a'])
  const path = join(p.dir, 'recordings/t/a/live.json')
  const cassette: Cassette = JSON.parse(readFileSync(path, 'utf8'))
  for (const { turns } of cassette.trials)
    for (const { answer } of turns)
      answer.usage = { input_tokens: input, output_tokens: 100, cached_input_tokens: 0, reasoning_tokens: null }
  writeFileSync(path, JSON.stringify(cassette))
  p.write(config(live()))
}

describe('--dry-run estimates', () => {
  test('by counted tokens where nothing is recorded, for so many trials as would be asked', () => {
    using p = project(files(live()))
    const two = estimateOf(p, '--record', 'off')
    expect(two).toMatchObject({ trials: 2, from: ['tokens'] })
    const { input_tokens: input, output_tokens: output, cost_usd: cost } = two ?? {}
    expect(cost).toBeCloseTo((Number(input) * 1000 + Number(output) * 10_000) / 1e6, 1)
    // Four turns with the prompt, which has more than a thousand tokens.
    expect(input).toBeGreaterThan(2 * 4 * 1000)
    expect(input).toBeLessThan(2 * 4 * 6000)
    expect(estimateOf(p, '--record', 'all', '--trials', '3')?.input_tokens).toBeCloseTo(Number(input) * 3, -1)
    p.write({ 'evals/t.eval.yaml': suite(['a', 'b'], ', constraints: {max_turns: 1}') })
    expect(estimateOf(p, '--record', 'off')?.input_tokens).toBeLessThan(Number(input) / 4)
    expect(existsSync(join(p.dir, 'reports'))).toBe(false)
  })

  test('by what is recorded, also for cases that are not', () => {
    using p = project(files(live()))
    record(p, 5000)
    expect(estimateOf(p, '--record', 'all')).toEqual({
      trials: 2,
      input_tokens: 10_000,
      output_tokens: 200,
      cost_usd: 12,
      from: ['recordings'],
    })
    expect(estimateOf(p, '--record', 'missing')).toMatchObject({ trials: 1, cost_usd: 6, from: ['recordings'] })
    expect(estimateOf(p, '--record', 'replay')).toMatchObject({ trials: 0, cost_usd: 0, from: [] })
    const { out } = p.cli(['run', '--dry-run', '--record', 'all'])
    expect(out).toContain('live would cost about $12.00 (2 trials, 10,000 tokens in, 200 out, by recordings)\n')
    expect(p.cli(['run', '--dry-run', '--record', 'replay']).out).not.toContain('would cost')
  })

  test('of both arms, each by its own recordings', () => {
    using p = project(files(live()))
    record(p, 5000)
    const { estimates, baseline } = dryRun(p, '--record', 'off', '--baseline', 'without_skills')
    expect(estimates.live).toMatchObject({ from: ['recordings'] })
    expect(baseline).toMatchObject({ cases: 2, estimates: { live: { trials: 2, from: ['tokens'] } } })
    const { estimates: whole } = dryRun(p, '--record', 'off', '--filter', 't/b')
    // Three turns carry no body, and all of them no index and no tools for skills.
    expect(Number(baseline?.estimates.live?.input_tokens) / 2).toBeLessThan(Number(whole.live?.input_tokens) - 3600)
  })

  test('of judges too: by what is recorded, else by counted tokens', () => {
    const judged = suite(['a', 'b']).replaceAll('{equals: ok}', '{rubric: [one, two], judges: 3}')
    const scripted = {
      ...config({ provider: 'mock' }),
      'evals/t.eval.yaml': judged.replace('model: live', 'model: mock'),
    }
    const withJudge = (judge: object) => ({
      '.agent/config.json': JSON.stringify({ models: { judge } }),
    })
    using p = project({ ...pack, ...scripted, ...withJudge(live()) })
    const counted = dryRun(p, '--record', 'off').estimates.judge
    expect(counted).toMatchObject({ trials: 2, from: ['tokens'], output_tokens: 2 * 3 * 2 * 80 })
    expect(counted?.input_tokens).toBeGreaterThan(2 * 3 * 500)
    expect(counted?.cost_usd).toBeGreaterThan(0)

    p.write({
      ...withJudge({ provider: 'mock' }),
      'evals/t.eval.yaml': scripted['evals/t.eval.yaml'].replaceAll(
        'input: Which?',
        'input: Which?, mock_judge: [{verdict: pass}]',
      ),
    })
    const made = p.cli(['record', '-q', '--filter', 't/a'])
    const path = join(p.dir, 'recordings/t/a/mock.json')
    const cassette: Cassette = JSON.parse(readFileSync(path, 'utf8'))
    expect(cassette.trials[0]?.judge, made.err).toHaveLength(3)
    for (const { answer } of cassette.trials[0]?.judge ?? [])
      answer.usage = { input_tokens: 1000, output_tokens: 10, cached_input_tokens: 0, reasoning_tokens: 0 }
    writeFileSync(path, JSON.stringify(cassette))
    p.write(withJudge(live()))
    expect(dryRun(p, '--record', 'all').estimates.judge).toMatchObject({
      trials: 2,
      input_tokens: 6000,
      output_tokens: 60,
      from: ['recordings'],
    })
    expect(p.cli(['run', '--dry-run', '--record', 'all']).out).toContain('judge would cost about $6.60')
  })

  test('say that skills that run on their own are not counted, where one of the suite does', () => {
    const told = 'out, by counted tokens, without what skills that run on their own cost)'
    const shown = (p: Project, mode: string) => p.cli(['run', '--dry-run', '--record', mode]).out
    using p = project(files(live()))
    expect(estimateOf(p, '--record', 'off')).not.toHaveProperty('without_subagents')
    expect(shown(p, 'off')).not.toContain('on their own')
    const finder = `---\nname: finder\ndescription: Finds things. Use it to find.\nrun-mode: subagent\n---\nFind.\n`
    p.write({ 'skills/finder/SKILL.md': finder })
    expect(estimateOf(p, '--record', 'off')).toMatchObject({ without_subagents: true })
    expect(shown(p, 'off')).toContain(told)
    const { baseline } = dryRun(p, '--record', 'off', '--baseline', 'without_skills')
    expect(baseline?.estimates.live).not.toHaveProperty('without_subagents')
    // What was recorded has their turns too.
    record(p, 5000)
    expect(estimateOf(p, '--record', 'all')).not.toHaveProperty('without_subagents')
    p.write({
      'evals/t.eval.yaml': 'name: t\nmodel: live\nskills: [../skills]\ntriggers:\n  finder: {should: [Find it.]}\n',
    })
    expect(p.cli(['run', '--dry-run', '--record', 'off']).out).toContain('live would cost')
    expect(shown(p, 'off')).not.toContain('on their own')
  })

  test('null with the reason where there is no price, or no count', () => {
    using p = project(files(live({ price: undefined })))
    expect(estimateOf(p, '--record', 'off')).toMatchObject({
      cost_usd: null,
      reason: 'what "live" costs is not known: give its price in the profile',
    })
    expect(p.cli(['run', '--dry-run', '--record', 'off']).out).toContain('live would cost not known: what "live" costs')
    record(p, null)
    expect(estimateOf(p, '--record', 'all')).toMatchObject({
      cost_usd: null,
      input_tokens: null,
      reason: 'the recordings do not say how many tokens were used',
    })
  })
})

describe('a limit on the cost and a model without a price', () => {
  const gated = suite(['a'], ', constraints: {max_cost_usd: 1}')
  const gates = [
    ['max_cost_usd', gated, 'max_cost_usd of t/a: what "live" costs is not known'],
    ['thresholds', suite(['a'], '', 'thresholds: {cost_usd: 1}\n'), 'thresholds.cost_usd of t: what "live" costs'],
  ] as const

  test.each(gates)('%s: nothing is run where it would be asked', (_, text, message) => {
    using p = project(files(live({ price: undefined }), text))
    const refused = p.cli(['run', '--record', 'off'])
    expect(refused.code).toBe(2)
    expect(refused.err).toContain(message)
    expect(refused.err).toContain('Give its price in the profile')
    expect(existsSync(join(p.dir, 'reports'))).toBe(false)
    expect(p.cli(['run', '--record', 'replay']).err).not.toContain('is not known')
    const planned = p.cli(['run', '--record', 'off', '--dry-run'])
    expect({ code: planned.code, out: planned.out, err: planned.err }).toEqual({ code: 2, out: '', err: refused.err })
    expect(p.cli(['run', '--record', 'replay', '--dry-run']).code).toBe(0)
    p.write(config(live()))
    expect(p.cli(['run', '--record', 'replay']).code).toBe(4)
  })

  test('--max-cost: the same', () => {
    using p = project(files(live({ price: undefined })))
    const refused = p.cli(['run', '--record', 'off', '--max-cost', '1'])
    expect(refused.code).toBe(2)
    expect(refused.err).toContain('--max-cost: what "live" costs is not known')
    expect(p.cli(['run', '--record', 'off', '--max-cost', '1', '--dry-run'])).toMatchObject({
      code: 2,
      err: refused.err,
    })
    expect(p.cli(['run', '--record', 'off', '--max-cost', '1', '--model', 'mock']).code).toBe(0)
  })

  test('--max-cost: a judge without a price as well', () => {
    const judged = suite(['a'], '', '').replace('model: live', 'model: mock').replace('{equals: ok}', '{rubric: good}')
    using p = project({
      ...files(live(), judged),
      '.agent/config.json': JSON.stringify({ models: { judge: live({ price: undefined }) } }),
    })
    const refused = p.cli(['run', '--record', 'off', '--max-cost', '1'])
    expect(refused.code).toBe(2)
    expect(refused.err).toContain('--max-cost: what "judge" costs is not known')
    expect(p.cli(['run', '--record', 'off', '--max-cost', '1', '--dry-run'])).toMatchObject({
      code: 2,
      err: refused.err,
    })
  })
})

test('--max-cost holds for both arms together', async () => {
  const server = new LLMock({ port: 0, logLevel: 'silent' })
  server.on({}, () => ({ content: 'ok', usage: { prompt_tokens: 5900, completion_tokens: 10 } }))
  await server.start()
  try {
    const profile = live({ base_url: `${server.url}/v1`, price: { input: 1000, output: 0 }, max_retries: 0 })
    using p = project(files(profile, suite(['a'])))
    const ran = async (limit: string) => {
      const { said, ended } = p.start([
        'run',
        '--record',
        'off',
        '--baseline',
        'without_skills',
        '--max-cost',
        limit,
        '--json',
      ])
      expect(await ended, said.err).toBe(0)
      return JSON.parse(said.out) as RunResult
    }
    // The answer of the run itself cost $5.90.
    const short = await ran('6')
    expect(short).toMatchObject({ summary: { passed: 1 }, baseline: { summary: { errors: 1 }, reused: false } })
    expect(short.suites[0]?.cases[0]?.baseline).toMatchObject({
      status: 'error',
      reason: expect.stringContaining('budget_exceeded'),
    })
    expect(server.getRequests()).toHaveLength(1)
    expect(await ran('12')).toMatchObject({
      baseline: { summary: { passed: 1, cost_usd: 5.9 }, lift: { difference: 0 } },
    })
  } finally {
    await server.stop()
  }
})
