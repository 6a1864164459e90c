import { describe, expect, test } from 'vitest'
import { memoryClock } from '../adapters/memory/memory-clock.ts'
import type { Message, ModelRequest, ModelResponse, ModelView } from '../core/model.ts'
import { countTokens } from '../lib/tokens.ts'
import { type MockScript, mockSchema } from '../schema/mock.ts'
import { mockOptions } from './agent.test-support.ts'
import { type MockOptions, mockModel } from './mock-model.ts'

const signal = new AbortController().signal

const request = (view: Partial<ModelView> = {}, more: Partial<ModelRequest> = {}): ModelRequest => ({
  system: 'You are an agent.',
  parts: { system: 'You are an agent.', index: '', descriptions: {}, tools: [] },
  messages: [{ role: 'user', text: 'Do it.' }],
  tools: [],
  view: { turn: 1, input: 'Do it.', observation: '', skillsLoaded: [], skillsAvailable: [], ...view },
  ...more,
})

const opened = (script: MockScript | undefined, change: Partial<MockOptions> = {}) =>
  mockModel(script === undefined ? undefined : mockSchema.parse(script), mockOptions(memoryClock(), change))

const said = ({ calls, text, error }: ModelResponse): string =>
  error
    ? `${error.code}: ${error.message}`
    : text || calls.map((one) => `${one.name} ${JSON.stringify(one.input)}`).join(', ')

/** What the model answers to each view in turn. */
const answers = async (
  script: MockScript | undefined,
  views: readonly Partial<ModelView>[],
  change: Partial<MockOptions> = {},
) => {
  const model = opened(script, change)
  const found: string[] = []
  for (const view of views) found.push(said(await model.generate(request(view), { signal })))
  return found
}

const turns = (count: number) => Array.from({ length: count }, (_, i) => ({ turn: i + 1 }))

describe('a list of turns', () => {
  test('is answered in its order; an entry that is a list is one turn', async () => {
    const script: MockScript = [
      { select_skills: 'csv-analyzer' },
      [{ read_file: 'a.csv' }, { list_dir: { path: 'data' } }],
      'Plain text.',
    ]
    expect(await answers(script, turns(3))).toEqual([
      'select_skills "csv-analyzer"',
      'read_file "a.csv", list_dir {"path":"data"}',
      'Plain text.',
    ])
  })

  test.each([
    [[], 'the mock has 0 turns and the agent asked for turn 1'],
    [['One.'], 'the mock has 1 turn and the agent asked for turn 2'],
    [['One.', 'Two.'], 'the mock has 2 turns and the agent asked for turn 3'],
  ])('that has run out says so: %j', async (script, message) => {
    expect((await answers(script, turns(script.length + 1))).at(-1)).toBe(`mock_exhausted: ${message}`)
  })

  test('that nobody wrote says what to do', async () => {
    expect(await answers(undefined, turns(1))).toEqual([
      'mock_exhausted: the case has no mock: write its turns under mock, or choose another model',
    ])
  })

  test('is told in full where the model has no tools', async () => {
    const script: MockScript = [
      { select_skills: 'csv-analyzer@project' },
      [{ read_file: 'a.csv' }, { final_answer: 3 }],
      { raw: { name: 'odd', input: [1] } },
      'Plain text.',
    ]
    expect(await answers(script, turns(4), { protocol: 'text' })).toEqual([
      '{"action":"select_skills","params":{"skills":[{"name":"csv-analyzer","source":"project"}]}}',
      '{"actions":[{"action":"read_file","params":{"path":"a.csv"}},{"action":"final_answer","params":{"text":"3"}}]}',
      '{"action":"odd","params":[1]}',
      'Plain text.',
    ])
  })

  test('stops where a model would', async () => {
    const stops: string[] = []
    for (const [protocol, script] of [
      ['native', [{ read_file: 'a' }]],
      ['native', ['Done.']],
      ['text', [{ read_file: 'a' }]],
    ] as const) {
      stops.push((await opened([...script], { protocol }).generate(request(), { signal })).stop)
    }
    expect(stops).toEqual(['tool_use', 'end', 'end'])
  })
})

