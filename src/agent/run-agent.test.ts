import { describe, expect, test } from 'vitest'
import { memoryClock } from '../adapters/memory/memory-clock.ts'
import type { Tool } from '../core/ports.ts'
import { actionsOf, selectedSkills } from '../core/trajectory.ts'
import type { MockScript } from '../schema/mock.ts'
import {
  actionLines,
  answer,
  call,
  runInMemory,
  scriptedModel,
  skillsOf,
  someSkills,
  statesOf,
} from './agent.test-support.ts'

describe('the way of a request', () => {
  test('goes through the states, each of them on the trajectory', async () => {
    const outcome = await runInMemory([
      { select_skills: 'csv-analyzer' },
      [{ read_file: 'data.csv' }, { write_file: { path: 'out.txt', content: 'x' } }],
      { final_answer: 'Done.' },
    ])
    expect(statesOf(outcome)).toEqual([
      '0 init',
      '0 index_skills',
      '1 decide',
      '1 load_skill_body',
      '2 decide',
      '2 act',
      '2 observe',
      '2 act',
      '2 observe',
      '3 decide',
      '3 act',
      '3 observe',
      '3 final',
    ])
    expect(outcome.stop).toEqual({ kind: 'answered' })
  })

  test('has everything that happened on one record, in order', async () => {
    const outcome = await runInMemory([[{ select_skills: 'csv-analyzer' }], { final_answer: 'Done.' }])
    const told = outcome.trajectory.flatMap((event) => (event.type === 'state' ? [] : [`${event.type}`]))
    expect(told).toEqual([
      'input',
      'model',
      'decision',
      'selected',
      'disclosed',
      'action',
      'model',
      'decision',
      'answer',
      'action',
    ])
  })

  test('records each action whole', async () => {
    const outcome = await runInMemory([{ read_file: 'data.csv' }, { final_answer: 'Done.' }])
    expect(actionsOf(outcome.trajectory)).toEqual([
      {
        turn: 1,
        action: 'read_file',
        params: { path: 'data.csv' },
        status: 'ok',
        rule: 'default: allow read_file',
        observation: 'a,b\n1,2\n',
        duration_ms: 0,
      },
      {
        turn: 2,
        action: 'final_answer',
        params: { text: 'Done.' },
        status: 'ok',
        rule: 'default: allow final_answer',
        observation: 'Done.',
        duration_ms: 0,
      },
    ])
  })

  test('takes plain text for the answer where the model calls tools natively', async () => {
    const outcome = await runInMemory(['Just this.'])
    expect([outcome.stop, outcome.answer]).toEqual([{ kind: 'answered' }, { text: 'Just this.' }])
    expect(actionLines(outcome)).toEqual(['final_answer ok: Just this.'])
  })

  test('gives an answer that is JSON as JSON and as text', async () => {
    const outcome = await runInMemory([{ final_answer: { json: { total: 3 } } }])
    expect(outcome.answer).toEqual({ text: '{\n  "total": 3\n}', json: { total: 3 } })
  })

  test('ends where the model refuses, and keeps why', async () => {
    const refusal = answer({
      stop: 'refusal',
      text: 'I will not.',
      calls: [call('write_file', { path: 'x', content: 'x' })],
    })
    const outcome = await runInMemory(undefined, { model: scriptedModel([refusal]) })
    expect(outcome.stop).toEqual({
      kind: 'error',
      code: 'refused',
      message: 'the model refused to answer: I will not.',
    })
    expect([actionLines(outcome), outcome.costUsd, outcome.usage.input_tokens]).toEqual([[], 0.01, 10])
  })

  test.each([
    ['content_filter', 'half an answer', 'refused', 'the provider filtered the answer out'],
    ['context_overflow', '', 'model_error', 'the conversation is longer than the model can take'],
    ['error', '', 'model_error', 'the model failed'],
    ['refusal', '', 'refused', 'the model refused to answer'],
  ] as const)('ends at the stop reason %s, and does nothing of the answer', async (stop, text, code, message) => {
    const model = scriptedModel([answer({ stop, text, calls: [call('write_file', { path: 'x', content: 'x' })] })])
    const outcome = await runInMemory(undefined, { model })
    expect([outcome.stop, actionLines(outcome)]).toEqual([{ kind: 'error', code, message }, []])
  })

  test('ends with the error that the model adapter gives, its cost counted', async () => {
    const failed = answer({ stop: 'error', error: { code: 'rate_limited', message: 'try later' } })
    const outcome = await runInMemory(undefined, { model: scriptedModel([failed]) })
    expect([outcome.stop, outcome.costUsd, outcome.latencyMs]).toEqual([
      { kind: 'error', code: 'rate_limited', message: 'try later' },
      0.01,
      100,
    ])
  })

  test('adds up what was used, spent and waited for', async () => {
    const calls = [call('read_file', { path: 'data.csv' })]
    const outcome = await runInMemory(undefined, {
      model: scriptedModel([answer({ calls }), answer({ text: 'Done.' })]),
    })
    expect(outcome).toMatchObject({
      usage: { input_tokens: 20, output_tokens: 10, cached_input_tokens: 0, reasoning_tokens: 0 },
      costUsd: 0.02,
      latencyMs: 200,
    })
  })

  test('does not know the whole of what is unknown in part', async () => {
    const unknown = { input_tokens: null, output_tokens: 5, cached_input_tokens: null, reasoning_tokens: 0 }
    const calls = [call('read_file', { path: 'data.csv' })]
    const model = scriptedModel([answer({ calls, usage: unknown, costUsd: null }), answer({ text: 'Done.' })])
    const outcome = await runInMemory(undefined, { model })
    expect([outcome.usage, outcome.costUsd]).toEqual([
      { input_tokens: null, output_tokens: 10, cached_input_tokens: null, reasoning_tokens: 0 },
      null,
    ])
  })
})

