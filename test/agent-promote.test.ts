import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { LLMock } from '@copilotkit/aimock'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { RunResult } from '../src/schema/run.ts'
import { project, root, skill } from './support/cli.ts'

const mock = new LLMock({ port: 0 })
beforeAll(() => mock.start())
afterAll(() => mock.stop())
beforeEach(() => {
  mock.clearFixtures()
  mock.clearRequests()
})

const usage = { prompt_tokens: 100, completion_tokens: 10 }
const args = (value: object): string => JSON.stringify(value)
const says = (...turns: readonly object[]) => {
  let at = 0
  mock.on(
    {},
    () => (turns[at++] ?? { error: { message: 'nobody wrote this turn' }, status: 400 }) as { content: string },
  )
}
const config = () => ({
  models: {
    live: { provider: 'openai', model: 'some-model', base_url: `${mock.url}/v1`, price: { input: 1, output: 10 } },
  },
  permissions: { allow: ['run_script'] },
})

const files = () => ({
  '.agent/config.json': JSON.stringify(config()),
  '.agent/skills/rows/SKILL.md': skill(
    'rows',
    'Counts rows of CSV files. Use it for CSV.',
    '# Rows\n\nRun scripts/count.sh FILE.\n',
  ),
  '.agent/skills/rows/scripts/count.sh': '#!/usr/bin/env bash\nwc -l < "$1"\n',
  'data/sales.csv': 'a,b\n1,2\n',
  'notes.txt': 'old\n',
  'other.txt': 'never touched\n',
  'turns.yaml': `- select_skills: rows
- [{run_script: {skill: rows, path: scripts/count.sh, args: [data/sales.csv]}}, {read_file: notes.txt}]
- write_file: {path: notes.txt, content: new}
- final_answer: sales.csv has 2 lines.
`,
})
/** An MCP server with one tool, which notes each start. */
const shop = `require('node:fs').appendFileSync(__dirname + '/starts.log', 'start\\n')
const reply = (m, result) => process.stdout.write(JSON.stringify({jsonrpc: '2.0', id: m.id, result}) + '\\n')
require('node:readline').createInterface({input: process.stdin}).on('line', (line) => {
  const m = JSON.parse(line)
  if (m.method === 'initialize') reply(m, {protocolVersion: m.params.protocolVersion, capabilities: {tools: {}}, serverInfo: {name: 's', version: '1'}})
  if (m.method === 'tools/list') reply(m, {tools: [{name: 'stock', description: 'How many there are.', inputSchema: {type: 'object', properties: {item: {type: 'string'}}}}]})
  if (m.method === 'tools/call') reply(m, {content: [{type: 'text', text: '7 ' + m.params.arguments.item}]})
})
`
const task = 'How many lines has data/sales.csv?'

type Step = readonly [string, unknown, string, number | undefined]
const steps = (actions: RunResult['suites'][number]['cases'][number]['trials'][number]['actions']): Step[] =>
  actions.map(({ action, params, status, exit_code }) => [action, params, status, exit_code])
const stepsOfRun = (json: unknown) => steps((json as { actions: Parameters<typeof steps>[0] }).actions)
const stepsOfTrial = (json: unknown) => steps((json as RunResult).suites[0]?.cases[0]?.trials[0]?.actions ?? [])
/** Runs the command that was printed. */
const printed = (p: ReturnType<typeof project>, err: string, ...more: readonly string[]) => {
  const line = /^ {2}skills-eval (run .*)$/m.exec(err)?.[1] ?? ''
  return p.cli([...line.replaceAll("'", '').split(' '), '--json', ...more])
}

