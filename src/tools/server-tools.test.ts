import fc from 'fast-check'
import { expect, test } from 'vitest'
import { callToolTool } from './call-tool.ts'
import { serverLimits, serverToolName, serverTools } from './server-tools.ts'

const nobody = { call: async (tool: string) => ({ status: 'ok' as const, text: `called ${tool}` }) }
const listed = (name: string, description = '', parameters: Record<string, unknown> = { type: 'object' }) => ({
  name,
  description,
  parameters,
})

test('a tool is called what rules and skills call it, in what every provider takes for a name', () => {
  expect(serverToolName('files', 'read')).toBe('mcp__files__read')
  expect(serverToolName('files', 'dir/read.all')).toBe('mcp__files__dir_read_all')
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 300 }), (tool) => {
      const name = serverToolName('a-server-with-a-very-long-name', tool)
      expect(name).toMatch(/^mcp__a-server-with-a-very-long-name__[A-Za-z0-9_-]+$/)
      expect(name.length).toBeLessThanOrEqual(serverLimits.nameChars)
    }),
  )
  const long = 'x'.repeat(100)
  expect(serverToolName('s', `${long}1`)).not.toBe(serverToolName('s', `${long}2`))
})

test('a call reaches the server under the name that it gave the tool', async () => {
  const { tools } = serverTools('s', [listed('a.b')], nobody)
  const { signal } = new AbortController()
  expect(await tools[0]?.call({}, { signal })).toEqual({ status: 'ok', text: 'called a.b' })
})

test('of two tools that come to the same name the second is dropped, and so is what no model could be told', () => {
  let deep: Record<string, unknown> = {}
  for (let i = 0; i < 5000; i += 1) deep = { items: deep }
  const large = { properties: { a: { enum: ['x'.repeat(serverLimits.schemaChars)] } } }
  const { tools, dropped } = serverTools(
    's',
    [listed('a.b'), listed('a/b'), listed('deep', '', deep), listed('large', '', large)],
    nobody,
  )
  expect(tools.map(({ name }) => name)).toEqual(['mcp__s__a_b'])
  expect(dropped).toEqual(['a/b', 'deep', 'large'])
})

test('texts are marked as the server’s, made visible and cut, while values stay as they are', () => {
  const hidden = 'see\u202e\u{e0041}'
  const schema = { type: 'string', $schema: 'x', properties: { description: { title: hidden, const: hidden } } }
  const { tools } = serverTools('s', [listed('a', `${hidden}${'x'.repeat(9000)}`, schema)], nobody)
  const [tool] = tools
  expect(tool?.description).toMatch(/^\(A tool of the MCP server s, in its words:\) see\\u202e\\u\{e0041\}x+… \[cut\]$/)
  expect(tool?.description.length).toBeLessThan(2100)
  expect(tool?.parameters).toEqual({
    type: 'object',
    properties: { description: { title: 'see\\u202e\\u{e0041}', const: hidden } },
  })
})

test('the input is checked by the server, whose schema may be of any dialect', async () => {
  const broken = listed('a', '', { type: 'object', properties: { x: { pattern: '(' } }, 'x-own': 1 })
  const tool = callToolTool(serverTools('s', [broken], nobody).tools)
  const context = { signal: new AbortController().signal } as Parameters<typeof tool.run>[1]
  expect(await tool.run({ tool: 'mcp__s__a', input: { x: 1 } }, context)).toEqual({ status: 'ok', text: 'called a' })
})
