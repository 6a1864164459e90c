import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { conversation, profile, readFile, request } from './models.test-support.ts'
import { openaiChatWire } from './openai-chat.ts'

const wire = (more: Readonly<Record<string, unknown>> = {}) => openaiChatWire(profile('openai', more))
const ask = request([{ role: 'user', text: 'Hi.' }])
const called = (...functions: readonly unknown[]) =>
  functions.map((fn, i) => ({ id: `c${i}`, type: 'function', function: fn }))
const answer = (message: unknown, choice: Readonly<Record<string, unknown>> = {}, root = {}) => ({
  model: 'some-model-2026-01-01',
  choices: [{ index: 0, message, finish_reason: 'stop', ...choice }],
  usage: { prompt_tokens: 10, completion_tokens: 5 },
  ...root,
})

describe('a request', () => {
  test('has one message for each result, and tells errors in words', () => {
    expect(wire().body(request(conversation))).toEqual({
      model: 'some-model',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Compare a and b.' },
        {
          role: 'assistant',
          content: 'I read both.',
          tool_calls: [
            { id: 'c1', type: 'function', function: { name: 'read_file', arguments: '{"path":"a"}' } },
            { id: 'c2', type: 'function', function: { name: 'read_file', arguments: '{"path":"b"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'A' },
        { role: 'tool', tool_call_id: 'c2', content: 'Error: there is no b' },
        { role: 'user', content: 'And now?' },
      ],
      tools: [
        {
          type: 'function',
          function: { name: 'read_file', description: 'Read a file.', parameters: readFile.parameters },
        },
      ],
    })
  })

  test('says null for no text beside calls, and an empty text without', () => {
    const calls = [{ id: 'c', name: 'read_file', input: {}, problem: 'its arguments are not JSON' }]
    const said = wire().body(
      request([
        { role: 'assistant', text: '', calls },
        { role: 'assistant', text: '', calls: [] },
      ]),
    ).messages
    expect(said).toEqual([
      expect.anything(),
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'read_file', arguments: '{}' } }],
      },
      { role: 'assistant', content: '' },
    ])
  })

  test.each([
    ['at its own provider', {}, {}, 'max_completion_tokens'],
    ['at another server', { base_url: 'http://localhost:11434/v1' }, {}, 'max_tokens'],
    [
      'as told',
      { base_url: 'http://localhost/v1' },
      { max_tokens_field: 'max_completion_tokens' },
      'max_completion_tokens',
    ],
  ])('limits the answer %s in the field that is known there', (_, server, params, field) => {
    const body = wire({ ...server, params: { ...params, max_tokens: 9 } }).body(ask)
    expect(Object.keys(body).filter((key) => key.startsWith('max_'))).toEqual([field])
    expect(body[field]).toBe(9)
  })

  test('carries the parameters and what else the profile says', () => {
    const params = {
      temperature: 0,
      top_p: 1,
      seed: 7,
      stop: ['x'],
      reasoning_effort: 'low',
      parallel_tool_calls: false,
    }
    expect(wire({ params: { ...params, extra_body: { store: false, seed: 8 } } }).body(ask)).toMatchObject({
      ...params,
      store: false,
      seed: 8,
    })
  })

  test('sends the key as a bearer, and none without', () => {
    expect([wire().headers('k'), wire().headers('')]).toEqual([{ authorization: 'Bearer k' }, {}])
  })
})

