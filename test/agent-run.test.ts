import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LLMock } from '@copilotkit/aimock'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type AgentEvent, agentEventSchema } from '../src/schema/agent-event.ts'
import { project, skill } from './support/cli.ts'

const mock = new LLMock({ port: 0 })
beforeAll(() => mock.start())
afterAll(() => mock.stop())
beforeEach(() => {
  mock.clearFixtures()
  mock.clearRequests()
})

const usage = { prompt_tokens: 100, completion_tokens: 10 }
const args = (value: object): string => JSON.stringify(value)
/** What the live model says in its first, second, … turn. */
const says = (...turns: readonly object[]) => {
  let at = 0
  mock.on(
    {},
    () => (turns[at++] ?? { error: { message: 'nobody wrote this turn' }, status: 400 }) as { content: string },
  )
}
const config = (more: object = {}) =>
  JSON.stringify({
    models: {
      live: { provider: 'openai', model: 'some-model', base_url: `${mock.url}/v1`, price: { input: 1, output: 10 } },
    },
    ...more,
  })

const files = {
  '.agent/skills/one/SKILL.md': skill('one', 'Does one thing. Use it for one.', '# One\n\nThe body of one.\n'),
  'data.txt': 'some data\n',
  'answers.yaml': '- read_file: data.txt\n- final_answer: It says some data.\n',
  'slow.yaml': '- read_file: data.txt\n- final_answer: Too late.\n',
}
const eventsOf = (out: string): AgentEvent[] =>
  out
    .trim()
    .split('\n')
    .map((line) => agentEventSchema.parse(JSON.parse(line)))
const recordsOf = (dir: string) => readdirSync(join(dir, '.agent/runs')).filter((name) => !name.startsWith('.'))
const recordOf = (dir: string) =>
  JSON.parse(readFileSync(join(dir, '.agent/runs', recordsOf(dir)[0] ?? '', 'run.json'), 'utf8'))

describe('the task', () => {
  test('comes from words, a file or standard input, and from one of them', () => {
    using p = project({ ...files, 'task.txt': 'From a file.\n' })
    const mocked = ['--mock', 'answers.yaml', '-q']
    p.cli(['agent', 'run', '--prompt-file', 'task.txt', ...mocked])
    p.shell(['agent', 'run', '-', ...mocked], '<<< "From standard input."')
    const asked = recordsOf(p.dir).map(
      (id) => JSON.parse(readFileSync(join(p.dir, '.agent/runs', id, 'run.json'), 'utf8')).request.head,
    )
    expect(asked.sort()).toEqual(['From a file.', 'From standard input.'])
    const twice = p.cli(['agent', 'run', 'words', '--prompt-file', 'task.txt', ...mocked])
    expect({ code: twice.code, err: twice.err }).toMatchObject({ code: 2, err: expect.stringContaining('given twice') })
    for (const none of [[], ['  ']]) {
      expect(p.cli(['agent', 'run', ...none, ...mocked])).toMatchObject({
        code: 2,
        err: expect.stringContaining('no task'),
      })
    }
  })
})

describe('--events', () => {
  test('prints what happens as lines of JSON, which the schema knows', () => {
    using p = project(files)
    const { code, out, err } = p.cli(['agent', 'run', 'Look.', '--mock', 'answers.yaml', '--events'])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    const events = eventsOf(out)
    expect(events.map(({ type }) => type).filter((type) => type !== 'state')).toEqual([
      'start',
      'input',
      'model',
      'decision',
      'action',
      'model',
      'decision',
      'answer',
      'action',
      'end',
    ])
    expect(events.at(-1)).toMatchObject({ stop: { kind: 'answered' }, run: recordsOf(p.dir)[0], cost_usd: 0 })
    expect(p.cli(['agent', 'run', 'Look.', '--mock', 'answers.yaml', '--events', '--json']).code).toBe(2)
  })

  test('prints each as it happens, not at the end', async () => {
    using p = project({
      ...files,
      '.agent/config.json': JSON.stringify({ models: { slow: { provider: 'mock', params: { latency_ms: 3000 } } } }),
    })
    const { said, ended, kill } = p.start([
      'agent',
      'run',
      'Look.',
      '--model',
      'slow',
      '--mock',
      'slow.yaml',
      '--events',
    ])
    await expect.poll(() => said.out, { timeout: 30_000 }).toContain('"type":"action"')
    expect(said.out).not.toContain('"type":"end"')
    kill('SIGINT')
    expect(await ended).toBe(130)
    // What was stopped is on record as that.
    expect(recordOf(p.dir).stop).toMatchObject({ kind: 'interrupted', message: 'SIGINT' })
    expect(recordOf(p.dir).actions).toMatchObject([{ action: 'read_file' }])
  })
})

