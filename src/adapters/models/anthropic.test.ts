import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anthropicWire } from './anthropic.ts'
import { conversation, profile, request } from './models.test-support.ts'

const wire = (more: Readonly<Record<string, unknown>> = {}) => anthropicWire(profile('anthropic', more))
const ask = request([{ role: 'user', text: 'Hi.' }])
const answer = (change: Readonly<Record<string, unknown>> = {}) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'some-model-20260101',
  content: [{ type: 'text', text: 'Hello.' }],
  stop_reason: 'end_turn',
  usage: { input_tokens: 10, output_tokens: 5 },
  ...change,
})

describe('a request', () => {
  test('has roles that take turns, all results in one message, and marks for the cache', () => {
    expect(wire().body(request(conversation))).toEqual({
      model: 'some-model',
      max_tokens: 16_000,
      system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
      tools: [
        {
          name: 'read_file',
          description: 'Read a file.',
          input_schema: { type: 'object', properties: { path: { type: 'string' } } },
        },
      ],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Compare a and b.' }] },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'I read both.' },
            { type: 'tool_use', id: 'c1', name: 'read_file', input: { path: 'a' } },
            { type: 'tool_use', id: 'c2', name: 'read_file', input: { path: 'b' } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'c1', content: 'A' },
            { type: 'tool_result', tool_use_id: 'c2', content: 'there is no b', is_error: true },
            { type: 'text', text: 'And now?', cache_control: { type: 'ephemeral' } },
          ],
        },
      ],
    })
  })

  test('carries the parameters under their names there, and what else the profile says', () => {
    const body = wire({
      params: {
        max_tokens: 100,
        temperature: 0,
        top_p: 0.9,
        top_k: 5,
        stop: ['END'],
        reasoning_effort: 'low',
        parallel_tool_calls: false,
        extra_body: { thinking: { type: 'adaptive' } },
      },
    }).body(ask)
    expect(body).toMatchObject({
      max_tokens: 100,
      temperature: 0,
      top_p: 0.9,
      top_k: 5,
      stop_sequences: ['END'],
      output_config: { effort: 'low' },
      tool_choice: { type: 'auto', disable_parallel_tool_use: true },
      thinking: { type: 'adaptive' },
    })
    expect(Object.keys(body)).not.toEqual(expect.arrayContaining(['stop']))
    expect(body).not.toHaveProperty('parallel_tool_calls')
    expect(body).not.toHaveProperty('extra_body')
  })

  test('offers no tools where there are none', () => {
    const body = wire({ protocol: 'text', params: { parallel_tool_calls: false } }).body(
      request(ask.messages, { tools: [] }),
    )
    expect(body).not.toHaveProperty('tools')
    expect(body).not.toHaveProperty('tool_choice')
  })

  test('leaves out texts that say nothing', () => {
    const { messages } = wire().body(
      request([
        { role: 'user', text: 'Hi.' },
        { role: 'assistant', text: ' ', calls: [] },
        { role: 'user', text: 'Still there?' },
        { role: 'assistant', text: '', calls: [{ id: 'c', name: 'read_file', input: 'not a map' }] },
        { role: 'tool', results: [{ callId: 'c', name: 'read_file', text: '', isError: false }] },
      ]),
    )
    expect(messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Hi.' },
          { type: 'text', text: 'Still there?' },
        ],
      },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'read_file', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', cache_control: { type: 'ephemeral' } }] },
    ])
  })

  test('gives names of tools that are not allowed there another one, and takes it back', () => {
    const tools = ['a.b', 'a_b', 'a:b'].map((name) => ({ name, description: '', parameters: { type: 'object' } }))
    const asked = request(ask.messages, { tools })
    const { tools: sent } = wire().body(asked) as { readonly tools: readonly { readonly name: string }[] }
    expect(sent.map(({ name }) => name)).toEqual(['a_b_2', 'a_b', 'a_b_3'])
    const content = sent.map(({ name }, i) => ({ type: 'tool_use', id: `${i}`, name, input: {} }))
    const { calls } = wire().read(answer({ content, stop_reason: 'tool_use' }), asked)
    expect(calls.map(({ name }) => name)).toEqual(['a.b', 'a_b', 'a:b'])
  })

  test('sends the key in a header of its own, and none without', () => {
    expect(wire().headers('k')).toEqual({ 'anthropic-version': '2023-06-01', 'x-api-key': 'k' })
    expect(wire().headers('')).toEqual({ 'anthropic-version': '2023-06-01' })
  })
})

