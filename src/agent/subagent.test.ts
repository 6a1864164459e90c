import { describe, expect, test } from 'vitest'
import { memoryClock } from '../adapters/memory/memory-clock.ts'
import type { ModelRequest } from '../core/model.ts'
import { actionsOf, selectedSkills, withNested } from '../core/trajectory.ts'
import type { MockScript, MockTurn } from '../schema/mock.ts'
import {
  answer,
  mockOptions,
  runInMemory,
  type Setting,
  scriptedModel,
  skillsOf,
  skillText,
  someSkills,
} from './agent.test-support.ts'
import { mockModel } from './mock-model.ts'

const files = {
  ...someSkills,
  '/skills/researcher/SKILL.md': skillText('researcher', 'run-mode: subagent\n', 'Look things up.'),
  '/skills/reader/SKILL.md': skillText('reader', 'context: fork\n', 'Read one file.'),
  '/skills/third/SKILL.md': skillText('third', 'context: fork\n'),
  '/skills/on-request/SKILL.md': skillText('on-request', 'context: fork\ndisable-model-invocation: true\n'),
}

const run = (mock: MockScript, setting: Setting = {}) => runInMemory(mock, { skills: skillsOf(files), ...setting })

const delegating: MockScript = {
  turns: [{ select_skills: { skills: ['researcher'], task: 'Find the months.' } }, { final_answer: 'March.' }],
  subagents: { researcher: [{ read_file: 'data.csv' }, { final_answer: 'It has March.' }] },
}

/** The requests that a model got, in order. */
const requestsOf = async (mock: MockScript, setting: Setting = {}) => {
  const requests: ModelRequest[] = []
  const inner = mockModel(mock, mockOptions(memoryClock()))
  const model = {
    ...inner,
    generate: (request: ModelRequest, options: { readonly signal: AbortSignal }) => {
      requests.push(structuredClone(request))
      return inner.generate(request, options)
    },
  }
  return { requests, outcome: await run(mock, { model, ...setting }) }
}