describe('a run with a scripted model', () => {
  test('becomes a case that does the same, with the files as they were before', () => {
    using p = project(files())
    const run = p.cli([
      'agent',
      'run',
      task,
      '--mock',
      'turns.yaml',
      '--allow',
      'write_file:notes.txt',
      '--save-case',
      'evals/rows.eval.yaml',
      '--json',
    ])
    expect(run.code, run.err).toBe(0)
    expect(readFileSync(join(p.dir, 'notes.txt'), 'utf8')).toBe('new')
    const text = readFileSync(join(p.dir, 'evals/rows.eval.yaml'), 'utf8')
    const [made] = parse(text).cases
    expect(made).toMatchObject({
      id: 'how-many-lines-has-data-sales-csv',
      input: task,
      unreviewed: ['skills', 'actions', 'output', 'files'],
      expected: {
        skills: ['rows'],
        actions: {
          in_order: [
            { select_skills: 'rows' },
            { run_script: 'scripts/count.sh' },
            { read_file: 'notes.txt' },
            { write_file: 'notes.txt' },
          ],
        },
        output: [{ contains: 'sales.csv has 2 lines.' }],
        files: [{ path: 'notes.txt', exists: true }],
      },
    })
    expect(Object.keys(made.files)).toEqual(['data/sales.csv', 'notes.txt'])
    expect(text.match(/# seen in the run, not reviewed/g)).toHaveLength(4)
    expect(readFileSync(join(p.dir, 'evals', made.files['notes.txt']), 'utf8')).toBe('old\n')
    const again = printed(p, run.err)
    expect(again.code, again.err).toBe(0)
    expect(stepsOfTrial(again.json)).toEqual(stepsOfRun(run.json))
  })

  test('is warned of in each run until somebody has taken the mark away', () => {
    using p = project(files())
    const { err } = p.cli(['agent', 'run', task, '--mock', 'turns.yaml', '--save-case', 'evals/rows.eval.yaml'])
    expect(err).toContain('it does what the run did: 5 actions, the same')
    expect(printed(p, err).err).toContain('warning[suite/unreviewed]')
    const path = 'evals/rows.eval.yaml'
    const text = readFileSync(join(p.dir, path), 'utf8')
    p.write({ [path]: text.replace(/^ *unreviewed:.*\n/m, '') })
    expect(printed(p, err).err).not.toContain('unreviewed')
  })

  test('what a default denied in the run is denied in the case', () => {
    using p = project(files())
    const run = p.cli(['agent', 'run', task, '--mock', 'turns.yaml', '--save-case', 'evals/rows.eval.yaml', '--json'])
    expect(stepsOfRun(run.json)[3]?.slice(0, 3)).toEqual(['write_file', expect.anything(), 'denied'])
    expect(stepsOfTrial(printed(p, run.err).json)).toEqual(stepsOfRun(run.json))
  })

  test('what only the person allowed needs a suite that is trusted, and the command says so', () => {
    using p = project({ ...files(), 'delete.yaml': '- delete_file: notes.txt\n- final_answer: Gone.\n' })
    const run = p.cli([
      'agent',
      'run',
      'Delete it.',
      '--mock',
      'delete.yaml',
      '--allow',
      'delete_file:notes.txt',
      '--save-case',
      'evals/d.eval.yaml',
      '--json',
    ])
    expect(run.err).toContain('--trust-suites')
    const again = printed(p, run.err)
    expect(again.code, again.err).toBe(0)
    expect(stepsOfTrial(again.json)).toEqual(stepsOfRun(run.json))
  })

  test('secrets are in none of its files, and a task that holds one makes no case', () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`
    using p = project({
      ...files(),
      '.env': 'PORT=8080\n',
      'keys.txt': `the key is ${secret}\n`,
      'reads.yaml': '- [{read_file: keys.txt}, {read_file: .env}, {read_file: notes.txt}]\n- final_answer: Read.\n',
      'tells.yaml': `- final_answer: "It is ${secret}"\n`,
    })
    const { code, err } = p.cli([
      'agent',
      'run',
      'Read.',
      '--mock',
      'reads.yaml',
      '--save-case',
      'evals/r.eval.yaml',
      '--record',
    ])
    expect(code).toBe(1)
    expect(err).toContain('keys.txt is not among its files: it holds a secret')
    expect(err).toContain('.env is not among its files: files of that name hold secrets')
    expect(err).toContain(
      'it does not do what the run did: action 1 was read_file ok in the run, and is read_file error',
    )
    expect(() => p.run('grep', ['-rlF', secret, '.agent', 'evals'])).toThrow()
    const told = p.cli(['agent', 'run', 'Tell.', '--mock', 'tells.yaml', '--save-case', 'evals/t.eval.yaml'])
    expect({ code: told.code, err: told.err }).toMatchObject({
      code: 1,
      err: expect.stringContaining('holds a secret'),
    })
    expect(existsSync(join(p.dir, 'evals/t.eval.yaml'))).toBe(false)
  })

  test('a suite that is there keeps every byte, and takes no second case of one name', () => {
    const old = `# Ours.
model:   mock   # scripted
cases:
    - id: first   # stays
      input: 'Hi'
      mock: [{final_answer: hi}]
      # the end of first

# the end
thresholds: {pass_rate: 1}
`
    using p = project({ ...files(), 'evals/s.eval.yaml': old })
    const save = () => p.cli(['agent', 'run', task, '--mock', 'turns.yaml', '--save-case', 'evals/s.eval.yaml'])
    expect(save().code).toBe(0)
    expect(save().code).toBe(0)
    const text = readFileSync(join(p.dir, 'evals/s.eval.yaml'), 'utf8')
    const [start, end] = [old.indexOf('\n# the end'), text.indexOf('\n# the end')]
    expect([text.slice(0, start), text.slice(end)]).toEqual([old.slice(0, start), old.slice(start)])
    expect(parse(text).cases.map(({ id }: { id: string }) => id)).toEqual([
      'first',
      'how-many-lines-has-data-sales-csv',
      'how-many-lines-has-data-sales-csv-2',
    ])
    expect(p.cli(['run', 'evals/s.eval.yaml']).code).toBe(0)
    p.write({ 'evals/s.eval.yaml': 'cases: [{id: a, input: b}]\n', 'evals/broken.eval.yaml': 'cases: 1\n' })
    expect(save()).toMatchObject({ code: 2, err: expect.stringContaining('written in brackets') })
    const broken = p.cli(['agent', 'run', task, '--mock', 'turns.yaml', '--save-case', 'evals/broken.eval.yaml'])
    expect(broken.code).toBe(2)
    expect(readFileSync(join(p.dir, 'evals/broken.eval.yaml'), 'utf8')).toBe('cases: 1\n')
  })
})

describe('a run with a live model', () => {
  const scene = [
    { toolCalls: [{ name: 'select_skills', arguments: args({ skills: [{ name: 'rows' }] }) }], usage },
    {
      content: 'I look.',
      toolCalls: [
        { name: 'list_dir', arguments: args({ path: 'data' }) },
        {
          name: 'run_script',
          arguments: args({ skill: { name: 'rows' }, path: 'scripts/count.sh', args: ['data/sales.csv'] }),
        },
      ],
      usage,
    },
    { content: 'It has 2 lines.', usage },
  ]
  const live = async (p: ReturnType<typeof project>, ...more: readonly string[]) => {
    const { said, ended } = p.start(['agent', 'run', task, '--model', 'live', '--json', ...more])
    const code = await ended
    return { code, ...said, json: JSON.parse(said.out || 'null') as unknown }
  }

  test('becomes a case that replays the same from its recording, without the model', async () => {
    using p = project(files())
    says(...scene)
    const run = await live(p, '--save-case', 'evals/rows.eval.yaml')
    expect(run.code, run.err).toBe(0)
    expect(run.err).toContain('it does what the run did: 4 actions, the same')
    expect(mock.getRequests()).toHaveLength(3)
    const again = printed(p, run.err)
    expect(again.code, again.err).toBe(0)
    expect(stepsOfTrial(again.json)).toEqual(stepsOfRun(run.json))
    expect((again.json as RunResult).suites[0]?.cases[0]?.trials[0]?.cassette).toMatchObject({
      path: 'recordings/rows/how-many-lines-has-data-sales-csv/live.json',
      mode: 'replay',
      stale_parts: [],
    })
    expect(mock.getRequests()).toHaveLength(3)
  })

  test('can be promoted later, after its files have changed', async () => {
    using p = project(files())
    says(...scene)
    const run = await live(p, '--record')
    p.write({ 'data/sales.csv': 'a\nb\nc\nd\n' })
    const promoted = p.cli(['agent', 'runs', 'promote', 'latest', '--to', 'evals/rows.eval.yaml', '--id', 'rows/first'])
    expect(promoted.code, promoted.err).toBe(0)
    const again = printed(p, promoted.err)
    expect(again.code, again.err).toBe(0)
    expect(stepsOfTrial(again.json)).toEqual(stepsOfRun(run.json))
    expect(mock.getRequests()).toHaveLength(3)
  })

  test('is told in its case what AGENTS.md said, which is one of its files', async () => {
    using p = project({ ...files(), 'AGENTS.md': 'Answer in one line.\n' })
    says(...scene)
    const run = await live(p, '--save-case', 'evals/rows.eval.yaml')
    expect(run.code, run.err).toBe(0)
    const [made] = parse(readFileSync(join(p.dir, 'evals/rows.eval.yaml'), 'utf8')).cases
    expect(made.agent).toEqual({ agents_md: true })
    expect(Object.keys(made.files)).toEqual(['AGENTS.md', 'data/sales.csv'])
    const again = printed(p, run.err)
    expect(again.code, again.err).toBe(0)
    expect(mock.getRequests()).toHaveLength(3)
  })

  test('makes no case where AGENTS.md of a folder above was told', async () => {
    using p = project({ ...files(), 'AGENTS.md': 'Answer in one line.\n' })
    says({ content: 'Yes.', usage })
    const run = await live(p, '-C', 'data', '--save-case', 'x.eval.yaml')
    expect(run.code).toBe(1)
    expect(run.err).toContain('what AGENTS.md of the project says, and it was not run in its top folder')
  })

  test.each([
    ['a rule of the configuration', ['call_tool(mcp__shop__stock)'], []],
    ['--allow by its name alone', [], ['--allow', 'mcp__shop__stock']],
  ])('has in its case the tools of its MCP servers, as they were recorded, allowed by %s', async (_, allow, more) => {
    const settings = config()
    using p = project({
      ...files(),
      'tools/server.cjs': shop,
      '.agent/config.json': JSON.stringify({
        ...settings,
        mcp: { shop: { command: 'node', args: ['server.cjs'], cwd: 'tools' } },
        permissions: { allow },
      }),
    })
    says(
      { toolCalls: [{ name: 'mcp__shop__stock', arguments: args({ item: 'pens' }) }], usage },
      { content: 'There are 7.', usage },
    )
    const run = await live(p, '--mcp', 'shop', ...more, '--save-case', 'evals/shop.eval.yaml')
    expect(run.code, run.err).toBe(0)
    expect(run.err).toContain('it does what the run did: 2 actions, the same')
    const again = printed(p, run.err)
    expect(again.code, again.err).toBe(0)
    expect(stepsOfTrial(again.json)).toEqual(stepsOfRun(run.json))
    expect(readFileSync(join(p.dir, 'tools/starts.log'), 'utf8')).toBe('start\n')
    expect(mock.getRequests()).toHaveLength(2)
  })

  test('what it was told that is not in the case is named', async () => {
    using p = project(files())
    p.run('git', ['init', '-q', '.'])
    says({ toolCalls: [{ name: 'list_dir', arguments: args({ path: '.' }) }], usage }, { content: 'Seen.', usage })
    const run = await live(p, '--save-case', 'evals/l.eval.yaml')
    expect(run.err).toContain('but for what was seen: observation:1 is not word for word what it was')
    expect(printed(p, run.err).code).toBe(0)
  })

  test('gets no recording in a suite where the model would be asked something else', async () => {
    using p = project({
      ...files(),
      'more/x/SKILL.md': skill('x', 'Another.'),
      'evals/x.eval.yaml': 'skills: [../more]\nmodel: live\n',
    })
    says(...scene)
    const run = await live(p, '--save-case', 'evals/x.eval.yaml')
    expect(run.code).toBe(1)
    expect(run.err).toMatch(/the model is asked something else than in the run \(.*index/)
    expect(run.err).toContain('it was kept without a recording')
    expect(run.err).toMatch(/^ {2}skills-eval run evals\/x.eval.yaml .*--record all$/m)
    expect(existsSync(join(p.dir, 'recordings'))).toBe(false)
  })

  test('a run that was not recorded, or has no answer, makes no case', async () => {
    using p = project(files())
    says({ content: 'Hello.', usage })
    await live(p)
    const plain = p.cli(['agent', 'runs', 'promote', 'latest', '--to', 'evals/x.eval.yaml'])
    expect({ code: plain.code, err: plain.err }).toMatchObject({
      code: 2,
      err: expect.stringContaining('was not recorded'),
    })
    const failed = await live(p, '--save-case', 'evals/x.eval.yaml')
    expect({ code: failed.code, err: failed.err }).toMatchObject({
      code: 1,
      err: expect.stringContaining('has no answer'),
    })
    expect(existsSync(join(p.dir, 'evals'))).toBe(false)
  })

  test('a recorded run of which no case can be made says why when it is to be promoted', () => {
    using p = project({ ...files(), 'AGENTS.md': 'Be brief.\n', 'data/turns.yaml': '- final_answer: Hello.\n' })
    const run = p.cli(['agent', 'run', '-C', 'data', 'Hi.', '--mock', 'turns.yaml', '--record'])
    expect(run.code, run.err).toBe(0)
    const promoted = p.cli(['agent', 'runs', 'promote', '-C', 'data', '--to', 'x.eval.yaml'])
    expect(promoted.code).toBe(2)
    expect(promoted.err).toMatch(/no case can be made of run \S+: the model was told what AGENTS\.md/)
    expect(promoted.err).not.toContain('--record')
  })

  test('asks nothing outside again: what came from there is in the recording', async () => {
    let asked = 0
    const server = createServer((_, response) => {
      asked += 1
      response.end(`answer ${asked}`)
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const { port } = server.address() as AddressInfo
    try {
      const url = `http://127.0.0.1:${port}/x`
      using p = project({
        ...files(),
        '.agent/config.json': JSON.stringify({
          ...config(),
          permissions: { allow: [`network_request(127.0.0.1:${port})`] },
        }),
      })
      says({ toolCalls: [{ name: 'network_request', arguments: args({ url }) }], usage }, { content: 'Asked.', usage })
      const run = await live(p, '--save-case', 'evals/net.eval.yaml', '--record-to', 'net.json')
      expect(run.code, run.err).toBe(0)
      const again = printed(p, run.err)
      expect(again.code, again.err).toBe(0)
      expect(stepsOfTrial(again.json)).toEqual(stepsOfRun(run.json))
      const replay = p.cli(['agent', 'run', task, '--replay', 'net.json', '--json'])
      expect(replay.out).toContain('answer 1')
      expect(asked).toBe(1)
    } finally {
      server.close()
    }
  })

  test('a chat that is gone on with, and in which a skill was disabled, is asked the same in its case', async () => {
    using p = project(files())
    says(...scene, { content: 'Still 2.', usage }, { content: 'Yes.', usage })
    const chat = async (lines: string, ...more: readonly string[]) => {
      const { input, ended, said } = p.start(['agent', 'chat', '--model', 'live', ...more])
      input.end(lines)
      expect(await ended, said.err).toBe(0)
      return said.err
    }
    await chat(`${task}\n/disable rows\n`)
    await chat('And now?\n', '--continue')
    const err = await chat('/enable rows\nSure?\n/save-case evals/chat.eval.yaml\n', '--continue')
    expect(err).toContain('it does what the run did: 6 actions, the same\nwhat it expects')
    const again = printed(p, err)
    expect(again.code, again.err).toBe(0)
    expect(stepsOfTrial(again.json)).toHaveLength(6)
    expect(mock.getRequests()).toHaveLength(5)
  })

  test('a chat becomes a case of several requests, at once or from its record', async () => {
    using p = project(files())
    says(...scene, { content: 'Still 2.', usage })
    const program = join(root, 'dist/skills-agent.cjs')
    const child = spawn(process.execPath, [program, 'chat', '--model', 'live', '--record'], {
      cwd: p.dir,
      env: { PATH: process.env.PATH ?? '', HOME: join(p.dir, '.home'), CI: 'true' },
    })
    child.stdin.end(`${task}\nAnd now?\n/save-case evals/chat.eval.yaml\n`)
    let err = ''
    child.stderr.setEncoding('utf8').on('data', (text) => {
      err += text
    })
    expect(await new Promise((done) => child.once('close', done)), err).toBe(0)
    expect(err).toContain('it does what the run did: 5 actions, the same')
    const again = printed(p, err)
    expect(again.code, again.err).toBe(0)
    expect(stepsOfTrial(again.json).map(([action, , status]) => [action, status])).toEqual([
      ['select_skills', 'ok'],
      ['list_dir', 'ok'],
      ['run_script', 'ok'],
      ['final_answer', 'ok'],
      ['final_answer', 'ok'],
    ])
    const promoted = p.cli(['agent', 'runs', 'promote', '--to', 'evals/later.eval.yaml'])
    expect(promoted.code, promoted.err).toBe(0)
    expect(stepsOfTrial(printed(p, promoted.err).json)).toEqual(stepsOfTrial(again.json))
    expect(mock.getRequests()).toHaveLength(4)
  })
})
