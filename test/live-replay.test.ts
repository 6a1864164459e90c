import { once } from 'node:events'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { LLMock } from '@copilotkit/aimock'
import { describe, expect, test } from 'vitest'
import type { CaseResult, RunResult } from '../src/core/results.ts'
import prices from '../src/data/prices.json' with { type: 'json' }
import { pack, project, root } from './support/cli.ts'

// The whole program: recorded against a server that others wrote, replayed without it.
const key = 'sk-live-0123456789abcdef'
const withKey = { LIVE_KEY: key }
const usage = { prompt_tokens: 100, completion_tokens: 10, input_tokens: 100, output_tokens: 10 }

type Project = ReturnType<typeof project>
type Turn = object

/** A provider that says these turns, one after the other. */
const provider = async (...turns: readonly Turn[]) => {
  const mock = new LLMock({ port: 0, logLevel: 'silent' })
  let at = 0
  const script = { turns }
  mock.on({}, () => {
    const turn = script.turns[at] ?? { error: { message: 'nobody wrote this turn' }, status: 400 }
    at += 1
    return turn as { content: string }
  })
  await mock.start()
  let isStopped = false
  const stop = async () => {
    if (!isStopped) await mock.stop()
    isStopped = true
  }
  return {
    mock,
    url: `${mock.url}/v1`,
    stop,
    says: (...more: readonly Turn[]) => {
      at = 0
      script.turns = more
    },
    /** How many requests came since it was asked last. */
    asked: () => {
      const { length } = mock.getRequests()
      mock.clearRequests()
      return length
    },
    [Symbol.asyncDispose]: stop,
  }
}