describe('a skill that runs on its own', () => {
  test('answers in place of its instructions, and what it did is nested in the action', async () => {
    const outcome = await run(delegating)
    expect(outcome.stop).toEqual({ kind: 'answered' })
    const [selection, last, ...others] = actionsOf(outcome.trajectory)
    expect(others).toEqual([])
    expect(selection).toMatchObject({
      action: 'select_skills',
      status: 'ok',
      observation: 'researcher answered:\n\nIt has March.',
      subagents: [{ skill: 'researcher', turns: 2, stop: 'answered' }],
      actions: [
        { agent: 'researcher', turn: 1, action: 'read_file', status: 'ok' },
        { agent: 'researcher', turn: 2, action: 'final_answer' },
      ],
    })
    expect(last).toMatchObject({ action: 'final_answer', turn: 2, observation: 'March.' })
    expect(outcome.answer?.text).toBe('March.')
    expect(selectedSkills(outcome.trajectory)).toEqual(['researcher'])
  })

  test('has its own conversation: the task, the request and its body, nothing of the outer one', async () => {
    const { requests } = await requestsOf(delegating, { inputs: ['Which months?'] })
    const [first, child, , last] = requests
    expect(requests.map(({ conversation }) => conversation)).toEqual([undefined, 'researcher', 'researcher', undefined])
    expect(child?.messages).toHaveLength(1)
    const [opening] = child?.messages ?? []
    expect(opening).toMatchObject({ role: 'user', bodies: [{ skill: 'researcher' }] })
    const text = opening?.role === 'user' ? opening.text : ''
    expect(text).toMatch(
      /<skill name="researcher"[\s\S]*Look things up\.[\s\S]*Find the months\.[\s\S]*Which months\?$/,
    )
    expect(child?.system).toBe(first?.system)
    expect(child?.view).toMatchObject({ subagent: 'researcher', turn: 1 })
    expect(JSON.stringify(last?.messages)).not.toContain('Look things up.')
  })

  test('has its events on the record, marked with whose they are', async () => {
    const { trajectory } = await run(delegating)
    const nested = trajectory.filter(({ parent }) => parent === 'researcher').map(({ type }) => type)
    expect(nested).toEqual(expect.arrayContaining(['input', 'selected', 'disclosed', 'decision', 'action', 'answer']))
    expect(trajectory.find(({ type }) => type === 'subagent')).toMatchObject({ skill: 'researcher' })
  })

  test('is not offered a task where no skill runs on its own', async () => {
    const model = scriptedModel([answer({ text: 'x' })])
    await runInMemory(undefined, { model })
    const parametersOf = (request: ModelRequest | undefined) =>
      JSON.stringify(request?.tools.find(({ name }) => name === 'select_skills')?.parameters)
    expect(parametersOf(model.requests[0])).not.toContain('task')
    const { requests } = await requestsOf(['Done.'])
    expect(parametersOf(requests[0])).toContain('task')
  })

  test('shows its mode in no other way than its answer: a second run is another conversation', async () => {
    const twice: MockScript = {
      turns: [{ select_skills: 'researcher' }, { select_skills: 'researcher' }, 'Done.'],
      subagents: { researcher: ['One.', 'Two.'] },
    }
    const { requests, outcome } = await requestsOf(twice)
    expect(requests.map(({ conversation }) => conversation)).toEqual([
      undefined,
      'researcher',
      undefined,
      'researcher#2',
      undefined,
    ])
    expect(actionsOf(outcome.trajectory).map(({ observation }) => observation)).toEqual([
      'researcher answered:\n\nOne.',
      'researcher answered:\n\nTwo.',
      'Done.',
    ])
  })

  test('is not run where only the first decision is looked at', async () => {
    const outcome = await run(delegating, { firstDecisionOnly: true })
    expect(outcome.stop).toEqual({ kind: 'decided' })
    expect(selectedSkills(outcome.trajectory)).toEqual(['researcher'])
    expect(withNested(actionsOf(outcome.trajectory))).toHaveLength(1)
  })

  test('that the user calls by name is started by the model, and does not count as triggered', async () => {
    const mock: MockScript = {
      turns: [{ select_skills: 'on-request' }, 'Done.'],
      subagents: { 'on-request': ['Mine.'] },
    }
    const outcome = await run(mock, { inputs: ['/on-request look'] })
    expect(actionsOf(outcome.trajectory)[0]?.observation).toBe('on-request answered:\n\nMine.')
    expect(selectedSkills(outcome.trajectory)).toEqual([])
    const unasked = await run(mock, { inputs: ['look'] })
    expect(actionsOf(unasked.trajectory)[0]).toMatchObject({ status: 'error' })
  })
})

