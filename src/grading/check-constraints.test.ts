import { describe, expect, test } from 'vitest'
import type { AgentOutcome, AgentStop } from '../core/outcome.ts'
import type { ActionRecord, TrajectoryEvent } from '../core/trajectory.ts'
import { checkConstraints } from './check-constraints.ts'

const did = (
  action: string,
  params: Record<string, unknown> = {},
  more: Partial<ActionRecord> = {},
): TrajectoryEvent => ({
  type: 'action',
  record: { turn: 1, action, params, status: 'ok', observation: '', duration_ms: 1, ...more },
})

const outcome = (trajectory: TrajectoryEvent[], stop: AgentStop = { kind: 'answered' }): AgentOutcome => ({
  stop,
  trajectory,
  answer: null,
  plan: null,
  usage: { input_tokens: null, output_tokens: null, cached_input_tokens: null, reasoning_tokens: null },
  costUsd: null,
  latencyMs: 0,
})

describe('limits', () => {
  const stop = {
    kind: 'limit',
    limit: 'max_turns',
    message: 'max_turns: stopped after 3 turns without a final answer (limit 3)',
  } as const

  test('a limit that stopped the agent fails with its reason, the others are listed as kept', () => {
    expect(checkConstraints({ max_turns: 3, max_seconds: 9 }, outcome([], stop))).toEqual([
      {
        name: 'max_turns',
        kind: 'constraint',
        passed: false,
        score: 0,
        weight: 1,
        message: 'stopped after 3 turns without a final answer (limit 3)',
        expected: 3,
      },
      { name: 'max_seconds', kind: 'constraint', passed: true, score: 1, weight: 1, expected: 9 },
    ])
  })

  test('a limit that the case does not name is listed where it stopped the agent', () => {
    expect(checkConstraints({}, outcome([], stop)).map((r) => [r.name, r.passed])).toEqual([['max_turns', false]])
  })

  test('there is nothing to list without constraints', () => {
    expect(checkConstraints({}, outcome([]))).toEqual([])
  })
})

describe('forbidden tools', () => {
  test.each(['ok', 'error', 'denied'] as const)('an attempt counts, whatever came of it: %s', (status) => {
    const results = checkConstraints(
      { forbidden_tools: ['list_dir'] },
      outcome([did('list_dir', { path: '.' }, { status })]),
    )
    expect(results).toEqual([
      {
        name: 'forbidden_tools',
        kind: 'constraint',
        passed: false,
        score: 0,
        weight: 1,
        message: `action 1: list_dir . → ${status}`,
        expected: ['list_dir'],
        actual: [`action 1: list_dir . → ${status}`],
      },
    ])
  })

  test('a provided tool is forbidden by its own name', () => {
    const trajectory = [did('read_file', { path: 'x' }), did('call_tool', { tool: 'web_search', input: { q: 'a' } })]
    expect(checkConstraints({ forbidden_tools: ['web_search'] }, outcome(trajectory))[0]?.message).toBe(
      'action 2: call_tool web_search {"q":"a"} → ok',
    )
    expect(checkConstraints({ forbidden_tools: ['price'] }, outcome(trajectory))[0]?.passed).toBe(true)
  })

  test('a tool name that is no string is nobody else’s name', () => {
    const trajectory = [did('call_tool', { tool: { toString: 1 } })]
    expect(checkConstraints({ forbidden_tools: ['x'] }, outcome(trajectory))[0]?.passed).toBe(true)
  })
})

describe('forbidden skills', () => {
  const select = (...skills: unknown[]) => did('select_skills', { skills })

  test.each([
    ['csv', [select({ name: 'csv' })], false],
    ['csv', [select({ name: 'pdf' })], true],
    ['csv', [did('select_skills', { skills: [{ name: 'csv' }] }, { status: 'error' })], false],
    ['csv@user', [select({ name: 'csv', source: 'project' })], true],
    ['csv@user', [select({ name: 'csv', source: 'user' })], false],
    ['csv@user', [select({ name: 'csv' })], false],
    ['csv', [{ type: 'selected', turn: 1, skill: 'csv', source: 'suite', by: 'model' }], false],
    ['csv', [{ type: 'selected', turn: 1, skill: 'csv', source: 'suite', by: 'user' }], true],
  ] as [string, TrajectoryEvent[], boolean][])('%s of %j is kept: %j', (skill, trajectory, passed) => {
    expect(checkConstraints({ forbidden_skills: [skill] }, outcome(trajectory)).map((r) => r.passed)).toEqual([passed])
  })
})