describe('rules', () => {
  const rule = (when: Record<string, unknown>, text: string, more: Record<string, unknown> = {}) => ({
    when,
    do: [{ final_answer: text }],
    ...more,
  })
  const chosen = async (rules: readonly unknown[], views: readonly Partial<ModelView>[], otherwise?: unknown) => {
    const script = { rules, ...(otherwise === undefined ? {} : { otherwise }) } as MockScript
    return (await answers(script, views)).map((line) => line.replace(/^final_answer "(.*)"$/, '$1'))
  }

  test('are taken in order, the first that matches, as often as it matches', async () => {
    const rules = [rule({ input: 'csv' }, 'first'), rule({ input: 'csv' }, 'never'), rule({ input: 'json' }, 'third')]
    expect(await chosen(rules, [{ input: 'a csv' }, { input: 'a json' }, { input: 'csv or json' }])).toEqual([
      'first',
      'third',
      'first',
    ])
  })

  test('are taken so many times at most, where they say so', async () => {
    const rules = [rule({}, 'once', { times: 1 }), rule({}, 'twice', { times: 2 })]
    expect(await chosen(rules, turns(4))).toEqual([
      'once',
      'twice',
      'twice',
      'mock_exhausted: no rule of the mock matches turn 4 and there is no "otherwise"',
    ])
  })

  test('leave the rest to otherwise', async () => {
    const otherwise = [{ final_answer: 'else' }]
    expect(await chosen([rule({ turn: 2 }, 'second')], turns(3), otherwise)).toEqual(['else', 'second', 'else'])
  })

  test('count for each trial anew', async () => {
    const rules = [rule({}, 'once', { times: 1 })]
    expect([await chosen(rules, turns(1)), await chosen(rules, turns(1))]).toEqual([['once'], ['once']])
  })

  test.each<[string, Record<string, unknown>, Partial<ModelView>, boolean]>([
    ['text that the request contains', { input: 'total' }, { input: 'the TOTAL sales' }, true],
    ['text that it does not contain', { input: 'totals' }, { input: 'the total' }, false],
    ['a regular expression', { input: '/tot.l\\s+sales$/' }, { input: 'the total  sales' }, true],
    ['a regular expression in its case', { input: '/Total/' }, { input: 'the total' }, false],
    ['a regular expression with flags', { input: '/TOTAL/i' }, { input: 'the total' }, true],
    ['a path, which is none', { input: '/tmp/Out' }, { input: 'write to /TMP/out' }, true],
    ['special characters as they are', { input: 'a.b(c' }, { input: 'xa.b(cx' }, true],
    ['a dot that is no wildcard', { input: 'a.b' }, { input: 'axb' }, false],
    ['what came of the turn before', { observation: 'march' }, { observation: 'March 1200' }, true],
    ['the turn', { turn: 3 }, { turn: 3 }, true],
    ['another turn', { turn: 3 }, { turn: 2 }, false],
    ['a skill that is loaded', { skill_loaded: 'csv' }, { skillsLoaded: ['log', 'csv'] }, true],
    [
      'a skill that is not',
      { skill_loaded: 'csv' },
      { skillsLoaded: ['csv-analyzer'], skillsAvailable: ['csv'] },
      false,
    ],
    ['a skill that is there', { skill_available: 'csv' }, { skillsAvailable: ['csv'] }, true],
    ['a skill that is not there', { skill_available: 'csv' }, { skillsAvailable: [] }, false],
    ['all keys at once', { input: 'a', turn: 2 }, { input: 'abc', turn: 2 }, true],
    ['not only some of the keys', { input: 'a', turn: 2 }, { input: 'abc', turn: 1 }, false],
    ['anything, without keys', {}, {}, true],
  ])('match %s', async (_, when, view, isMatch) => {
    expect(await chosen([rule(when, 'yes')], [view], [{ final_answer: 'no' }])).toEqual([isMatch ? 'yes' : 'no'])
  })

  test('do not hang on a pattern that could take for ever', async () => {
    const [line] = await chosen([rule({ input: '/^(a+)+\\1$/' }, 'yes')], [{ input: `${'a'.repeat(60)}!` }])
    expect(line).toMatch(/^model_error: a rule of the mock: whether .* takes longer than 250 ms to find out$/)
  })
})

describe('the usage of a mock', () => {
  const tools = [{ name: 'read_file', description: 'Reads.', parameters: { type: 'object' } }]
  const fixed = countTokens('You are an agent.') + countTokens(JSON.stringify(tools[0]))
  const messages: Message[] = [
    { role: 'user', text: 'Which month had the most sales?' },
    { role: 'assistant', text: '', calls: [{ id: '1', name: 'read_file', input: { path: 'a.csv' } }] },
    { role: 'tool', results: [{ callId: '1', name: 'read_file', text: 'month,sales\nMar,1200\n', isError: false }] },
  ]
  const counted = [
    countTokens('Which month had the most sales?'),
    countTokens('read_file') + countTokens('{"path":"a.csv"}'),
    countTokens('month,sales\nMar,1200\n'),
  ]
  const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0)

  test('is all that a provider would bill: prompt, tools and messages at each turn, the answer as output', async () => {
    const model = opened([{ read_file: 'a.csv' }, 'March.'])
    const first = await model.generate(request({}, { tools, messages: messages.slice(0, 1) }), { signal })
    const second = await model.generate(request({ turn: 2 }, { tools, messages }), { signal })
    const rest = { cached_input_tokens: 0, reasoning_tokens: 0 }
    expect([first.usage, second.usage]).toEqual([
      { input_tokens: fixed + counted[0]!, output_tokens: countTokens('read_file') + countTokens('"a.csv"'), ...rest },
      { input_tokens: fixed + sum(counted), output_tokens: countTokens('March.'), ...rest },
    ])
    expect(fixed).toBeGreaterThan(5)
  })

  test('costs what the profile says, per million tokens', async () => {
    const price = { input: 3, output: 15 }
    const { usage, costUsd } = await opened(['March.'], { price }).generate(request({}, { tools }), { signal })
    expect(costUsd).toBeCloseTo((usage.input_tokens! * 3 + usage.output_tokens! * 15) / 1e6, 12)
    expect(costUsd).toBeGreaterThan(0)
    expect((await opened(['March.']).generate(request(), { signal })).costUsd).toBe(0)
  })

  test('is nothing where it has no answer', async () => {
    const { usage, costUsd } = await opened([], { price: { input: 3, output: 15 } }).generate(request(), { signal })
    expect([usage, costUsd]).toEqual([
      { input_tokens: 0, output_tokens: 0, cached_input_tokens: 0, reasoning_tokens: 0 },
      0,
    ])
  })
})

describe('a slow mock', () => {
  test('takes its time on the clock', async () => {
    const clock = memoryClock()
    const model = mockModel(['Done.'], mockOptions(clock, { latencyMs: 250 }))
    expect((await model.generate(request(), { signal })).latencyMs).toBe(250)
    expect(clock.monotonic()).toBe(250)
  })

  test('and a quick one reject with the reason of an abort', async () => {
    const aborted = AbortSignal.abort(new Error('enough'))
    for (const latencyMs of [0, 250]) {
      await expect(opened(['Done.'], { latencyMs }).generate(request(), { signal: aborted })).rejects.toThrow('enough')
    }
  })
})
