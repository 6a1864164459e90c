import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { conversation, profile, readFile, request } from './models.test-support.ts'
import { openaiResponsesWire } from './openai-responses.ts'

const wire = (more: Readonly<Record<string, unknown>> = {}) => openaiResponsesWire(profile('openai-responses', more))
const ask = request([{ role: 'user', text: 'Hi.' }])
const said = (text: string) => ({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] })
const call = (change: Readonly<Record<string, unknown>> = {}) => ({
  type: 'function_call',
  id: 'fc_1',
  call_id: 'c1',
  name: 'read_file',
  arguments: '{"path":"a"}',
  ...change,
})
const answer = (output: unknown, change: Readonly<Record<string, unknown>> = {}) => ({
  model: 'some-model-2026-01-01',
  status: 'completed',
  error: null,
  output,
  usage: { input_tokens: 10, output_tokens: 5 },
  ...change,
})

describe('a request', () => {
  test('is the whole conversation as items, stored nowhere', () => {
    expect(wire().body(request(conversation))).toEqual({
      model: 'some-model',
      store: false,
      instructions: 'Be brief.',
      input: [
        { role: 'user', content: 'Compare a and b.' },
        { role: 'assistant', content: 'I read both.' },
        { type: 'function_call', call_id: 'c1', name: 'read_file', arguments: '{"path":"a"}' },
        { type: 'function_call', call_id: 'c2', name: 'read_file', arguments: '{"path":"b"}' },
        { type: 'function_call_output', call_id: 'c1', output: 'A' },
        { type: 'function_call_output', call_id: 'c2', output: 'Error: there is no b' },
        { role: 'user', content: 'And now?' },
      ],
      tools: [
        {
          type: 'function',
          name: 'read_file',
          description: 'Read a file.',
          parameters: readFile.parameters,
          strict: false,
        },
      ],
    })
  })

  test.each([
    ['gpt-5', {}, true],
    ['gpt-6.1-sol', {}, true],
    ['o4-mini', {}, true],
    ['gpt-4.1', {}, false],
    ['some-model', { reasoning_effort: 'low' }, true],
  ])('asks %s with %j for its reasoning: %s', (model, params, isAsked) => {
    const { include } = wire({ model, params }).body(ask)
    expect(include).toEqual(isAsked ? ['reasoning.encrypted_content'] : undefined)
  })

  test('carries the parameters under their names there', () => {
    const params = { max_tokens: 9, temperature: 0, reasoning_effort: 'high', parallel_tool_calls: true }
    expect(wire({ params: { ...params, extra_body: { include: [] } } }).body(ask)).toMatchObject({
      max_output_tokens: 9,
      temperature: 0,
      reasoning: { effort: 'high' },
      parallel_tool_calls: true,
      include: [],
    })
  })
})

describe('an answer', () => {
  test('has its text, its calls in order, its model and usage', () => {
    const second = call({ call_id: 'c2', arguments: '{"path":"b"}' })
    expect(wire().read(answer([said('I read '), said('both.'), call(), second]), ask)).toEqual({
      text: 'I read both.',
      calls: [
        { id: 'c1', name: 'read_file', input: { path: 'a' } },
        { id: 'c2', name: 'read_file', input: { path: 'b' } },
      ],
      stop: 'tool_use',
      usage: { input_tokens: 10, output_tokens: 5, cached_input_tokens: 0, reasoning_tokens: 0 },
      cacheWriteTokens: 0,
      model: 'some-model-2026-01-01',
    })
  })

  test.each<[string, Readonly<Record<string, unknown>>, unknown[], string]>([
    ['is complete', {}, [said('x')], 'end'],
    ['is complete and asks', {}, [call()], 'tool_use'],
    ['has half a call', {}, [call({ status: 'incomplete' })], 'max_tokens'],
    [
      'was cut off',
      { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
      [call()],
      'max_tokens',
    ],
    ['was cut off, and does not say why', { status: 'incomplete' }, [call()], 'max_tokens'],
    [
      'was filtered',
      { status: 'incomplete', incomplete_details: { reason: 'content_filter' } },
      [call()],
      'content_filter',
    ],
  ])('that %s is told so', (_, change, output, stop) => {
    expect(wire().read(answer(output, change), ask)).toMatchObject({ stop })
  })

  test.each<[Readonly<Record<string, unknown>>, string]>([
    [{ status: 'incomplete', incomplete_details: { reason: 'tired' } }, 'tired'],
    [{ status: 'failed', error: { code: 'server_error', message: 'Sorry.' } }, 'the provider failed: Sorry.'],
    [{ status: 'failed', error: 7 }, 'it does not say why'],
    [{ status: 'cancelled' }, 'cancelled'],
    [{ status: 'queued' }, 'queued'],
    [{ status: undefined }, 'not known here: none'],
  ])('with %j is not used', (change, words) => {
    expect(wire().read(answer([call()], change), ask)).toMatchObject({
      stop: 'error',
      calls: [],
      problem: { code: 'model_error', message: expect.stringContaining(words) },
    })
  })

  test('that refuses has no calls', () => {
    const refused = { type: 'message', content: [{ type: 'refusal', refusal: 'I will not.' }] }
    expect(wire().read(answer([refused, call()]), ask)).toMatchObject({
      stop: 'refusal',
      text: 'I will not.',
      calls: [],
    })
  })

  test.each([
    [
      {
        input_tokens: 10,
        output_tokens: 5,
        input_tokens_details: { cached_tokens: 8, cache_write_tokens: 1 },
        output_tokens_details: { reasoning_tokens: 4 },
      },
      [2, 1, 8, 4],
      1,
    ],
    [{ input_tokens: true, output_tokens: [] }, [null, null, 0, 0], 0],
    [undefined, [null, null, null, null], 0],
  ])('of usage %j counts %j', (usage, [input, output, cached, reasoning], written) => {
    const read = wire().read(answer([said('x')], { usage }), ask)
    expect(read.usage).toEqual({
      input_tokens: input,
      output_tokens: output,
      cached_input_tokens: cached,
      reasoning_tokens: reasoning,
    })
    expect(read.cacheWriteTokens).toBe(written)
  })

  test('that reasoned goes back unchanged to its own model, and to no other', () => {
    const output = [{ type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'sealed' }, said('Hm.'), call()]
    const { native, text, calls } = wire().read(answer(output), ask)
    const next = request([...ask.messages, { role: 'assistant', text, calls, native }])
    expect((wire().body(next).input as unknown[]).slice(1)).toEqual(output)
    expect((wire({ model: 'other-model' }).body(next).input as unknown[]).slice(1)).toEqual([
      { role: 'assistant', content: 'Hm.' },
      { type: 'function_call', call_id: 'c1', name: 'read_file', arguments: '{"path":"a"}' },
    ])
  })

  test('whose calls have no id does not go back as it was: nobody would find their results', () => {
    const output = [{ type: 'reasoning', encrypted_content: 'sealed' }, call({ call_id: undefined })]
    const read = wire().read(answer(output), ask)
    expect(read.calls).toMatchObject([{ id: 'call_2_1' }])
    expect(read).not.toHaveProperty('native')
  })

  test('of any shape is read without a throw', () => {
    const odd = fc.oneof(
      fc.jsonValue(),
      fc.jsonValue().map((output) => answer([output, call()])),
      fc.record({ output: fc.array(fc.jsonValue()), status: fc.jsonValue(), incomplete_details: fc.jsonValue() }),
    )
    fc.assert(
      fc.property(odd, (json) => {
        const read = wire().read(json, ask)
        if (read.problem) expect(read.calls).toEqual([])
      }),
    )
  })
})