describe('both protocols', () => {
  const scripts: readonly (readonly [string, MockScript])[] = [
    [
      'a skill, its files and an answer',
      [
        { search_skills: 'csv' },
        { select_skills: 'csv-analyzer' },
        { load_resource: { skill: 'csv-analyzer', path: 'references/kpi.md' } },
        { final_answer: 'Done.' },
      ],
    ],
    [
      'several actions in a turn',
      [
        [{ select_skills: ['csv-analyzer', 'log-triage'] }, { read_file: 'data.csv' }, { list_dir: '.' }],
        [{ update_plan: [{ id: '1', title: 'One' }] }, { final_answer: { json: { a: [1] } } }],
      ],
    ],
    [
      'a test double by its own name and through call_tool',
      [
        { raw: { name: 'web_search', input: { query: 'x' } } },
        { call_tool: { tool: 'web_search', input: { query: 'y' } } },
        { raw: { name: 'web_search' } },
        { final_answer: 'Done.' },
      ],
    ],
    [
      'mistakes that are mended',
      [
        { raw: { name: 'reed_file', input: { path: 'data.csv' } } },
        { raw: { name: 'read_file', input: { file: 'data.csv' } } },
        { read_file: 'nope.csv' },
        { raw: { name: 'read_skill', input: { name: 'csv-analyzr' } } },
        { raw: { name: 'use_skill', input: 'csv-analyzer' } },
        { delete_file: 'data.csv' },
        { final_answer: 'Done.' },
      ],
    ],
    [
      'calls without parameters',
      [{ raw: { name: 'select_skills' } }, { raw: { name: 'final_answer' } }, { final_answer: null }],
    ],
    ['mistakes without end', [{ raw: { name: 'a' } }, { raw: { name: 'b' } }, { raw: { name: 'c' } }]],
  ]

  test.each(scripts)('lead to the same trajectory: %s', async (_, mock) => {
    const doubles = { web_search: { returns: 'found' } }
    const [native, text] = await Promise.all(
      (['native', 'text'] as const).map((protocol) => runInMemory(mock, { mock: { protocol }, doubles })),
    )
    // How an answer travels and what it costs is the one thing that differs.
    const withoutModel = (outcome: typeof native) => ({
      ...outcome,
      usage: undefined,
      trajectory: outcome!.trajectory.filter((event) => event.type !== 'model'),
    })
    expect(withoutModel(text)).toEqual(withoutModel(native))
    expect(actionsOf(native!.trajectory).length).toBeGreaterThan(2)
  })

  test('take a plan along with an action in text', async () => {
    const text = JSON.stringify({
      action: 'final_answer',
      params: { text: 'Done.' },
      plan_update: { steps: [{ id: '1', title: 'One', status: 'completed' }] },
    })
    const outcome = await runInMemory(undefined, { model: scriptedModel([answer({ text })], 'text') })
    expect(actionLines(outcome)).toEqual(['update_plan ok: [x] 1: One', 'final_answer ok: Done.'])
    expect(outcome.plan).toEqual({ steps: [{ id: '1', title: 'One', status: 'completed' }] })
  })

  test('tell a model without tools what came of its actions, as the user', async () => {
    const texts = [
      '{"action": "read_file", "params": {"path": "data.csv"}}',
      '{"action": "final_answer", "params": {"text": "Done."}}',
    ]
    const model = scriptedModel(
      texts.map((text) => answer({ text })),
      'text',
    )
    await runInMemory(undefined, { model })
    expect(model.requests[1]?.messages.slice(1)).toEqual([
      { role: 'assistant', text: texts[0], calls: [] },
      { role: 'user', text: 'read_file: a,b\n1,2\n', isObservation: true },
    ])
    expect(model.requests.map((request) => request.tools)).toEqual([[], []])
  })

  test('repair text that is no action where the model has no tools', async () => {
    const outcome = await runInMemory(['I think so.', { final_answer: 'Done.' }], { mock: { protocol: 'text' } })
    expect(outcome.stop).toEqual({ kind: 'answered' })
    const repairs = outcome.trajectory.flatMap((event) => (event.type === 'repair' ? [event.message] : []))
    expect(repairs).toEqual([
      expect.stringMatching(/^the answer is not one JSON object \{"action": …, "params": \{…\}\}: .*line 1/),
    ])
  })
})

