import { expect, test } from 'vitest'
import { loadJsonSchema } from '../lib/json-schema.ts'
import { type ActionType, actionParamSchemas, actionTypes } from '../schema/action.ts'
import { actionSpec, offeredTools } from './tool-specs.ts'

const offered = (change: Partial<Parameters<typeof offeredTools>[0]> = {}) =>
  offeredTools({ hasSkills: true, mayAllow: () => true, isThere: () => true, provided: [], ...change })

const without = (...left: ActionType[]) => actionTypes.filter((type) => !left.includes(type)).sort()

test('offers every action, sorted, but for the one that reaches provided tools', () => {
  expect(offered().map((tool) => tool.name)).toEqual(without('call_tool'))
})

test('offers no skill actions where there are no skills', () => {
  const names = offered({ hasSkills: false }).map((tool) => tool.name)
  expect(names).toEqual(without('call_tool', 'select_skills', 'search_skills', 'load_resource', 'run_script'))
})

test('offers nothing that is not there', () => {
  const names = offered({ isThere: () => false }).map((tool) => tool.name)
  expect(names).toEqual(['final_answer', 'load_resource', 'search_skills', 'select_skills', 'update_plan'])
})

test('shows a provided tool as it describes itself', () => {
  const call = async () => ({ status: 'ok', text: '' }) as const
  const provided = [
    { name: 'zeta', description: 'Z.', parameters: {}, call },
    { name: 'alpha', description: 'A.', parameters: { type: 'object', required: ['a'] }, call },
  ]
  const tools = offered({ isThere: () => false, hasSkills: false, provided })
  expect(tools.filter((tool) => provided.some(({ name }) => name === tool.name))).toEqual([
    { name: 'alpha', description: 'A.', parameters: { type: 'object', required: ['a'] } },
    { name: 'zeta', description: 'Z.', parameters: { type: 'object' } },
  ])
})

test.each(actionTypes)('describes %s by the schema that its calls are checked with', async (type) => {
  const { name, description, parameters } = actionSpec(type)
  expect([name, description]).toEqual([type, actionParamSchemas[type].description])
  expect(Object.keys(parameters)).not.toContain('$schema')
  expect((await loadJsonSchema()).compile(parameters)).toMatchObject({ ok: true })
})

test('shows the model what it may leave out', () => {
  expect(actionSpec('list_dir').parameters).toEqual({
    type: 'object',
    properties: { path: { type: 'string', minLength: 1, default: '.' } },
    additionalProperties: false,
  })
})