describe('limits of a sub-agent', () => {
  test('one for which no turn is left is not started, and never has less than nothing', async () => {
    const outcome = await run(delegating, { hard: { max_turns: 1 } })
    expect(actionsOf(outcome.trajectory)[0]).toMatchObject({
      status: 'error',
      observation: expect.stringMatching(/^researcher was not started: no turn is left for it/),
    })
  })

  const endless: MockScript = {
    rules: [
      { when: { subagent: 'researcher' }, do: [{ read_file: 'data.csv' }] },
      { when: { turn: 1 }, do: [{ select_skills: 'researcher' }] },
    ],
    otherwise: [{ final_answer: 'Enough.' }],
  }

  test('end it as an observation, and the outer agent goes on', async () => {
    const outcome = await run(endless, { hard: { max_turns: 11 } })
    expect(outcome.stop).toEqual({ kind: 'answered' })
    // 11 turns, of which 1 is used and 1 kept: half of 9.
    expect(actionsOf(outcome.trajectory)[0]).toMatchObject({
      status: 'error',
      observation:
        'researcher ended without an answer: max_turns: stopped after 4 turns without a final answer (limit 4)',
      subagents: [{ turns: 4, stop: 'max_turns' }],
    })
  })

  test.each([
    ['max_tool_calls', { max_tool_calls: 4 }],
    ['max_input_tokens', { max_input_tokens: 12_000 }],
    ['max_tokens', { max_tokens: 12_000 }],
  ] as const)('are a share of what is left: %s', async (limit, hard) => {
    const outcome = await run(endless, { hard: { max_turns: 100, ...hard } })
    expect(actionsOf(outcome.trajectory)[0]?.subagents).toMatchObject([{ stop: limit }])
  })

  test('are a share of the cost too', async () => {
    const outcome = await run(endless, {
      hard: { max_turns: 100, max_cost_usd: 0.05 },
      mock: { price: { input: 3, output: 15 } },
    })
    expect(actionsOf(outcome.trajectory)[0]?.subagents).toMatchObject([{ stop: 'max_cost_usd' }])
  })

  test('count for the outer agent: what the child used is not there any more', async () => {
    const outcome = await run(endless, { hard: { max_turns: 8, max_tool_calls: 2 } })
    const one = actionsOf(outcome.trajectory)[0]
    expect(one?.subagents).toMatchObject([{ turns: 2, stop: 'max_tool_calls' }])
    const spent = one?.subagents?.[0]?.usage.input_tokens ?? 0
    expect(outcome.usage.input_tokens).toBeGreaterThan(spent)
    const again = await run(
      {
        turns: [{ select_skills: 'researcher' }, { read_file: 'data.csv' }, 'Done.'],
        subagents: { researcher: [{ read_file: 'data.csv' }, 'Read.'] },
      },
      { hard: { max_tool_calls: 1 } },
    )
    expect(again.stop).toMatchObject({ kind: 'limit', limit: 'max_tool_calls' })
  })

  const oneLook: MockScript = {
    turns: [{ select_skills: 'researcher' }, { list_dir: '.' }, 'Done.'],
    subagents: { researcher: [{ read_file: 'data.csv' }, 'Read.'] },
  }

  test.each(['max_turns', 'max_tokens', 'max_cost_usd'] as const)('count for both together: %s', async (limit) => {
    const price = { mock: { price: { input: 3, output: 15 } }, subagents: { share: 1 } }
    const free = await run(oneLook, price)
    expect(free.stop).toEqual({ kind: 'answered' })
    const { usage, costUsd } = free
    const total = (usage.input_tokens ?? 0) + (usage.output_tokens ?? 0)
    const whole = { max_turns: 5, max_tokens: total, max_cost_usd: costUsd ?? 0 }[limit]
    expect((await run(oneLook, { ...price, hard: { [limit]: whole } })).stop).toEqual({ kind: 'answered' })
    const less = { max_turns: 4, max_tokens: total - 1, max_cost_usd: (costUsd ?? 0) * 0.99 }[limit]
    expect((await run(oneLook, { ...price, hard: { [limit]: less } })).stop).toMatchObject({ kind: 'limit', limit })
  })

  test('that the two used up together end the outer agent at once', async () => {
    const inner = mockModel(delegating, mockOptions(memoryClock()))
    const model = {
      ...inner,
      generate: async (request: ModelRequest, options: { readonly signal: AbortSignal }) => {
        const response = await inner.generate(request, options)
        const usage = { ...response.usage, input_tokens: request.conversation === undefined ? 100 : 2_000 }
        return { ...response, usage, latencyMs: 10 }
      },
    }
    const outcome = await run(delegating, { model, hard: { max_input_tokens: 1_500 } })
    expect(outcome.stop).toMatchObject({ kind: 'limit', limit: 'max_input_tokens' })
    expect(outcome.usage.input_tokens).toBe(2_100)
    expect(outcome.latencyMs).toBe(20)
  })

  test('of time end it while the outer agent has time left', async () => {
    const { systemClock } = await import('../adapters/clock/system-clock.ts')
    const clock = systemClock()
    const inner = mockModel(delegating, mockOptions(clock))
    const model = {
      ...inner,
      generate: async (request: ModelRequest, options: { readonly signal: AbortSignal }) => {
        if (request.conversation !== undefined) await clock.sleep(60_000, options.signal)
        return inner.generate(request, options)
      },
    }
    const outcome = await run(delegating, { model, clock, hard: { max_seconds: 1 } })
    expect(outcome.stop).toEqual({ kind: 'answered' })
    expect(actionsOf(outcome.trajectory)[0]?.subagents).toMatchObject([{ stop: 'max_seconds' }])
  })

  test('allow two levels and no skill within itself', async () => {
    const outcome = await run({
      turns: [{ select_skills: 'researcher' }, 'Done.'],
      subagents: {
        researcher: [{ select_skills: 'reader' }, { select_skills: 'researcher' }, 'Found.'],
        reader: [{ select_skills: 'third' }, { select_skills: 'researcher' }, { select_skills: 'log-triage' }, 'Read.'],
      },
    })
    expect(outcome.stop).toEqual({ kind: 'answered' })
    const lines = withNested(actionsOf(outcome.trajectory)).map(
      ({ agent, status, observation }) => `${agent} ${status} ${observation.split('\n', 1)[0]}`,
    )
    expect(lines).toEqual([
      'undefined ok researcher answered:',
      'researcher ok reader answered:',
      'reader error third was not started: it runs on its own, and skills may do so only 2 deep, and that deep it is here. Do it yourself, or answer without it.',
      'reader error researcher is running already, and asked for this: do it without it',
      expect.stringMatching(/^reader ok <skill name="log-triage"/),
      'reader ok Read.',
      'researcher ok researcher is already loaded; its instructions are above.',
      'researcher ok Found.',
      'undefined ok Done.',
    ])
    const parents = new Set(outcome.trajectory.map(({ parent }) => parent))
    expect([...parents]).toEqual([undefined, 'researcher', 'researcher/reader'])
  })
})

