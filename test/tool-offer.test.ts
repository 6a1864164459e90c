import { describe, expect, test } from 'vitest'
import { pack, project } from './support/cli.ts'
import { config, read, trialsOf } from './support/recorded-project.ts'

type Project = ReturnType<typeof project>

const offering = (offer: string, more: object = {}) =>
  JSON.stringify({ ...JSON.parse(config()), tools: { offer }, ...more })

const tides = (field = 'allowed_tools: [tide_times]') =>
  `---\nname: tides\ndescription: Says when the tide is high. Use for tides.\n${field}\n---\nAsk tide_times.\n`

const suite = (change: { readonly agent?: string } = {}) => `name: t
skills: [../skills]
model: m
cases:
  - id: high
    input: When is high water?
    ${change.agent ?? ''}
    tools:
      tide_times: {description: Tides., returns: "06:40"}
      clock: {description: The time., returns: "05:00"}
    mock:
      - call_tool: {tool: tide_times, input: {}}
      - select_skills: tides
      - call_tool: {tool: tide_times, input: {}}
      - final_answer: At 06:40.
    expected: {skills: [tides]}
`

const files = {
  ...pack,
  'skills/tides/SKILL.md': tides(),
  'evals/t.eval.yaml': suite(),
  '.agent/config.json': offering('per_skill'),
}

const callsOf = (p: Project) =>
  trialsOf(p)[0]?.actions.flatMap(({ action, status }) => (action === 'call_tool' ? [status] : []))

type Turn = { readonly request: Readonly<Record<string, string>> }

/** The names of the tools that each turn of the recording is told of, where they are others than before. */
const recordedTools = (p: Project) => {
  const { trials, parts } = JSON.parse(read(p, 'recordings/t/high/m.json'))
  return trials[0].turns.map(({ request }: Turn) =>
    request.tools === undefined
      ? undefined
      : Object.keys(parts.tools[request.tools] ?? {}).filter((name) => ['tide_times', 'clock'].includes(name)),
  )
}

/** An MCP server with two tools. */
const shop = `const reply = (m, result) => process.stdout.write(JSON.stringify({jsonrpc: '2.0', id: m.id, result}) + '\\n')
require('node:readline').createInterface({input: process.stdin}).on('line', (line) => {
  const m = JSON.parse(line)
  if (m.method === 'initialize') reply(m, {protocolVersion: m.params.protocolVersion, capabilities: {tools: {}}, serverInfo: {name: 's', version: '1'}})
  if (m.method === 'tools/list') reply(m, {tools: ['stock', 'price'].map((name) => ({name, description: name, inputSchema: {type: 'object'}}))})
  if (m.method === 'tools/call') reply(m, {content: [{type: 'text', text: m.params.name + ' 7'}]})
})
`

describe('tools.offer: per_skill', () => {
  test.each([
    ['allowed-tools', 'allowed-tools: tide_times'],
    ['allowedTools', 'allowedTools: [tide_times]'],
    ['tools_optional', 'tools_optional: [tide_times]'],
    ['tools_required', 'tools_required: [tide_times]'],
  ])('holds for tools in %s', (_name, field) => {
    using p = project({ ...files, 'skills/tides/SKILL.md': tides(field) })
    expect(p.cli(['run']).code).toBe(0)
    expect(callsOf(p)).toEqual(['denied', 'ok'])
    expect(trialsOf(p)[0]?.actions[0]?.observation).toContain('The skill tides brings tide_times')
  })

  test('is the word of the configuration, and a case has the last one', () => {
    using p = project({ ...files, '.agent/config.json': config() })
    p.cli(['run'])
    expect(callsOf(p)).toEqual(['ok', 'ok'])
    p.write({ 'evals/t.eval.yaml': suite({ agent: 'agent: {offer_tools: per_skill}' }) })
    p.cli(['run'])
    expect(callsOf(p)).toEqual(['denied', 'ok'])
    p.write({ '.agent/config.json': offering('per_skill') })
    p.write({ 'evals/t.eval.yaml': suite({ agent: 'agent: {offer_tools: all}' }) })
    p.cli(['run'])
    expect(callsOf(p)).toEqual(['ok', 'ok'])
  })

  test('is in the recording, turn by turn, and a replay under another word is stale', () => {
    using p = project(files)
    expect(p.cli(['run', '--record', 'all']).code).toBe(0)
    expect(recordedTools(p)).toEqual([['clock'], undefined, ['clock', 'tide_times'], undefined])
    const before = callsOf(p)
    expect(p.cli(['run', '--record', 'replay']).code).toBe(0)
    expect(callsOf(p)).toEqual(before)
    p.write({ '.agent/config.json': config() })
    expect(p.cli(['run', '--record', 'replay']).code).not.toBe(0)
    const [trial] = trialsOf(p)
    expect(trial?.status).toBe('stale')
    expect(trial?.reason).toContain('tool tide_times is new')
  })

  test('a word that is none is told with its place', () => {
    using p = project({ ...files, '.agent/config.json': offering('sometimes') })
    const { code, err } = p.cli(['run'])
    expect(code).toBe(2)
    expect(err).toContain('per_skill')
  })

  test('is what `skills inspect` says of the field', () => {
    using p = project(files)
    expect(p.cli(['skills', 'inspect', 'skills/tides']).out).toContain(
      'allowed_tools: ["tide_times"] (Spring AI Alibaba; acted on: read as allowed-tools; with tools.offer: per_skill, tools of the run that it names come with the skill)',
    )
  })

  test('holds for a task with an MCP server, and for the case that is made of it', () => {
    using p = project({
      '.agent/skills/keeper/SKILL.md': tides('allowed-tools: mcp__shop__stock mcp__shop__price').replace(
        'tides',
        'keeper',
      ),
      'tools/server.cjs': shop,
      '.agent/config.json': offering('per_skill', {
        mcp: { shop: { command: 'node', args: ['server.cjs'], cwd: 'tools' } },
        permissions: { allow: ['call_tool(mcp__shop)'] },
      }),
      'turns.yaml': `- raw: {name: mcp__shop__stock, input: {}}
- select_skills: keeper
- raw: {name: mcp__shop__stock, input: {}}
- final_answer: "7"
`,
    })
    const options = [
      '--model',
      'm',
      '--mock',
      'turns.yaml',
      '--mcp',
      'shop',
      '--save-case',
      'evals/s.eval.yaml',
      '--json',
    ]
    const run = p.cli(['agent', 'run', 'How many pens?', ...options])
    expect(run.code, run.err).toBe(0)
    const statusOf = (actions: readonly { readonly status: string }[]) => actions.map(({ status }) => status)
    const expected = ['denied', 'ok', 'ok', 'ok']
    expect(statusOf((run.json as { actions: { status: string }[] }).actions)).toEqual(expected)
    expect(run.err).toContain('it does what the run did: 4 actions, the same')
    p.cli(['run', 'evals/s.eval.yaml', '--trust-suites'])
    expect(statusOf(trialsOf(p)[0]?.actions ?? [])).toEqual(expected)
  })
})
