import { expect, test } from 'vitest'
import { loadJsonSchema } from '../lib/json-schema.ts'
import { type ActionType, actionParamSchemas, actionTypes } from '../schema/action.ts'
import { actionSpec, offeredTools } from './tool-specs.ts'

const offered = (change: Partial<Parameters<typeof offeredTools>[0]> = {}) =>
  offeredTools({ hasSkills: true, mayAllow: () => true, isThere: () => true, provided: [], ...change })

const without = (...left: ActionType[]) => actionTypes.filter((type) => !left.includes(type)).sort()

test('offers every action, sorted, but for the one that reaches provided tools', () => {
  expect(offered({ hasControls: true }).map((tool) => tool.name)).toEqual(without('call_tool'))
})

test('offers to disable skills only where the session has controls, and a task only where a skill runs on its own', () => {
  expect(offered().map((tool) => tool.name)).toEqual(without('call_tool', 'disable_skill', 'enable_skill'))
  const parametersOf = (tools: ReturnType<typeof offered>) =>
    Object.keys(tools.find(({ name }) => name === 'select_skills')?.parameters.properties ?? {})
  expect(parametersOf(offered())).toEqual(['skills', 'reason'])
  expect(parametersOf(offered({ canDelegate: true }))).toEqual(['skills', 'reason', 'task'])
})

test('offers no skill actions where there are no skills', () => {
  const names = offered({ hasSkills: false, hasControls: true }).map((tool) => tool.name)
  const ofSkills = ['select_skills', 'search_skills', 'disable_skill', 'enable_skill', 'load_resource'] as const
  expect(names).toEqual(without('call_tool', ...ofSkills, 'run_script'))
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
