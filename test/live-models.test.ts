import { LLMock } from '@copilotkit/aimock'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { RunResult } from '../src/schema/run.ts'
import { pack, project } from './support/cli.ts'

// The whole program against a server that others wrote, speaking the providers' formats over real HTTP.
const mock = new LLMock({ port: 0 })
beforeAll(() => mock.start())
afterAll(() => mock.stop())
beforeEach(() => {
  mock.clearFixtures()
  mock.clearRequests()
})

const key = 'sk-live-0123456789abcdef'
const price = { input: 1, output: 10 }
const profile = (provider: string, more: object = {}) => ({
  provider,
  model: 'some-model',
  base_url: `${mock.url}/v1`,
  api_key_env: 'LIVE_KEY',
  price,
  ...more,
})

const files = (models: object): Readonly<Record<string, string>> => ({
  ...pack,
  '.agent/config.json': JSON.stringify({ models, skills: { roots: ['skills'] } }),
  'data.csv': 'month,revenue\nMar,30\nJun,60\nMay,50\n',
  'evals/sales.eval.yaml': `name: sales
skills: [../skills]
cases:
  - id: top
    input: Which are the best months?
    files: { data.csv: { text: "month,revenue\\nMar,30\\nJun,60\\nMay,50\\n" } }
    expected:
      skills: [csv-analyzer]
      actions: { in_order: [select_skills, read_file, { run_script: scripts/top.py }] }
      output: [{ contains: "Jun,May" }]
`,
})

const args = (value: object): string => JSON.stringify(value)
const usage = { prompt_tokens: 100, completion_tokens: 10, input_tokens: 100, output_tokens: 10 }

/** What the model says in its first, second, … turn. */
const says = (...turns: readonly object[]) => {
  let at = 0
  mock.on({}, () => {
    const turn = turns[at] ?? { error: { message: 'nobody wrote this turn' }, status: 400 }
    at += 1
    return turn as { content: string }
  })
}

const scene = [
  { toolCalls: [{ name: 'select_skills', arguments: args({ skills: [{ name: 'csv-analyzer' }] }) }], usage },
  {
    content: 'I look and count.',
    toolCalls: [
      { name: 'read_file', arguments: args({ path: 'data.csv' }) },
      {
        name: 'run_script',
        arguments: args({ skill: { name: 'csv-analyzer' }, path: 'scripts/top.py', args: ['data.csv', '2'] }),
      },
    ],
    usage,
  },
  { content: 'The best months: Jun,May.', usage },
]

const run = async (
  models: object,
  words: readonly string[],
  env: Readonly<Record<string, string>> = { LIVE_KEY: key },
) => {
  using p = project(files(models))
  const { said, ended } = p.start(words, env)
  const code = await ended
  return { code, out: said.out, err: said.err }
}
const result = (out: string): RunResult => JSON.parse(out) as RunResult
const firstTrial = (out: string) => result(out).suites[0]?.cases[0]?.trials[0]