describe('a conversation', () => {
  test('sends each input once the one before is answered', async () => {
    const model = scriptedModel([answer({ calls: [call('final_answer', { text: 'One.' })] }), answer({ text: 'Two.' })])
    const outcome = await runInMemory(undefined, { model, inputs: ['First?', 'Second?'] })
    expect(model.requests.map((request) => request.messages)).toEqual([
      [{ role: 'user', text: 'First?' }],
      [
        { role: 'user', text: 'First?' },
        { role: 'assistant', text: '', calls: [call('final_answer', { text: 'One.' })] },
        {
          role: 'tool',
          results: [
            { callId: 'call_final_answer', name: 'final_answer', text: 'the answer was given', isError: false },
          ],
        },
        { role: 'user', text: 'Second?' },
      ],
    ])
    expect(outcome.answer).toEqual({ text: 'Two.' })
    const inputs = outcome.trajectory.flatMap((event) =>
      event.type === 'input' ? [`${event.turn} ${event.text}`] : [],
    )
    expect(inputs).toEqual(['0 First?', '1 Second?'])
  })

  test('does not tell the model its own answers again', async () => {
    for (const protocol of ['native', 'text'] as const) {
      const texts =
        protocol === 'native'
          ? ['One.', 'Two.']
          : ['One.', 'Two.'].map((text) => JSON.stringify({ action: 'final_answer', params: { text } }))
      const model = scriptedModel(
        texts.map((text) => answer({ text })),
        protocol,
      )
      await runInMemory(undefined, { model, inputs: ['First?', 'Second?'] })
      expect(model.requests[1]?.messages).toEqual([
        { role: 'user', text: 'First?' },
        { role: 'assistant', text: texts[0], calls: [] },
        { role: 'user', text: 'Second?' },
      ])
    }
  })

  test('is seen by rules as its present input and what came of the turn before', async () => {
    const mock: MockScript = {
      rules: [
        { when: { input: 'first', observation: 'a,b' }, do: [{ final_answer: 'One.' }] },
        { when: { input: 'first' }, do: [{ read_file: 'data.csv' }] },
        { when: { observation: 'a,b' }, do: [{ final_answer: 'The second saw the first.' }] },
      ],
      otherwise: [{ final_answer: 'Two.' }],
    }
    const outcome = await runInMemory(mock, { inputs: ['First?', 'Second?'] })
    expect(actionLines(outcome)).toEqual(['read_file ok: a,b\n1,2\n', 'final_answer ok: One.', 'final_answer ok: Two.'])
  })

  test('ends with the first input that is not answered', async () => {
    const outcome = await runInMemory(['One.'], { inputs: ['First?', 'Second?', 'Third?'] })
    expect(outcome.stop).toEqual({
      kind: 'error',
      code: 'mock_exhausted',
      message: 'the mock has 1 turn and the agent asked for turn 2',
    })
    expect(outcome.answer).toEqual({ text: 'One.' })
  })

  test('forgives mistakes anew in each request', async () => {
    const bad = { raw: { name: 'nope' } }
    const outcome = await runInMemory([bad, bad, 'One.', bad, bad, 'Two.'], { inputs: ['First?', 'Second?'] })
    expect([outcome.stop, outcome.answer]).toEqual([{ kind: 'answered' }, { text: 'Two.' }])
  })
})

