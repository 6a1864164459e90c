import { expect, test } from 'vitest'
import type { Usage } from '../core/trajectory.ts'
import { Budget } from './budget.ts'

const used = (input: number | null, output: number | null): Usage => ({
  input_tokens: input,
  output_tokens: output,
  cached_input_tokens: 0,
  reasoning_tokens: 0,
})

test('tells nothing to stop until a limit is passed', () => {
  const budget = new Budget({ max_turns: 2, max_tool_calls: 1, max_tokens: 100, max_cost_usd: 1 }, {})
  expect([budget.startTurn(), budget.startToolCall(false), budget.spend(used(60, 40), 1), budget.startTurn()]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ])
  expect([budget.turns, budget.costUsd]).toEqual([2, 1])
})

test('does not count a turn or a call that it refused', () => {
  const budget = new Budget({ max_turns: 1, max_tool_calls: 0 }, {})
  budget.startTurn()
  expect(budget.startTurn()).toMatchObject({ kind: 'limit', limit: 'max_turns' })
  expect(budget.startTurn()).toMatchObject({
    message: 'max_turns: stopped after 1 turn without a final answer (limit 1)',
  })
  budget.startToolCall(false)
  expect(budget.startToolCall(false)).toMatchObject({ message: 'max_tool_calls: stopped after 0 tool calls (limit 0)' })
})

test('counts a script run as a tool call too', () => {
  const budget = new Budget({ max_tool_calls: 2, max_script_runs: 1 }, {})
  expect(budget.startToolCall(true)).toBeUndefined()
  expect(budget.startToolCall(true)).toMatchObject({
    message: 'max_script_runs: stopped after 1 script run (limit 1)',
  })
  expect(budget.startToolCall(false)).toBeUndefined()
  expect(budget.startToolCall(true)).toMatchObject({ limit: 'max_tool_calls' })
})

test('tells the first limit that was passed of several', () => {
  const budget = new Budget({ max_input_tokens: 1, max_tokens: 1 }, { max_cost_usd: 0 })
  expect(budget.spend(used(5, 5), 1)).toMatchObject({ kind: 'limit', limit: 'max_input_tokens' })
})

test('sums money without the noise of binary fractions', () => {
  const budget = new Budget({ max_cost_usd: 0.3 }, {})
  expect([0.1, 0.1, 0.1].map((usd) => budget.spend(used(0, 0), usd))).toEqual([undefined, undefined, undefined])
  expect([budget.costUsd, budget.spend(used(0, 0), 0.000001)]).toEqual([
    0.3,
    { kind: 'limit', limit: 'max_cost_usd', message: 'max_cost_usd: spent 0.300001 USD (limit 0.3)' },
  ])
})

test('does not know a cost of which a part is unknown', () => {
  const budget = new Budget({ max_cost_usd: 0 }, {})
  expect([budget.spend(used(1, 1), null), budget.spend(used(1, 1), 1), budget.costUsd]).toEqual([
    undefined,
    undefined,
    null,
  ])
})

test('counts what is known of tokens', () => {
  const budget = new Budget({ max_tokens: 10 }, {})
  expect(budget.spend(used(null, 8), 0)).toBeUndefined()
  expect(budget.spend(used(4, null), 0)).toMatchObject({ message: 'max_tokens: used 12 tokens (limit 10)' })
})

test('has limits for time, turns and calls also where nobody set any', () => {
  expect(new Budget({}, {}).maxSeconds).toBe(600)
  expect(new Budget({}, { max_seconds: 5 }).maxSeconds).toBe(5)
  expect(new Budget({ max_seconds: 700 }, { max_seconds: 5 }).maxSeconds).toBe(700)
  const calls = new Budget({}, {})
  for (let i = 0; i < 50; i += 1) calls.startToolCall(true)
  expect(calls.startToolCall(true)).toMatchObject({
    code: 'budget_exceeded',
    message: expect.stringContaining('(limit 50)'),
  })
  for (let i = 0; i < 50; i += 1) calls.startToolCall(false)
  expect(calls.startToolCall(false)).toMatchObject({ message: expect.stringContaining('(limit 100)') })
})

test('a share of what is used up is nothing, and not less', () => {
  const budget = new Budget({ max_turns: 1, max_tokens: 10, max_cost_usd: 1 }, {})
  budget.startTurn()
  budget.spend({ input_tokens: 50, output_tokens: 50, cached_input_tokens: 0, reasoning_tokens: 0 }, 5)
  const share = budget.shareFor(0.5, 10)
  expect(share.startTurn()).toMatchObject({ message: expect.stringContaining('(limit 0)') })
  expect(
    share.spend({ input_tokens: 1, output_tokens: 0, cached_input_tokens: 0, reasoning_tokens: 0 }, 0),
  ).toMatchObject({
    message: expect.stringContaining('max_tokens: used 1 tokens (limit 0)'),
  })
})