describe.each(['anthropic', 'openai', 'openai-responses'])('%s', (provider) => {
  test('a suite runs on it: several calls in one answer, scripts, usage and cost', async () => {
    says(...scene)
    const { code, out, err } = await run({ live: profile(provider) }, [
      'run',
      '--record',
      'off',
      '--model',
      'live',
      '--json',
    ])
    expect(code, err + out).toBe(0)
    const trial = firstTrial(out)
    expect(trial?.actions.map(({ turn, action, status }) => [turn, action, status])).toEqual([
      [1, 'select_skills', 'ok'],
      [2, 'read_file', 'ok'],
      [2, 'run_script', 'ok'],
      [3, 'final_answer', 'ok'],
    ])
    expect(trial?.actions[2]?.observation).toContain('Jun,May')
    expect(trial?.usage).toMatchObject({ input_tokens: 300, output_tokens: 30 })
    expect(trial?.cost_usd).toBeCloseTo((300 * 1 + 30 * 10) / 1e6, 12)
    expect(mock.getRequests()).toHaveLength(3)
    expect(out + err).not.toContain(key)
  })

  test('a task runs on it', async () => {
    says({ content: 'Hello back.', usage })
    const { code, out, err } = await run({ live: profile(provider) }, ['agent', 'run', 'Hello.', '--model', 'live'])
    expect({ code, out }, err).toEqual({ code: 0, out: 'Hello back.\n' })
  })

  test('a model without tool calls acts in text', async () => {
    says(
      { content: args({ action: 'select_skills', params: { skills: [{ name: 'csv-analyzer' }] } }), usage },
      { content: 'I would read the file.', usage },
      { content: `\`\`\`json\n${args({ action: 'final_answer', params: { text: 'Done.' } })}\n\`\`\``, usage },
    )
    const models = { live: profile(provider, { protocol: 'text' }) }
    const { code, out, err } = await run(models, ['agent', 'run', 'Do it.', '--model', 'live'])
    expect({ code, out }, err).toEqual({ code: 0, out: 'Done.\n' })
    expect(mock.getRequests().map(({ body }) => (body as { tools?: unknown } | null)?.tools)).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })

  test('arguments that are cut off are done by nobody, and told to the model', async () => {
    says(
      {
        toolCalls: [{ name: 'write_file', arguments: '{"path":"out.txt","content":"half' }],
        finishReason: 'length',
        usage,
      },
      { content: 'Sorry.', usage },
    )
    const { code, out } = await run({ live: profile(provider) }, [
      'run',
      '--record',
      'off',
      '--model',
      'live',
      '--json',
    ])
    expect(code).toBe(1)
    expect(firstTrial(out)?.actions.map(({ action }) => action)).toEqual(['final_answer'])
  })

  test('a request that was limited and one that failed are sent again', async () => {
    says({ content: 'Hello back.', usage })
    mock.nextRequestError(500, { message: 'Oops.' })
    const { code, out, err } = await run({ live: profile(provider) }, ['agent', 'run', 'Hello.', '--model', 'live'])
    expect({ code, out }, err).toEqual({ code: 0, out: 'Hello back.\n' })
    expect(mock.getRequests()).toHaveLength(2)
  })

  test('a limit that stays is an error of its own, and no failure', async () => {
    mock.on({}, { error: { message: 'Slow down.', type: 'rate_limit_error' }, status: 429, retryAfter: 0 })
    const { code, out } = await run({ live: profile(provider) }, [
      'run',
      '--record',
      'off',
      '--model',
      'live',
      '--json',
    ])
    expect(code).toBe(3)
    expect(firstTrial(out)).toMatchObject({
      status: 'error',
      error: { code: 'rate_limited', message: expect.stringMatching(/answered 429 .*Slow down\. \(tried 3 times\)$/) },
      usage: { input_tokens: 0, output_tokens: 0 },
      cost_usd: 0,
    })
  })

  test('garbage in place of an answer is an error in words', async () => {
    mock.addFixture({ match: {}, response: { content: 'x' }, chaos: { malformedRate: 1 } })
    const { code, err } = await run({ live: profile(provider, { max_retries: 0 }) }, [
      'agent',
      'run',
      'Hello.',
      '--model',
      'live',
    ])
    expect(code).toBe(3)
    expect(err).toMatch(/^error: 127\.0\.0\.1:\d+ sent an answer that is not JSON/m)
    expect(err).not.toMatch(/\n\s+at /)
  })

  test('a connection that is cut is an error in words', async () => {
    mock.addFixture({ match: {}, response: { content: 'x' }, chaos: { disconnectRate: 1 } })
    const { code, err } = await run({ live: profile(provider, { max_retries: 0 }) }, [
      'agent',
      'run',
      'Hello.',
      '--model',
      'live',
    ])
    expect(code).toBe(3)
    expect(err).toMatch(/^error: 127\.0\.0\.1:\d+ closed the connection before its answer was complete/m)
  })

  test('an answer that takes too long is an error of its own', async () => {
    mock.addFixture({ match: {}, response: { content: 'x' }, chaos: { latencyMs: 5000 } })
    const models = { live: profile(provider, { max_retries: 0, timeout_seconds: 0.2 }) }
    const { code, out } = await run(models, ['run', '--record', 'off', '--model', 'live', '--json'])
    expect(code).toBe(3)
    expect(firstTrial(out)).toMatchObject({ error: { code: 'provider_timeout' }, cost_usd: null })
  })
})