describe('limits', () => {
  test('--max-turns stops it', () => {
    using p = project(files)
    const { code, err } = p.cli(['agent', 'run', 'Look.', '--mock', 'answers.yaml', '--max-turns', '1'])
    expect({ code, err }).toMatchObject({ code: 3, err: expect.stringContaining('max_turns: stopped after 1 turn') })
  })

  test('--max-cost asks a live model for nothing that it could not pay', async () => {
    using p = project({ ...files, '.agent/config.json': config() })
    says({ content: 'Hello.', usage })
    const { said, ended } = p.start(['agent', 'run', 'Hi.', '--model', 'live', '--max-cost', '0.0001'])
    expect(await ended).toBe(3)
    expect(said.err).toContain('--max-cost: the next answer may cost up to')
    expect(mock.getRequests()).toEqual([])
  })

  test('--max-cost stops what has cost more', () => {
    using p = project({
      ...files,
      '.agent/config.json': JSON.stringify({
        models: { dear: { provider: 'mock', price: { input: 1000, output: 1000 } } },
      }),
    })
    const { code, err } = p.cli([
      'agent',
      'run',
      'Look.',
      '--model',
      'dear',
      '--mock',
      'answers.yaml',
      '--max-cost',
      '0.5',
    ])
    expect({ code, err }).toMatchObject({ code: 3, err: expect.stringContaining('max_cost_usd: spent') })
  })
})

describe('a recording', () => {
  const scene = [
    { toolCalls: [{ name: 'read_file', arguments: args({ path: 'data.txt' }) }], usage },
    { content: 'It says some data.', usage },
  ]

  test('is replayed without the model, at the same cost, and is stale once something else is seen', async () => {
    using p = project({ ...files, '.agent/config.json': config() })
    says(...scene)
    const live = p.start(['agent', 'run', 'Look.', '--model', 'live', '--record-to', 'out/look.json', '--json'])
    expect(await live.ended, live.said.err).toBe(0)
    expect(mock.getRequests()).toHaveLength(2)
    const replay = p.cli(['agent', 'run', 'Look.', '--replay', 'out/look.json', '--json'])
    expect(replay.code, replay.err).toBe(0)
    const of = (value: unknown) => {
      const { actions, output, cost_usd } = value as {
        actions: readonly { action: string; status: string; observation: string }[]
        output: string
        cost_usd: number
      }
      return {
        output,
        cost_usd,
        actions: actions.map(({ action, status, observation }) => [action, status, observation]),
      }
    }
    expect(of(replay.json)).toEqual(of(JSON.parse(live.said.out)))
    expect(mock.getRequests()).toHaveLength(2)
    p.write({ 'data.txt': 'other data\n' })
    const stale = p.cli(['agent', 'run', 'Look.', '--replay', 'out/look.json'])
    expect({ code: stale.code, err: stale.err }).toMatchObject({
      code: 4,
      err: expect.stringContaining('observation 1'),
    })
    expect(stale.err).toContain('Re-record: skills-agent run Look. --record-to out/look.json')
  })

  test('is kept beside the record with --record, and nothing is without', () => {
    using p = project(files)
    p.cli(['agent', 'run', 'Look.', '--mock', 'answers.yaml'])
    const [plain = ''] = recordsOf(p.dir)
    expect(readdirSync(join(p.dir, '.agent/runs', plain))).toEqual(['run.json'])
    p.cli(['agent', 'run', 'Look.', '--mock', 'answers.yaml', '--record'])
    const kept = recordsOf(p.dir).find((id) => id !== plain) ?? ''
    expect(readdirSync(join(p.dir, '.agent/runs', kept)).sort()).toEqual(['case.json', 'recording.json', 'run.json'])
  })

  test('is not made of a replay, nor replayed where it is none', () => {
    using p = project({ ...files, 'none.json': '{}' })
    expect(p.cli(['agent', 'run', 'Look.', '--replay', 'none.json', '--record']).code).toBe(2)
    expect(p.cli(['agent', 'run', 'Look.', '--replay', 'none.json']).err).toContain("can't be replayed")
    expect(p.cli(['agent', 'run', 'Look.', '--replay', 'gone.json']).code).toBe(2)
    expect(existsSync(join(p.dir, '.agent/runs'))).toBe(false)
  })
})
