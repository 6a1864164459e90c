import { expect, test } from 'vitest'
import { callToolTool } from './call-tool.ts'
import { testDouble } from './test-double.ts'
import { useTool } from './tool.test-support.ts'

const schema = {
  type: 'object',
  properties: { query: { type: 'string', minLength: 2 }, limit: { type: 'integer' } },
  required: ['query'],
  additionalProperties: false,
}
const tool = () =>
  callToolTool([
    testDouble('web_search', { input_schema: schema, returns_each: ['first', 'second'] }),
    testDouble('weather', { returns: 'rain' }),
  ])
const call = (params: Record<string, unknown>, used = tool()) => useTool(used, params)

test.each([
  ['calls a tool by its name', { tool: 'weather', input: { city: 'Ulm' } }, 'ok', 'rain'],
  ['calls a tool without input', { tool: 'weather' }, 'ok', 'rain'],
  [
    'calls a tool with the input that it wants',
    { tool: 'web_search', input: { query: 'csv', limit: 2 } },
    'ok',
    'first',
  ],
  [
    'calls no tool that is not there, and names those that are, nearest first',
    { tool: 'wether' },
    'error',
    'there is no tool wether; there is: weather, web_search',
  ],
  [
    'says all that is wrong with an input',
    { tool: 'web_search', input: { query: 'x', limit: 1.5, more: true } },
    'error',
    'the input of web_search is not valid: it must not have the property "more"; /query must NOT have fewer than 2 characters; /limit must be integer',
  ],
  [
    'takes a missing input for an empty one',
    { tool: 'web_search' },
    'error',
    "the input of web_search is not valid: it must have required property 'query'",
  ],
  [
    'takes no input that is none',
    { tool: 'web_search', input: 'csv' },
    'error',
    'the input of web_search is not valid: it must be object',
  ],
])('%s', async (_, params, status, text) => {
  expect(await call(params)).toEqual({ status, text })
})

test('checks the input on every call, and counts no call that is not valid', async () => {
  const used = tool()
  const inputs = [{ query: 'csv' }, { query: 1 }, { query: 'json' }]
  const results = []
  for (const input of inputs) results.push((await call({ tool: 'web_search', input }, used)).text)
  expect(results).toEqual(['first', 'the input of web_search is not valid: /query must be string', 'second'])
})

test('says that a schema is broken', async () => {
  const used = callToolTool([testDouble('odd', { input_schema: { type: 'strnig' }, returns: 1 })])
  const { status, text } = await call({ tool: 'odd', input: {} }, used)
  expect(status).toBe('error')
  expect(text).toMatch(/^the input of odd is not valid: its schema is broken: /)
})

test('says where there are no tools at all', async () => {
  expect(await call({ tool: 'x' }, callToolTool([]))).toEqual({
    status: 'error',
    text: 'there is no tool x; there is: none',
  })
})

test('tells the first mistakes of very many', async () => {
  const list = { type: 'object', properties: { a: { type: 'array', items: { type: 'string' } } } }
  const used = callToolTool([testDouble('odd', { input_schema: list, returns: 1 })])
  const { text } = await call({ tool: 'odd', input: { a: Array.from({ length: 30 }, () => 1) } }, used)
  expect(text.endsWith('/a/9 must be string; and 20 more')).toBe(true)
})