describe('an answer', () => {
  test('has its text, its calls in order, its model and usage', () => {
    const tool_calls = called(
      { name: 'read_file', arguments: '{"path":"a"}' },
      { name: 'read_file', arguments: '{"path":"b"}' },
    )
    const read = wire().read(answer({ content: null, tool_calls }, { finish_reason: 'tool_calls' }), ask)
    expect(read).toEqual({
      text: '',
      calls: [
        { id: 'c0', name: 'read_file', input: { path: 'a' } },
        { id: 'c1', name: 'read_file', input: { path: 'b' } },
      ],
      stop: 'tool_use',
      usage: { input_tokens: 10, output_tokens: 5, cached_input_tokens: 0, reasoning_tokens: 0 },
      cacheWriteTokens: 0,
      model: 'some-model-2026-01-01',
    })
  })

  test.each([
    ['stop', 'end'],
    ['tool_calls', 'tool_use'],
    ['length', 'max_tokens'],
    ['content_filter', 'content_filter'],
  ])('that ended with %s ended with %s', (finish_reason, stop) => {
    expect(wire().read(answer({ content: 'Hi.' }, { finish_reason }), ask)).toMatchObject({ stop, text: 'Hi.' })
  })

  test('with calls wants them done, also where the server says that it just stopped', () => {
    const tool_calls = called({ name: 'read_file', arguments: '{}' })
    expect(wire().read(answer({ tool_calls }), ask)).toMatchObject({ stop: 'tool_use' })
    expect(wire().read(answer({ tool_calls }, { finish_reason: 'length' }), ask)).toMatchObject({ stop: 'max_tokens' })
  })

  test.each([['function_call'], ['abort'], ['__proto__'], [null], [undefined]])(
    'that ended with %s is not used',
    (finish_reason) => {
      const tool_calls = called({ name: 'delete_file', arguments: '{}' })
      const read = wire().read(answer({ tool_calls }, { finish_reason }), ask)
      expect(read).toMatchObject({ stop: 'error', calls: [], problem: { code: 'model_error' } })
    },
  )

  test('that refuses has no calls', () => {
    const tool_calls = called({ name: 'read_file', arguments: '{}' })
    const read = wire().read(answer({ content: null, refusal: 'I will not.', tool_calls }), ask)
    expect(read).toMatchObject({ stop: 'refusal', text: 'I will not.', calls: [] })
  })

  test.each([
    ['{"path": "a"', 'its arguments are not JSON: expected'],
    ['', 'its arguments are not JSON: expected'],
    ['{"path": "a"} and so on', 'its arguments are not JSON: '],
    ['["a"]', 'its arguments are not a JSON object'],
    [undefined, 'its arguments are missing'],
    [null, 'its arguments are missing'],
  ])('with the arguments %j tells what is wrong with them, and mends nothing', (args, problem) => {
    const tool_calls = called({ name: 'read_file', arguments: args })
    const [call] = wire().read(answer({ tool_calls }), ask).calls
    expect(call).toMatchObject({ name: 'read_file', input: {}, problem: expect.stringContaining(problem) })
  })

  test('takes arguments that are a map already', () => {
    const tool_calls = called({ name: 'read_file', arguments: { path: 'a' } })
    expect(wire().read(answer({ tool_calls }), ask).calls).toEqual([
      { id: 'c0', name: 'read_file', input: { path: 'a' } },
    ])
  })

  test('gives calls without an id, or with one twice, ids of their own', () => {
    const fn = { name: 'read_file', arguments: '{}' }
    const tool_calls = [{ function: fn }, { id: 'x', function: fn }, { id: 'x', function: fn }, { id: 3, function: fn }]
    const { calls } = wire().read(answer({ tool_calls }), ask)
    expect(calls.map(({ id }) => id)).toEqual(['call_2_1', 'x', 'call_2_3', 'call_2_4'])
  })

  test.each([
    [{ prompt_tokens: 10, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 8 } }, [2, 5, 8, 0], 0],
    [{ prompt_tokens: 9, completion_tokens: 5, completion_tokens_details: { reasoning_tokens: 4 } }, [9, 1, 0, 4], 0],
    [{ prompt_tokens: 9, completion_tokens: 1, prompt_tokens_details: { cache_write_tokens: 3 } }, [9, 1, 0, 0], 3],
    [{ prompt_tokens: 9, completion_tokens: 1, prompt_tokens_details: null }, [9, 1, 0, 0], 0],
    [{ prompt_tokens: null }, [null, null, 0, 0], 0],
    [null, [null, null, null, null], 0],
  ])('of usage %j counts %j', (usage, [input, output, cached, reasoning], written) => {
    const read = wire().read(answer({ content: 'x' }, {}, { usage }), ask)
    expect(read.usage).toEqual({
      input_tokens: input,
      output_tokens: output,
      cached_input_tokens: cached,
      reasoning_tokens: reasoning,
    })
    expect(read.cacheWriteTokens).toBe(written)
  })

  test('that reasoned does not know how much, where the server does not say', () => {
    const read = wire().read(answer({ content: 'x', reasoning_content: 'Hm.' }), ask)
    expect(read.usage.reasoning_tokens).toBeNull()
  })

  test('may be a list of parts', () => {
    expect(wire().read(answer({ content: [{ type: 'text', text: 'a' }, 7, { text: 'b' }] }), ask).text).toBe('ab')
  })

  test('of any shape is read without a throw', () => {
    const odd = fc.oneof(
      fc.jsonValue(),
      fc.jsonValue().map((message) => answer(message)),
      fc.jsonValue().map((tool_calls) => answer({ content: 'x', tool_calls })),
      fc.array(fc.record({ id: fc.jsonValue(), function: fc.jsonValue() })).map((tool_calls) => answer({ tool_calls })),
    )
    fc.assert(
      fc.property(odd, (json) => {
        const read = wire().read(json, ask)
        if (read.problem) expect(read.calls).toEqual([])
        expect(new Set(read.calls.map(({ id }) => id)).size).toBe(read.calls.length)
      }),
    )
  })
})
