import fc from 'fast-check'
import { expect, test } from 'vitest'
import { actionTypes } from '../schema/action.ts'
import { isTooDeep, validateCall } from './validate-call.ts'

const names = { actions: ['read_file'], provided: ['web_search'], skills: ['csv-analyzer'] }

test('fills in what may be left out', () => {
  expect(validateCall({ id: '1', name: 'grep', input: 'TODO' }, names)).toEqual({
    action: { action: 'grep', params: { pattern: 'TODO', path: '.' } },
  })
})

test('reaches a provided tool by its own name', () => {
  expect(validateCall({ id: '1', name: 'web_search', input: { query: 'x' } }, names)).toEqual({
    action: { action: 'call_tool', params: { tool: 'web_search', input: { query: 'x' } } },
  })
  expect(validateCall({ id: '1', name: 'web_search', input: undefined }, names)).toEqual({
    action: { action: 'call_tool', params: { tool: 'web_search', input: {} } },
  })
})

test('a call whose arguments could not be read is told why, whatever is left of them', () => {
  const call = { id: '1', name: 'read_file', input: { path: 'a' }, problem: 'its arguments are not JSON' }
  expect(validateCall(call, names)).toEqual({ problem: 'read_file is not valid: its arguments are not JSON' })
})

test('never throws, whatever a model sends', () => {
  const name = fc.oneof(
    fc.constantFrom(...actionTypes, 'read_skill', 'web_search', '__proto__', 'constructor'),
    fc.string(),
  )
  fc.assert(
    fc.property(name, fc.option(fc.jsonValue(), { nil: undefined }), (tool, input) => {
      const result = validateCall({ id: '1', name: tool, input }, names)
      expect('action' in result ? actionTypes.includes(result.action.action) : result.problem.length > 0).toBe(true)
    }),
  )
})

test.each([
  ['a scalar', 1, false],
  ['what is wide', Array.from({ length: 10_000 }, () => ({ a: 1 })), false],
  ['100 levels', nested(100), false],
  ['101 levels', nested(101), true],
  ['very many levels', nested(200_000), true],
])('finds out whether %s is too deep', (_, value, isDeep) => {
  expect(isTooDeep(value)).toBe(isDeep)
})

function nested(levels: number): unknown {
  let value: unknown = 1
  for (let i = 0; i < levels; i += 1) value = i % 2 === 0 ? [value] : { a: value }
  return value
}
