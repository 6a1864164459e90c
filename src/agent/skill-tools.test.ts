import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { memoryClock } from '../adapters/memory/memory-clock.ts'
import type { ModelRequest } from '../core/model.ts'
import type { Skill } from '../core/skill.ts'
import type { MockScript } from '../schema/mock.ts'
import { controlledSkills } from '../skills/controlled-skills.ts'
import { actionLines, mockOptions, runInMemory, type Setting, skillsOf, skillText } from './agent.test-support.ts'
import { mockModel } from './mock-model.ts'
import { withheldTools } from './skill-tools.ts'

const skills = skillsOf({
  '/skills/weather/SKILL.md': skillText('weather', 'allowed-tools: get_weather mcp__maps\n'),
  '/skills/sailing/SKILL.md': skillText('sailing', 'allowed_tools: [get_weather, get_tides, Bash(git:*)]\n'),
  '/skills/alone/SKILL.md': skillText('alone', 'allowedTools: [sound_depth, read_file]\nrun-mode: subagent\n'),
  '/skills/plain/SKILL.md': skillText('plain'),
})

const doubles = Object.fromEntries(
  ['get_weather', 'get_tides', 'mcp__maps__route', 'sound_depth', 'bash', 'get_time'].map((name) => [
    name,
    { description: name, returns: `result of ${name}` },
  ]),
)

const withheldAtFirst = ['get_tides', 'get_weather', 'mcp__maps__route', 'sound_depth']

const run = async (mock: MockScript, setting: Setting = {}) => {
  const requests: ModelRequest[] = []
  const inner = mockModel(mock, mockOptions(memoryClock(), setting.mock))
  const model = {
    ...inner,
    generate: (request: ModelRequest, options: { readonly signal: AbortSignal }) => {
      requests.push(request)
      return inner.generate(request, options)
    },
  }
  const outcome = await runInMemory(mock, { skills, doubles, offersPerSkill: true, ...setting, model })
  const offered = requests.map(({ tools }) => tools.map(({ name }) => name).filter((name) => name in doubles))
  return { requests, outcome, offered, lines: actionLines(outcome) }
}

const call = (tool: string) => ({ call_tool: { tool, input: {} } })

describe('tools that come with skills', () => {
  test('all are offered from the start unless the configuration says otherwise', async () => {
    const { offered, requests } = await run([{ select_skills: 'weather' }, 'Done.'], { offersPerSkill: false })
    expect(offered).toEqual([Object.keys(doubles).sort(), Object.keys(doubles).sort()])
    expect(requests[1]?.parts).toBe(requests[0]?.parts)
  })

  test('are offered from the model call that follows the loading of their skill', async () => {
    const { offered } = await run([{ select_skills: 'weather' }, { select_skills: 'sailing' }, 'Done.'])
    expect(offered).toEqual([
      ['bash', 'get_time'],
      ['bash', 'get_time', 'get_weather', 'mcp__maps__route'],
      ['bash', 'get_tides', 'get_time', 'get_weather', 'mcp__maps__route'],
    ])
  })

  test('are part of what the request is compared by, which stays the same object while they do', async () => {
    const { requests } = await run([call('get_time'), { select_skills: 'weather' }, call('get_weather'), 'Done.'])
    const [first, second, third, fourth] = requests.map(({ parts }) => parts)
    expect(second).toBe(first)
    expect(fourth).toBe(third)
    expect(third?.tools.map(({ name }) => name)).toContain('get_weather')
    expect(third).toEqual({ ...first, tools: third?.tools })
  })

  test('are denied with the skill that brings them while that is not loaded', async () => {
    const { outcome, lines } = await run([
      call('get_weather'),
      { raw: { name: 'get_tides', input: {} } },
      [{ select_skills: 'sailing' }, call('get_tides')],
      call('get_tides'),
      call('sound_depth'),
      'Done.',
    ])
    expect(lines).toEqual([
      'call_tool denied: call_tool is not permitted (tools.offer: per_skill). One of the skills sailing, weather brings get_weather: load that skill with select_skills first, and use it in a later turn.',
      'call_tool denied: call_tool is not permitted (tools.offer: per_skill). The skill sailing brings get_tides: load that skill with select_skills first, and use it in a later turn.',
      expect.stringContaining('select_skills ok: '),
      'call_tool denied: call_tool is not permitted (tools.offer: per_skill). The skill sailing brings get_tides: it is offered from your next turn on.',
      'call_tool ok: result of get_tides',
      'call_tool denied: call_tool is not permitted (tools.offer: per_skill). The skill alone brings sound_depth: load that skill with select_skills first, which runs on its own and has it then.',
      'final_answer ok: Done.',
    ])
    expect(outcome.trajectory.filter((event) => event.type === 'decision')[0]).toMatchObject({
      verdict: 'deny',
      rule: 'tools.offer: per_skill',
      target: 'get_weather',
    })
  })

  test('are not given away by the list of what there is', async () => {
    const { outcome } = await run([{ raw: { name: 'get_wether', input: {} } }, 'Done.'])
    const [repair] = outcome.trajectory.filter((event) => event.type === 'repair')
    expect(repair?.message).toContain('get_time')
    expect(repair?.message).not.toContain('get_weather')
  })

  test('come with a skill that the user loads', async () => {
    const { offered } = await run([call('get_tides'), 'Done.'], { inputs: ['/sailing When is the tide?'] })
    expect(offered[0]).toEqual(['bash', 'get_tides', 'get_time', 'get_weather'])
  })

  test('are listed in the system prompt of a model that has no tools', async () => {
    const { requests } = await run(
      [{ select_skills: 'weather' }, { call_tool: 'get_weather' }, { final_answer: 'Done.' }],
      {
        mock: { protocol: 'text' },
      },
    )
    expect(requests.map(({ system }) => system.includes('- call_tool get_weather:'))).toEqual([false, true, true])
    expect(requests.every(({ system }) => system.includes('- call_tool get_time:'))).toBe(true)
    expect(requests[1]?.parts.system).toBe(requests[0]?.parts.system)
  })

  test('stay offered when the conversation is shortened', async () => {
    const long = { ...doubles, get_tides: { returns: 'some words in a row\n'.repeat(400) } }
    const { offered, outcome } = await run(
      [{ select_skills: 'sailing' }, ...Array.from({ length: 6 }, () => call('get_tides')), 'Done.'],
      { doubles: long, context: { tokens: 4000, places: [] } },
    )
    expect(outcome.trajectory.some(({ type }) => type === 'compacted')).toBe(true)
    expect(offered.slice(1).every((names) => names.includes('get_tides'))).toBe(true)
  })

  test('go with a skill that is turned off, and come back with it', async () => {
    const { offered, lines } = await run(
      [
        { select_skills: 'sailing' },
        { disable_skill: 'sailing' },
        call('get_tides'),
        { enable_skill: 'sailing' },
        call('get_tides'),
        'Done.',
      ],
      { skills: controlledSkills(() => skills) },
    )
    expect(offered.map((names) => names.includes('get_tides'))).toEqual([false, true, false, false, true, true])
    expect(lines[2]).toContain('The skill sailing brings get_tides, and is disabled.')
    expect(lines[4]).toBe('call_tool ok: result of get_tides')
  })

  test('of a skill that runs on its own are offered to it alone', async () => {
    const { requests, offered, lines } = await run({
      turns: [{ select_skills: 'weather' }, { select_skills: 'alone' }, call('get_weather'), 'Done.'],
      subagents: { alone: [call('sound_depth'), call('get_weather'), '7 fathoms'] },
    })
    const seen = requests.map(({ conversation = '-' }, i) => `${conversation}: ${offered[i]?.join(' ')}`)
    const own = '-: bash get_time get_weather mcp__maps__route'
    const child = 'alone: bash get_time sound_depth'
    expect(seen).toEqual(['-: bash get_time', own, child, child, child, own, own])
    expect(lines.slice(-2)).toEqual(['call_tool ok: result of get_weather', 'final_answer ok: Done.'])
  })

  test('are counted as input of the turns that have them', async () => {
    const { outcome } = await run([{ select_skills: 'weather' }, 'Done.'])
    const all = await run([{ select_skills: 'weather' }, 'Done.'], { offersPerSkill: false })
    const inputs = (trajectory: typeof outcome.trajectory) =>
      trajectory.flatMap((event) => (event.type === 'model' ? [event.usage.input_tokens ?? 0] : []))
    const [few = 0, more = 0] = inputs(outcome.trajectory)
    const [first = 0, second = 0] = inputs(all.outcome.trajectory)
    expect(few).toBeLessThan(first)
    expect(second - more).toBeLessThan(first - few)
  })
})