const args = (value: object): string => JSON.stringify(value)
const scene: readonly Turn[] = [
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
const textScene: readonly Turn[] = [
  { content: args({ action: 'select_skills', params: { skills: [{ name: 'csv-analyzer' }] } }), usage },
  {
    content: args({
      action: 'run_script',
      params: { skill: { name: 'csv-analyzer' }, path: 'scripts/top.py', args: ['data.csv', '2'] },
    }),
    usage,
  },
  { content: args({ action: 'final_answer', params: { text: 'The best months: Jun,May.' } }), usage },
]

const sales = `name: sales
model: live
skills: [../skills]
cases:
  - id: top
    input: Which are the best months?
    files: { data.csv: { text: "month,revenue\\nMar,30\\nJun,60\\nMay,50\\n" } }
    expected:
      skills: [csv-analyzer]
      actions: { in_order: [select_skills, { run_script: scripts/top.py }] }
      output: [{ contains: "Jun,May" }]
`
/** Cases of one turn each. */
const short = (...inputs: readonly string[]) =>
  `name: short\nmodel: live\nskills: [../skills]\ncases:\n${inputs
    .map((input, i) => `  - { id: c${i + 1}, input: "${input}", expected: { output: [{ contains: answer }] } }\n`)
    .join('')}`

const profile = (name: string, url: string, more: object = {}) => ({
  provider: name,
  model: 'some-model',
  base_url: url,
  api_key_env: 'LIVE_KEY',
  price: { input: 1, output: 10 },
  max_retries: 0,
  ...more,
})
const config = (live: object, more: object = {}): Readonly<Record<string, string>> => ({
  '.agent/config.json': JSON.stringify({ models: { live }, ...more }),
})

/** The server is in this process: the program may not block it. */
const run = async (p: Project, words: readonly string[], env: Readonly<Record<string, string>> = {}) => {
  const { said, ended } = p.start(['run', '--json', ...words], env)
  const code = await ended
  const result = said.out.startsWith('{') ? (JSON.parse(said.out) as RunResult) : undefined
  return { code, said: said.err + said.out, result, first: result?.suites[0]?.cases[0] }
}
const trialOf = (found: CaseResult | undefined) => found?.trials[0]

/** The net is off at the sockets of the process, or where nock takes requests. */
const switches = ['no-net', 'nock-off'] as const

/** The environment of a program whose net is off, and what it tried all the same. */
const offline = (p: Project, by: (typeof switches)[number] = 'no-net') => {
  const log = join(p.dir, `${by}.log`)
  return {
    env: { NODE_OPTIONS: `--import ${pathToFileURL(join(root, `test/support/${by}.mjs`)).href}`, NO_NET_LOG: log },
    attempts: () => {
      const [first, ...tried] = readFileSync(log, 'utf8').trimEnd().split('\n')
      expect(first).toBe('the net is off')
      return tried
    },
  }
}

const recordingOf = (id: string, suite = 'sales') => `recordings/${suite}/${id}/live.json`
const text = (p: Project, path: string) => readFileSync(join(p.dir, path), 'utf8')

describe.each([
  ['anthropic', {}, scene],
  ['openai', {}, scene],
  ['openai-responses', {}, scene],
  ['openai', { protocol: 'text' }, textScene],
] as const)('%s %o', (name, more, turns) => {
  test('what was recorded is replayed without server, key and net: scripts, usage, cost and latency', async () => {
    await using server = await provider(...turns)
    using p = project({ ...pack, ...config(profile(name, server.url, more)), 'evals/sales.eval.yaml': sales })
    const live = await run(p, ['--record', 'all'], withKey)
    expect(live.code, live.said).toBe(0)
    expect(server.asked()).toBe(3)
    expect(trialOf(live.first)).toMatchObject({ cassette: { mode: 'record', path: recordingOf('top') } })
    await server.stop()

    const watched = offline(p, 'nock-off')
    expect((await run(p, [], watched.env)).code).toBe(0)
    expect(watched.attempts()).toEqual([])
    const { env, attempts } = offline(p)
    const replay = await run(p, [], env)
    expect(replay.code, replay.said).toBe(0)
    expect(attempts()).toEqual([])
    const trial = trialOf(replay.first)
    expect(trial?.cassette).toEqual({ path: recordingOf('top'), mode: 'replay', stale_parts: [] })
    expect(trial?.actions.find(({ action }) => action === 'run_script')?.observation).toContain('Jun,May')
    expect(trial?.usage).toEqual(trialOf(live.first)?.usage)
    expect(trial?.usage).toMatchObject({ input_tokens: 300, output_tokens: 30 })
    expect(trial?.cost_usd).toBeCloseTo((300 * 1 + 30 * 10) / 1e6, 12)
    expect(trial?.cost_usd).toBe(trialOf(live.first)?.cost_usd)
  })
})

test.each(switches)('a connection of the program would have been noticed by %s', async (by) => {
  await using server = await provider(...scene)
  using p = project({ ...pack, ...config(profile('openai', server.url)), 'evals/sales.eval.yaml': sales })
  const { env, attempts } = offline(p, by)
  const { code } = await run(p, ['--record', 'off'], { ...env, ...withKey })
  expect(code).toBe(3)
  expect(attempts().join('\n')).toMatch(/^(?:connect .*127\.0\.0\.1|request POST .*chat\/completions)/m)
  expect(server.asked()).toBe(0)
})

test('a replay costs what the provider lists where the profile names no price', async () => {
  await using server = await provider(...scene)
  const { price: _, base_url: __, ...listed } = profile('openai', server.url, { model: 'gpt-4.1-mini' })
  using p = project({
    ...pack,
    ...config({ ...listed, base_url: server.url }),
    'evals/sales.eval.yaml': sales,
  })
  const live = await run(p, ['--record', 'all'], withKey)
  expect(trialOf(live.first)?.cost_usd).toBeNull()
  // Where the model is asked is no part of a recording; the list price is only of the provider's own address.
  p.write(config(listed))
  const replay = await run(p, [])
  expect(replay.code, replay.said).toBe(0)
  const [price] = prices.prices.openai['gpt-4.1-mini']
  expect(trialOf(replay.first)?.cost_usd).toBeCloseTo((300 * (price?.input ?? 0) + 30 * (price?.output ?? 0)) / 1e6, 12)
})

test('a replay takes the time that the model took', async () => {
  await using server = await provider()
  server.mock.clearFixtures()
  server.mock.addFixture({ match: {}, response: { content: 'the answer' }, chaos: { latencyMs: 450 } })
  using p = project({
    ...pack,
    ...config(profile('openai', server.url)),
    'evals/short.eval.yaml': short('One?'),
  })
  await run(p, ['--record', 'all'], withKey)
  const recorded = JSON.parse(text(p, recordingOf('c1', 'short'))) as {
    trials: { turns: { answer: { latency_ms: number } }[] }[]
  }
  const latency = recorded.trials[0]?.turns[0]?.answer.latency_ms ?? 0
  expect(latency).toBeGreaterThanOrEqual(400)
  expect(latency % 100).toBe(0)
  const { result } = await run(p, [])
  expect(result?.summary.latency_ms.mean).toBe(latency)
})

describe('--record', () => {
  const answer = { content: 'the answer', usage }
  const scenario = async (more: object = {}) => {
    const server = await provider(answer, answer, answer, answer)
    const p = project({
      ...pack,
      ...config(profile('openai', server.url, more)),
      'evals/short.eval.yaml': short('One?', 'Two?'),
    })
    return {
      server,
      p,
      [Symbol.asyncDispose]: async () => {
        p[Symbol.dispose]()
        await server.stop()
      },
    }
  }

  test('nothing said: what is not recorded is an error with the command that records it, and nobody is asked', async () => {
    await using scene = await scenario()
    const { code, first } = await run(scene.p, [], withKey)
    expect(code).toBe(4)
    expect(scene.server.asked()).toBe(0)
    expect(trialOf(first)?.error).toMatchObject({
      code: 'missing_cassette',
      message: expect.stringContaining("skills-eval run evals/short.eval.yaml --filter '=c1' --record missing"),
    })
  })

  test('missing asks for what is not recorded only', async () => {
    await using scene = await scenario()
    await run(scene.p, ['--record', 'all', '--filter', 'c1'], withKey)
    expect(scene.server.asked()).toBe(1)
    const before = text(scene.p, recordingOf('c1', 'short'))
    expect((await run(scene.p, ['--record', 'missing'], withKey)).code).toBe(0)
    expect(scene.server.asked()).toBe(1)
    expect(text(scene.p, recordingOf('c1', 'short'))).toBe(before)
    expect((await run(scene.p, ['--record', 'missing'], withKey)).code).toBe(0)
    expect(scene.server.asked()).toBe(0)
  })

  test('stale asks for what has changed only', async () => {
    await using scene = await scenario()
    await run(scene.p, ['--record', 'all'], withKey)
    scene.server.asked()
    scene.p.write({ 'evals/short.eval.yaml': short('One?', 'Two, or three?') })
    const old = await run(scene.p, [])
    expect(old.code).toBe(4)
    expect(old.result?.suites[0]?.cases.map(({ status }) => status)).toEqual(['passed', 'stale'])
    expect((await run(scene.p, ['--record', 'stale'], withKey)).code).toBe(0)
    expect(scene.server.asked()).toBe(1)
    expect((await run(scene.p, [])).code).toBe(0)
  })

  test('all asks for everything, and writes the same bytes for the same answers', async () => {
    await using scene = await scenario()
    await run(scene.p, ['--record', 'all'], withKey)
    const before = text(scene.p, recordingOf('c2', 'short'))
    await run(scene.p, ['--record', 'all'], withKey)
    expect(scene.server.asked()).toBe(4)
    expect(text(scene.p, recordingOf('c2', 'short'))).toBe(before)
  })

  test('off asks for everything and keeps nothing', async () => {
    await using scene = await scenario()
    const { code, first } = await run(scene.p, ['--record', 'off'], withKey)
    expect(code).toBe(0)
    expect(scene.server.asked()).toBe(2)
    expect(trialOf(first)?.cassette).toBeUndefined()
    expect(existsSync(join(scene.p.dir, 'recordings'))).toBe(false)
  })

  test("a profile's own mode holds, but not in CI", async () => {
    await using scene = await scenario({ record: 'missing' })
    const inCi = await run(scene.p, [])
    expect(inCi.code, inCi.said).toBe(4)
    expect(scene.server.asked()).toBe(0)
    const outside = await run(scene.p, [], { CI: '', ...withKey })
    expect(outside.code, outside.said).toBe(0)
    expect(scene.server.asked()).toBe(2)
  })

  test.each([
    ['a limit', { response: { error: { message: 'Slow down.', type: 'rate_limit_error' }, status: 429 } }],
    ['a cut connection', { response: { content: 'x' }, chaos: { disconnectRate: 1 } }],
  ])('%s while recording leaves the old recording as it was', async (_, fixture) => {
    await using scene = await scenario()
    await run(scene.p, ['--record', 'all'], withKey)
    const file = join(scene.p.dir, recordingOf('c1', 'short'))
    const before = { text: readFileSync(file, 'utf8'), ino: statSync(file).ino }
    scene.server.mock.clearFixtures()
    scene.server.mock.addFixture({ match: {}, ...fixture } as Parameters<LLMock['addFixture']>[0])
    const { code, said } = await run(scene.p, ['--record', 'all'], withKey)
    expect(code).toBe(3)
    expect(said).toContain('recordings/short/c1/live.json was not written: a trial did not end in order')
    expect({ text: readFileSync(file, 'utf8'), ino: statSync(file).ino }).toEqual(before)
    expect((await run(scene.p, [])).code).toBe(0)
  })
})

test('what a network_request brought is replayed without a connection', async () => {
  let connections = 0
  const page = createServer((_, response) => response.end(`page ${connections}`)).on('connection', () => {
    connections += 1
  })
  await once(page.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(page.address() as AddressInfo).port}/page`
  await using server = await provider(
    { toolCalls: [{ name: 'network_request', arguments: args({ url, method: 'GET' }) }], usage },
    { content: 'It says page 1.', usage },
  )
  using p = project({
    ...pack,
    ...config(profile('anthropic', server.url), { permissions: { allow: ['network_request(127.0.0.1)'] } }),
    'evals/page.eval.yaml': `name: page
model: live
skills: [../skills]
cases:
  - id: page
    input: What does ${url} say?
    expected:
      actions: { exactly: [{ action: network_request, output: { contains: page 1 } }] }
      output: [{ contains: page 1 }]
`,
  })
  const live = await run(p, ['--record', 'all'], withKey)
  expect(live.code, live.said).toBe(0)
  expect(connections).toBe(1)
  page.closeAllConnections()
  await once(page.close(), 'close')
  await server.stop()

  const { env, attempts } = offline(p)
  const replay = await run(p, [], env)
  expect(replay.code, replay.said).toBe(0)
  expect(attempts()).toEqual([])
  expect(trialOf(replay.first)?.actions[0]?.observation).toBe(trialOf(live.first)?.actions[0]?.observation)
})

test('keys and authorization headers are in no file that a recording and its replay leave', async () => {
  // Nothing in its shape tells the second one for a key.
  for (const secret of [key, 'maple-violet-thunder']) {
    await using server = await provider(
      {
        content: `I have seen ${secret}.`,
        toolCalls: [{ name: 'list_dir', arguments: args({ path: secret }) }],
        usage,
      },
      { content: `Authorization: Bearer ${secret} is the answer`, usage },
    )
    using p = project({
      ...pack,
      ...config(profile('openai', server.url)),
      'evals/short.eval.yaml': short('One?'),
    })
    const live = await run(p, ['--record', 'all'], { LIVE_KEY: secret })
    expect(live.code, live.said).toBe(0)
    expect(server.mock.getRequests()[0]?.headers).toHaveProperty('authorization')
    await run(p, [], { LIVE_KEY: secret })
    expect(
      p.run('grep', ['-rlE', 'I have seen|is the answer', 'recordings', 'reports']).split('\n').length,
    ).toBeGreaterThan(2)
    expect(p.run('sh', ['-c', `grep -rlaE '${secret}' . || true`])).toBe('')
    expect(text(p, recordingOf('c1', 'short'))).toContain('[redacted:')
  }
})