describe('an answer', () => {
  test('has its text, its calls in order, its model and usage', () => {
    const content = [
      { type: 'text', text: 'I read ' },
      { type: 'text', text: 'both.' },
      { type: 'tool_use', id: 'c1', name: 'read_file', input: { path: 'a' } },
      { type: 'tool_use', id: 'c2', name: 'read_file', input: { path: 'b' } },
    ]
    expect(wire().read(answer({ content, stop_reason: 'tool_use' }), ask)).toEqual({
      text: 'I read both.',
      calls: [
        { id: 'c1', name: 'read_file', input: { path: 'a' } },
        { id: 'c2', name: 'read_file', input: { path: 'b' } },
      ],
      stop: 'tool_use',
      usage: { input_tokens: 10, output_tokens: 5, cached_input_tokens: 0, reasoning_tokens: 0 },
      cacheWriteTokens: 0,
      model: 'some-model-20260101',
    })
  })

  test.each([
    ['end_turn', 'end'],
    ['stop_sequence', 'end'],
    ['tool_use', 'tool_use'],
    ['max_tokens', 'max_tokens'],
    ['refusal', 'refusal'],
    ['model_context_window_exceeded', 'context_overflow'],
  ])('that ended with %s ended with %s', (stop_reason, stop) => {
    expect(wire().read(answer({ stop_reason }), ask)).toMatchObject({ stop, text: 'Hello.' })
  })

  test.each([['pause_turn'], ['something_new'], ['constructor'], [null], [undefined], [7]])(
    'that ended with %s is not used',
    (stop_reason) => {
      const content = [{ type: 'tool_use', id: 'c', name: 'delete_file', input: {} }]
      const read = wire().read(answer({ stop_reason, content }), ask)
      expect(read).toMatchObject({ stop: 'error', calls: [], problem: { code: 'model_error' } })
      expect(read.usage.input_tokens).toBe(10)
    },
  )

  test('that refuses says why, where it does', () => {
    const refused = answer({ stop_reason: 'refusal', content: [], stop_details: { explanation: 'Not this.' } })
    expect(wire().read(refused, ask)).toMatchObject({ stop: 'refusal', text: 'Not this.' })
    expect(wire().read({ ...refused, stop_details: null }, ask)).toMatchObject({ stop: 'refusal', text: '' })
  })

  test.each([
    [{ input_tokens: 10, output_tokens: 5 }, [10, 5, 0, 0], 0],
    [
      { input_tokens: 10, cache_read_input_tokens: 100, cache_creation_input_tokens: 1000, output_tokens: 5 },
      [1010, 5, 100, 0],
      1000,
    ],
    [{ input_tokens: 1, output_tokens: 9, output_tokens_details: { thinking_tokens: 7 } }, [1, 2, 0, 7], 0],
    [{ input_tokens: 1, cache_read_input_tokens: null, output_tokens: 2 }, [1, 2, 0, 0], 0],
    [{ input_tokens: '1', output_tokens: -2 }, [null, null, 0, 0], 0],
    [{ input_tokens: 1.5, output_tokens: 1e300 }, [null, null, 0, 0], 0],
    [{}, [null, null, 0, 0], 0],
    [undefined, [null, null, null, null], 0],
  ])('of usage %j counts %j', (usage, [input, output, cached, reasoning], written) => {
    const read = wire().read(answer({ usage }), ask)
    expect(read.usage).toEqual({
      input_tokens: input,
      output_tokens: output,
      cached_input_tokens: cached,
      reasoning_tokens: reasoning,
    })
    expect(read.cacheWriteTokens).toBe(written)
  })

  test('that thought goes back unchanged to its own model, and to no other', () => {
    const content = [
      { type: 'thinking', thinking: 'Hm.', signature: 'sig' },
      { type: 'redacted_thinking', data: 'sealed' },
      { type: 'text', text: '' },
      { type: 'tool_use', id: 'c1', name: 'read_file', input: { path: 'a' } },
    ]
    const { native, text, calls, usage } = wire().read(answer({ content, stop_reason: 'tool_use' }), ask)
    expect(usage.reasoning_tokens).toBeNull()
    const next = request([...ask.messages, { role: 'assistant', text, calls, native }])
    const said = (model: string) => (wire({ model }).body(next).messages as { readonly content: unknown }[])[1]?.content
    expect(said('some-model')).toEqual([content[0], content[1], content[3]])
    expect(said('other-model')).toEqual([content[3]])
    const others = [
      { provider: 'anthropic', model: 'some-model', content: 'x' },
      { provider: 'openai-responses', model: 'some-model', content: [{ type: 'reasoning' }] },
      'x',
    ]
    for (const foreign of others) {
      const other = request([...ask.messages, { role: 'assistant', text, calls, native: foreign }])
      expect((wire().body(other).messages as { readonly content: unknown }[])[1]?.content).toEqual([content[3]])
    }
  })

  test('that was cut off while it thought does not go back as it was', () => {
    const content = [{ type: 'thinking', thinking: 'Hm' }]
    expect(wire().read(answer({ content, stop_reason: 'max_tokens' }), ask)).not.toHaveProperty('native')
  })

  test('of any shape is read without a throw, and never with a call that did not end as one', () => {
    const odd = fc.oneof(
      fc.jsonValue(),
      fc.record({ content: fc.jsonValue(), stop_reason: fc.jsonValue(), usage: fc.jsonValue() }),
      fc.record({
        content: fc.array(
          fc.record({
            type: fc.constantFrom('text', 'tool_use', 'thinking'),
            id: fc.jsonValue(),
            name: fc.jsonValue(),
            input: fc.jsonValue(),
            text: fc.jsonValue(),
          }),
        ),
        stop_reason: fc.constantFrom('tool_use', 'end_turn', 'nope'),
      }),
    )
    fc.assert(
      fc.property(odd, (json) => {
        const read = wire().read(json, ask)
        expect(typeof read.text).toBe('string')
        if (read.problem) expect(read.calls).toEqual([])
        expect(new Set(read.calls.map(({ id }) => id)).size).toBe(read.calls.length)
      }),
    )
  })
})