describe('the first decision alone', () => {
  const firstDecisionOnly = true
  test.each<[string, MockScript, unknown, string[]]>([
    ['a selection', [{ select_skills: 'csv-analyzer' }], 'decided', ['csv-analyzer']],
    ['an answer', ['Done.'], 'answered', []],
    ['any other action', [{ read_file: 'data.csv' }], 'decided', []],
    [
      'a selection after searching and planning',
      [{ search_skills: 'csv' }, { update_plan: [{ id: '1', title: 'One' }] }, { select_skills: 'log-triage' }],
      'decided',
      ['log-triage'],
    ],
    [
      'a selection that was mended',
      [{ select_skills: 'csv-analyzr' }, { select_skills: 'csv-analyzer' }],
      'decided',
      ['csv-analyzer'],
    ],
    [
      'all that one turn decides',
      [[{ select_skills: 'csv-analyzer' }, { select_skills: 'log-triage' }]],
      'decided',
      ['csv-analyzer', 'log-triage'],
    ],
  ])('is known by %s', async (_, mock, kind, selected) => {
    const outcome = await runInMemory(mock, { firstDecisionOnly })
    expect([outcome.stop, selectedSkills(outcome.trajectory)]).toEqual([{ kind }, selected])
  })
})

describe('a limit', () => {
  const loop: MockScript = { rules: [], otherwise: [{ read_file: 'data.csv' }] }

  test.each([
    ['max_turns', 2, 'max_turns: stopped after 2 turns without a final answer (limit 2)'],
    ['max_turns', 1, 'max_turns: stopped after 1 turn without a final answer (limit 1)'],
    ['max_tool_calls', 3, 'max_tool_calls: stopped after 3 tool calls (limit 3)'],
    ['max_tool_calls', 0, 'max_tool_calls: stopped after 0 tool calls (limit 0)'],
  ] as const)('of %s %i stops a case that set it, and ends any other with an error', async (limit, max, message) => {
    const hard = await runInMemory(loop, { hard: { [limit]: max } })
    expect(hard.stop).toEqual({ kind: 'limit', limit, message })
    const soft = await runInMemory(loop, { soft: { [limit]: max } })
    expect(soft.stop).toEqual({
      kind: 'error',
      code: 'budget_exceeded',
      message: `${message}; raise limits.${limit} in the configuration`,
    })
    expect(hard.trajectory.at(-1)).toMatchObject({ type: 'state', state: 'final' })
  })

  test.each([
    ['max_input_tokens', 25, 'max_input_tokens: used 30 input tokens (limit 25)', 3],
    ['max_output_tokens', 9, 'max_output_tokens: used 10 output tokens (limit 9)', 2],
    ['max_tokens', 29, 'max_tokens: used 30 tokens (limit 29)', 2],
    ['max_cost_usd', 0.015, 'max_cost_usd: spent 0.02 USD (limit 0.015)', 2],
  ] as const)('of %s stops as soon as an answer went over it', async (limit, max, message, turns) => {
    const answers = Array.from({ length: 5 }, () => answer({ calls: [call('read_file', { path: 'data.csv' })] }))
    const hard = await runInMemory(undefined, { model: scriptedModel(answers), hard: { [limit]: max } })
    expect([hard.stop, actionsOf(hard.trajectory).length]).toEqual([{ kind: 'limit', limit, message }, turns - 1])
    const soft = await runInMemory(undefined, { model: scriptedModel(answers), soft: { [limit]: max } })
    expect(soft.stop).toEqual({
      kind: 'error',
      code: 'budget_exceeded',
      message: `${message}; raise limits.${limit} in the configuration`,
    })
  })

  test('may be used up to the last token, cent and call', async () => {
    const answers = [answer({ calls: [call('read_file', { path: 'data.csv' })] }), answer(), answer({ text: 'Done.' })]
    const mended = answers.map((one) => ({ ...one, costUsd: 0.1 }))
    const outcome = await runInMemory(undefined, {
      model: scriptedModel([mended[0]!, mended[0]!, mended[2]!]),
      hard: {
        max_turns: 3,
        max_tool_calls: 2,
        max_input_tokens: 30,
        max_output_tokens: 15,
        max_tokens: 45,
        max_cost_usd: 0.3,
      },
    })
    expect([outcome.stop, outcome.costUsd]).toEqual([{ kind: 'answered' }, 0.3])
  })

  test('that the case sets counts instead of the configured one', async () => {
    const outcome = await runInMemory(loop, { hard: { max_turns: 4 }, soft: { max_turns: 2 } })
    expect(outcome.stop).toMatchObject({ kind: 'limit', limit: 'max_turns' })
    expect(actionsOf(outcome.trajectory).length).toBe(4)
  })

  test('holds where nobody set one', async () => {
    const outcome = await runInMemory(loop)
    expect(outcome.stop).toMatchObject({
      code: 'budget_exceeded',
      message:
        'max_turns: stopped after 25 turns without a final answer (limit 25); raise limits.max_turns in the configuration',
    })
  })

  test('of script runs counts scripts, also those that are denied', async () => {
    const run = { run_script: { skill: 'csv-analyzer', path: 'scripts/top.py' } }
    const mock: MockScript = [{ select_skills: 'csv-analyzer' }, [{ read_file: 'data.csv' }, run], [run], [run]]
    const script: Tool = {
      type: 'run_script',
      risk: 'medium',
      run: async () => ({ status: 'ok', text: 'exit code 0', exitCode: 0 }),
    }
    const outcome = await runInMemory(mock, { hard: { max_script_runs: 2 }, tools: [script] })
    expect(outcome.stop).toEqual({
      kind: 'limit',
      limit: 'max_script_runs',
      message: 'max_script_runs: stopped after 2 script runs (limit 2)',
    })
    expect(actionsOf(outcome.trajectory).filter((record) => record.action === 'run_script')).toMatchObject([
      { status: 'ok', exit_code: 0 },
      { status: 'ok', exit_code: 0 },
    ])
  })

  test('of tool calls leaves thinking, selecting and answering free', async () => {
    const outcome = await runInMemory(
      [
        { search_skills: 'csv' },
        { select_skills: 'csv-analyzer' },
        { update_plan: [{ id: '1', title: 'One' }] },
        'Done.',
      ],
      { hard: { max_tool_calls: 0 } },
    )
    expect(outcome.stop).toEqual({ kind: 'answered' })
  })

  test('of seconds wakes a run that waits for its model', async () => {
    const limits = [{ hard: { max_seconds: 3 } }, { soft: { max_seconds: 3 } }]
    const stops = await Promise.all(
      limits.map(async (limit) => (await runInMemory(loop, { ...limit, mock: { latencyMs: 2000 } })).stop),
    )
    const message = 'max_seconds: stopped after 3 s (limit 3)'
    expect(stops).toEqual([
      { kind: 'limit', limit: 'max_seconds', message },
      { kind: 'error', code: 'budget_exceeded', message: `${message}; raise limits.max_seconds in the configuration` },
    ])
  })

  test('of seconds shows what was under way', async () => {
    const clock = memoryClock()
    const slow: Tool = {
      type: 'list_dir',
      risk: 'low',
      run: async (_, { signal }) => {
        await clock.sleep(60_000, signal)
        return { status: 'ok', text: 'never' }
      },
    }
    const outcome = await runInMemory([{ list_dir: '.' }], { clock, tools: [slow], hard: { max_seconds: 5 } })
    expect(outcome.stop).toMatchObject({ limit: 'max_seconds' })
    expect(actionsOf(outcome.trajectory)).toMatchObject([
      { action: 'list_dir', status: 'error', observation: 'not finished: the run was stopped', duration_ms: 5000 },
    ])
  })

  test('of seconds is taken back with the run', async () => {
    const clock = memoryClock()
    const timers: boolean[] = []
    const watched = {
      ...clock,
      timer: (ms: number, callback: () => void) => {
        const takeBack = clock.timer(ms, callback)
        return () => {
          timers.push(true)
          takeBack()
        }
      },
    }
    await runInMemory(['Done.'], { clock: watched })
    expect(timers).toEqual([true])
  })
})