describe('what a sub-agent comes to', () => {
  test('without an answer is an error that the outer agent is told', async () => {
    const outcome = await run({
      turns: [{ select_skills: 'researcher' }, 'I did it myself.'],
      subagents: { researcher: [{ final_answer: ' ' }] },
    })
    expect(actionsOf(outcome.trajectory)[0]).toMatchObject({
      status: 'error',
      observation: 'researcher ended without an answer: its answer is empty',
    })
    expect(outcome.stop).toEqual({ kind: 'answered' })
  })

  test('ends everything where nothing can be said of the case: its script has run out', async () => {
    const outcome = await run({ turns: [{ select_skills: 'researcher' }, 'x'], subagents: { researcher: [] } })
    expect(outcome.stop).toEqual({
      kind: 'error',
      code: 'mock_exhausted',
      message: 'the mock has 0 turns and the sub-agent researcher asked for turn 1',
    })
  })

  test('draws from the one list where it has no script of its own', async () => {
    const outcome = await run([{ select_skills: 'researcher' }, 'Found.', 'Done.'])
    expect(actionsOf(outcome.trajectory).map(({ observation }) => observation)).toEqual([
      'researcher answered:\n\nFound.',
      'Done.',
    ])
  })
})

test('what a person allowed for the run holds for both', async () => {
  let asked = 0
  const approver = {
    ask: async () => {
      asked += 1
      return { answer: 'run', by: 'test' } as const
    },
  }
  const read = { read_file: 'data.csv' }
  await run(
    { turns: [read, { select_skills: 'researcher' }, 'Done.'], subagents: { researcher: [read, 'Read.'] } },
    { approver, permissions: { ask: ['read_file'] } },
  )
  expect(asked).toBe(1)
})

describe('permissions of a sub-agent', () => {
  const fenced = {
    ...files,
    '/skills/fenced/SKILL.md': skillText('fenced', 'context: fork\nallowed-tools: Read\n'),
    '/skills/writer/SKILL.md': skillText('writer', 'allowed-tools: Write\n'),
    '/skills/look-only/SKILL.md': skillText('look-only', 'allowed-tools: Read\n'),
  }
  const write = { write_file: { path: 'out.txt', content: 'x' } }

  const nestedOf = async (skill: string, before: readonly string[], own: readonly MockTurn[]) => {
    const outcome = await runInMemory(
      {
        turns: [...before.map((name) => ({ select_skills: name })), { select_skills: skill }, 'Done.'],
        subagents: { [skill]: [...own] },
      },
      { skills: skillsOf(fenced) },
    )
    return withNested(actionsOf(outcome.trajectory)).flatMap(({ agent, action, status }) =>
      agent === undefined ? [] : [`${action} ${status}`],
    )
  }

  test('are what it declares, also where it loads a skill that declares more', async () => {
    expect(await nestedOf('fenced', [], [write, { select_skills: 'writer' }, write, 'Done.'])).toEqual([
      'write_file denied',
      'select_skills ok',
      'write_file denied',
      'final_answer ok',
    ])
  })

  test('are no wider than where it was started, when it declares nothing', async () => {
    expect(await nestedOf('researcher', ['look-only'], [write, 'Done.'])).toEqual([
      'write_file denied',
      'final_answer ok',
    ])
    expect(await nestedOf('researcher', [], [write, 'Done.'])).toEqual(['write_file ok', 'final_answer ok'])
  })
})