describe('which tools are withheld', () => {
  const skillWith = (fields: Partial<Skill>): Skill => ({
    ...{ name: 'x', description: 'X', source: 'project', dir: '/x', file: '/x/SKILL.md', tags: [], metadata: {} },
    ...{ hiddenFromModel: false, hiddenFromUser: false, allowedTools: undefined, extra: {} },
    ...fields,
  })
  const withheld = (fields: Partial<Skill>, tools: readonly string[]) => [
    ...withheldTools(tools, { ...skills, visible: () => [skillWith(fields)] }, []).keys(),
  ]

  test.each<[string, Partial<Skill>, readonly string[], readonly string[]]>([
    ['by name', { allowedTools: ['a', 'call_tool(b)'] }, ['a', 'b', 'c'], ['a', 'b']],
    [
      'by a glob or a server',
      { allowedTools: ['get_*', 'mcp__m'] },
      ['get_a', 'mcp__m__x', 'mcp__n__x'],
      ['get_a', 'mcp__m__x'],
    ],
    ['a glob that is none', { allowedTools: ['{a', '[z-a]'] }, ['a', 'z'], []],
    ['not by a rule about shell lines', { allowedTools: ['Bash', 'Bash(git:*)'] }, ['bash', 'Bash'], []],
    ['not by a rule about any tool', { allowedTools: ['call_tool', 'call_tool(*)'] }, ['a'], []],
    ['not by a rule with parentheses', { allowedTools: ['a(b)'] }, ['a'], []],
    ['required', { requiredTools: ['a'] }, ['a', 'b'], ['a']],
    ['optional, as a list', { extra: { tools_optional: ['a', 'b'] } }, ['a', 'b', 'c'], ['a', 'b']],
    ['optional, as a text', { extra: { tools_optional: 'a, b' } }, ['a', 'b', 'c'], ['a', 'b']],
    ['optional, as something else', { extra: { tools_optional: { a: 1 } } }, ['a'], []],
  ])('%s', (_name, fields, tools, expected) => {
    expect(withheld(fields, tools)).toEqual(expected)
  })

  test('a tool that no skill of the index names is never withheld, and none once all are loaded', () => {
    fc.assert(
      fc.property(fc.subarray(Object.keys(doubles)), fc.subarray([...skills.visible()]), (tools, loaded) => {
        const found = [...withheldTools(tools, skills, loaded).keys()]
        expect(found.filter((tool) => !withheldAtFirst.includes(tool))).toEqual([])
        expect([...withheldTools(tools, skills, skills.visible()).keys()]).toEqual([])
      }),
    )
  })
})