describe('an abort from outside', () => {
  test('rejects with its reason, before or while the agent works', async () => {
    const before = AbortSignal.abort(new Error('interrupted'))
    await expect(runInMemory(['Done.'], { signal: before })).rejects.toThrow('interrupted')
    const controller = new AbortController()
    const clock = memoryClock()
    clock.timer(500, () => controller.abort(new Error('interrupted')))
    const running = runInMemory(['Done.'], { signal: controller.signal, clock, mock: { latencyMs: 1000 } })
    await expect(running).rejects.toThrow('interrupted')
  })

  test('leaves nothing behind on a signal that outlives the run', async () => {
    const { signal } = new AbortController()
    const listeners = { added: 0, removed: 0 }
    const add = signal.addEventListener.bind(signal)
    const remove = signal.removeEventListener.bind(signal)
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners.added += 1
      add(...args)
    }
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners.removed += 1
      remove(...args)
    }
    await runInMemory(['Done.'], { signal })
    expect(listeners).toEqual({ added: 1, removed: 1 })
  })
})

describe('what the model is shown', () => {
  test('is the same bytes for the same skills and tools', async () => {
    const seen = async (files: Readonly<Record<string, string>>) => {
      const model = scriptedModel([
        answer({ calls: [call('select_skills', { skills: [{ name: 'csv-analyzer' }] })] }),
        answer({ text: 'Done.' }),
      ])
      await runInMemory(undefined, {
        model,
        skills: skillsOf(files),
        doubles: { web_search: { returns: 1 }, a_tool: { returns: 2 } },
      })
      return model.requests.map(({ system, tools }) => JSON.stringify([system, tools]))
    }
    const reversed = Object.fromEntries(Object.entries(someSkills).reverse())
    const [first, second] = [await seen(someSkills), await seen(reversed)]
    expect(new Set([...first, ...second]).size).toBe(1)
  })

  test('are tools sorted by name: what the policy could ever allow, and what the run provides', async () => {
    const model = scriptedModel([answer({ text: 'Done.' })])
    await runInMemory(undefined, {
      model,
      doubles: { web_search: { returns: 1 }, a_tool: { returns: 2 } },
      permissions: { deny: ['search_skills', 'write_file(secret/**)'] },
    })
    expect(model.requests[0]?.tools.map((tool) => tool.name)).toEqual([
      'a_tool',
      'final_answer',
      'load_resource',
      'read_file',
      'search_skills',
      'select_skills',
      'update_plan',
      'web_search',
      'write_file',
    ])
  })

  test('is no tool that the policy never allows', async () => {
    const model = scriptedModel([answer({ text: 'Done.' })])
    await runInMemory(undefined, {
      model,
      doubles: { web_search: { returns: 1 } },
      permissions: { deny: ['write_file', 'call_tool'] },
    })
    expect(model.requests[0]?.tools.map((tool) => tool.name)).toEqual([
      'final_answer',
      'load_resource',
      'read_file',
      'search_skills',
      'select_skills',
      'update_plan',
    ])
  })

  test.each(['native', 'text'] as const)('says nothing of skills where there are none (%s)', async (protocol) => {
    const text = JSON.stringify({ action: 'final_answer', params: { text: 'Done.' } })
    const model = scriptedModel([answer({ text })], protocol)
    await runInMemory(undefined, { model, skills: skillsOf({}) })
    const [request] = model.requests
    expect(request?.system).not.toMatch(/skill/i)
    expect(request?.tools.map((tool) => tool.name)).toEqual(
      protocol === 'text' ? [] : ['final_answer', 'read_file', 'update_plan', 'write_file'],
    )
  })

  test('names no tool twice, also where a test double has the name of an action', async () => {
    const model = scriptedModel([
      answer({ calls: [call('read_file', { path: 'data.csv' })] }),
      answer({ calls: [call('call_tool', { tool: 'read_file' })] }),
      answer({ text: 'Done.' }),
    ])
    const outcome = await runInMemory(undefined, { model, doubles: { read_file: { returns: 'doubled' } } })
    const names = model.requests[0]?.tools.map((tool) => tool.name) ?? []
    expect(names.filter((name) => name === 'read_file')).toEqual(['read_file'])
    expect(actionLines(outcome)).toEqual([
      'read_file ok: a,b\n1,2\n',
      'call_tool ok: doubled',
      'final_answer ok: Done.',
    ])
  })

  test('lists the actions in the prompt where the model has no tools', async () => {
    const text = JSON.stringify({ action: 'final_answer', params: { text: 'Done.' } })
    const model = scriptedModel([answer({ text })], 'text')
    await runInMemory(undefined, { model, doubles: { web_search: { returns: 1, input_schema: { type: 'object' } } } })
    const listed = model.requests[0]?.system.split('\n').flatMap((line) => /^- ([\w ]+):/.exec(line)?.[1] ?? [])
    expect(listed).toEqual([
      'call_tool',
      'call_tool web_search',
      'final_answer',
      'load_resource',
      'read_file',
      'search_skills',
      'select_skills',
      'update_plan',
      'write_file',
    ])
  })

  test('is the body of a skill as a result, never in the system prompt', async () => {
    const model = scriptedModel([
      answer({ calls: [call('select_skills', { skills: [{ name: 'csv-analyzer' }] })] }),
      answer({ text: 'Done.' }),
    ])
    await runInMemory(undefined, { model })
    const text = [
      '<skill name="csv-analyzer" source="project" folder="/skills/csv-analyzer">',
      'How to csv-analyzer.',
      '<files>',
      'references/kpi.md',
      'scripts/top.py',
      '</files>',
      '</skill>',
    ].join('\n')
    const result = { callId: 'call_select_skills', name: 'select_skills', isError: false, text }
    expect(model.requests[1]?.messages.at(-1)).toEqual({
      role: 'tool',
      results: [{ ...result, bodies: [{ skill: 'csv-analyzer', text }] }],
    })
    expect(model.requests[1]?.system).not.toContain('How to csv-analyzer.')
  })
})

test('what a provider signed goes back with the answer that it belongs to', async () => {
  const model = scriptedModel([
    answer({ text: 'Hm.', calls: [call('read_file', { path: 'data.csv' })], native: { sealed: 1 } }),
    answer({ stop: 'max_tokens', text: 'Once', native: { sealed: 2 } }),
    answer({ text: 'Done.' }),
  ])
  await runInMemory(undefined, { model })
  const said = model.requests[2]?.messages.filter(({ role }) => role === 'assistant')
  expect(said).toMatchObject([{ native: { sealed: 1 } }, { native: { sealed: 2 } }])
})