describe('keys', () => {
  test('a missing one is told before anything runs, by the name of its variable', async () => {
    const models = { live: { provider: 'anthropic', model: 'x' } }
    for (const words of [
      ['run', '--record', 'off', '--model', 'live'],
      ['agent', 'run', 'Hello.', '--model', 'live'],
    ]) {
      const { code, err } = await run(models, words, {})
      expect(code).toBe(2)
      expect(err).toContain('the model profile "live" needs a key and ANTHROPIC_API_KEY is not set')
      expect(err).toContain('doctor')
    }
  })

  test('none is needed to see the plan', async () => {
    const { code, out } = await run(
      { live: { provider: 'openai', model: 'x' } },
      ['run', '--record', 'off', '--model', 'live', '--list'],
      {},
    )
    expect({ code, out }).toEqual({ code: 0, out: 'sales/top  live\n' })
  })

  test('doctor names those of the profiles, and shows none', async () => {
    const { out } = await run({ live: profile('openai') }, ['doctor', '--json'])
    expect(JSON.parse(out)).toMatchObject({ keys: expect.arrayContaining([{ name: 'LIVE_KEY', present: true }]) })
    expect(out).not.toContain(key)
  })

  test('one that comes back in an answer is in no file that is left, whatever its variable is called', async () => {
    // Nothing in its shape tells it for a key.
    const plain = 'maple violet thunder'.replaceAll(' ', '-')
    says({ content: `It is ${plain}.`, usage })
    using p = project(files({ live: profile('openai', { api_key_env: 'CORP' }) }))
    const { ended, said } = p.start(['agent', 'run', 'Hello.', '--model', 'live'], { CORP: plain })
    expect(await ended, said.err).toBe(0)
    expect(mock.getRequests()[0]?.headers).toMatchObject({ authorization: expect.anything() })
    const left = p.run('grep', ['-rc', 'It is', '.agent/runs'])
    expect(left).toMatch(/:[1-9]/)
    expect(p.run('sh', ['-c', `grep -rl '${plain}' .agent || true`])).toBe('')
  })

  test('the usual one is not sent to another server', async () => {
    says({ content: 'Hi.', usage })
    const { api_key_env: _, ...keyless } = profile('openai')
    await run({ live: keyless }, ['agent', 'run', 'Hello.', '--model', 'live'], { OPENAI_API_KEY: key })
    const [request] = mock.getRequests()
    expect(JSON.stringify(request)).not.toContain(key)
    expect(request?.headers).not.toHaveProperty('authorization')
  })
})

test("a project's profile replaces the user's of that name whole: the key does not go along", async () => {
  says({ content: 'Hi.', usage })
  using p = project({
    ...files({ corp: { provider: 'openai', model: 'x', base_url: `${mock.url}/v1` } }),
    '.home/.agent/config.json': JSON.stringify({
      models: { corp: profile('openai', { base_url: 'http://127.0.0.1:1/v1' }) },
    }),
  })
  const { ended, said } = p.start(['agent', 'run', 'Hello.', '--model', 'corp'], { LIVE_KEY: key })
  expect(await ended, said.err).toBe(0)
  expect(mock.getRequests()[0]?.headers).not.toHaveProperty('authorization')
})

test('live cases run four at a time where nobody says otherwise', async () => {
  let open = 0
  let most = 0
  mock.on({}, async () => {
    open += 1
    most = Math.max(most, open)
    await new Promise((resolve) => setTimeout(resolve, 100))
    open -= 1
    return { content: 'x' }
  })
  await run({ live: profile('openai') }, ['run', '--record', 'off', '--model', 'live', '--trials', '12', '--json'])
  expect(most).toBe(4)
  expect(mock.getRequests()).toHaveLength(12)
})

test('the limits of a profile hold for all cases together', async () => {
  says({ content: 'x', usage })
  using p = project(files({ live: profile('openai', { requests_per_minute: 3 }) }))
  const { kill, ended } = p.start(['run', '--record', 'off', '--model', 'live', '--trials', '12'], { LIVE_KEY: key })
  await expect.poll(() => mock.getRequests().length, { timeout: 20_000 }).toBe(3)
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(mock.getRequests()).toHaveLength(3)
  kill('SIGINT')
  expect(await ended).toBe(130)
})

describe('--max-cost', () => {
  test('asks for no answer that could cost more than is left', async () => {
    const long = { prompt_tokens: 100, completion_tokens: 900 }
    mock.on({}, { content: 'x', usage: long } as { content: string })
    // 1000 tokens of output may cost $0.01, and the input some $0.002; each answer costs $0.0091.
    const models = { live: profile('openai', { params: { max_tokens: 1000 } }) }
    const words = [
      'run',
      '--record',
      'off',
      '--model',
      'live',
      '--trials',
      '4',
      '--concurrency',
      '1',
      '--json',
      '--max-cost',
    ]
    const errorsWith = async (limit: string) => {
      mock.clearRequests()
      const { out } = await run(models, [...words, limit])
      const trials = result(out).suites[0]?.cases[0]?.trials ?? []
      return [mock.getRequests().length, trials.filter(({ error }) => error?.code === 'budget_exceeded').length]
    }
    expect(await errorsWith('0.1')).toEqual([4, 0])
    expect(await errorsWith('0.025')).toEqual([2, 2])
    expect(await errorsWith('0.005')).toEqual([0, 4])
  })

  test('needs to know what a model costs', async () => {
    const { price: _, ...priceless } = profile('openai')
    const { code, err } = await run({ live: priceless }, [
      'run',
      '--record',
      'off',
      '--model',
      'live',
      '--max-cost',
      '1',
    ])
    expect(code).toBe(2)
    expect(err).toContain('--max-cost: what "live" costs is not known')
    expect(mock.getRequests()).toEqual([])
  })

  test.each(['0', '-1', '1e3', 'much', '$5'])('takes an amount of money, not %s', async (amount) => {
    const { code, err } = await run({}, ['run', '--record', 'off', `--max-cost=${amount}`])
    expect(code).toBe(2)
    expect(err).toContain('It must be an amount above 0.')
  })
})

test('a dry run says who would be asked, and asks nobody', async () => {
  const models = { live: profile('openai'), own: { provider: 'anthropic', model: 'x' } }
  const { code, out } = await run(
    models,
    ['run', '--record', 'off', '--model', 'live', '--model', 'own', '--dry-run', '--json'],
    {},
  )
  expect(code).toBe(0)
  const host = new URL(mock.url).host
  expect(JSON.parse(out)).toMatchObject({ contacts: { live: host, own: 'api.anthropic.com' } })
  expect(mock.getRequests()).toEqual([])
})

test('Ctrl-C ends a run whose model is slow at once', async () => {
  mock.addFixture({ match: {}, response: { content: 'x' }, chaos: { latencyMs: 30_000 } })
  using p = project(files({ live: profile('openai') }))
  const { kill, ended } = p.start(['agent', 'run', 'Hello.', '--model', 'live'], { LIVE_KEY: key })
  await new Promise((resolve) => setTimeout(resolve, 1500))
  const started = performance.now()
  kill('SIGINT')
  expect(await ended).toBe(130)
  expect(performance.now() - started).toBeLessThan(5000)
})
