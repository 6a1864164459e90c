import { describe, expect, test } from 'vitest'
import type { AgentOutcome } from '../core/outcome.ts'
import type { ActionRecord } from '../core/trajectory.ts'
import type { ActionConstraints } from '../schema/pattern.ts'
import { checkActions } from './check-actions.ts'
import { checkConstraints } from './check-constraints.ts'

const record = (action: string, params: Record<string, unknown>, change: Partial<ActionRecord> = {}): ActionRecord => ({
  turn: 1,
  action,
  params,
  status: 'ok',
  observation: '',
  duration_ms: 0,
  ...change,
})

const nested = (agent: string, action: string, params: Record<string, unknown>, change: Partial<ActionRecord> = {}) =>
  record(action, params, { agent, ...change })

const actions = [
  record(
    'select_skills',
    { skills: [{ name: 'finder' }] },
    {
      actions: [
        nested('finder', 'read_file', { path: 'a.md' }),
        nested(
          'finder',
          'select_skills',
          { skills: [{ name: 'reader' }] },
          {
            actions: [nested('reader', 'write_file', { path: 'x.md', content: '' }, { status: 'denied' })],
          },
        ),
        nested('finder', 'read_file', { path: 'b.md' }),
      ],
    },
  ),
  record('final_answer', { text: 'Done.' }),
]

const failing = async (constraints: ActionConstraints): Promise<string[]> =>
  (await checkActions(constraints, actions)).filter(({ passed }) => !passed).map(({ name }) => name)

describe('actions of sub-agents', () => {
  test.each<[string, ActionConstraints]>([
    [
      'are no part of the sequence',
      { exactly: ['select_skills'], count: [{ of: 'read_file', equals: 0 }], only: ['select_skills'] },
    ],
    [
      'are the sequence of their skill',
      { subagents: { finder: { exactly: [{ read_file: 'a.md' }, 'select_skills', { read_file: 'b.md' }] } } },
    ],
    ['are found however deep', { subagents: { reader: { exactly: [{ action: 'write_file', status: 'denied' }] } } }],
  ])('%s', async (_, constraints) => {
    expect(await failing(constraints)).toEqual([])
  })

  test('may not be what never may be', async () => {
    expect(await failing({ never: ['write_file'] })).toEqual(['never: write_file'])
    expect(await failing({ subagents: { finder: { never: ['write_file'] } } })).toEqual(['finder: never: write_file'])
  })

  test('are none where the skill did not run', async () => {
    expect(await failing({ subagents: { other: { in_order: ['read_file'] } } })).toEqual(['other: in_order: read_file'])
  })

  test('may not use a tool that is forbidden, nor select a skill that is', () => {
    const trajectory = actions.map((one) => ({ type: 'action', record: one }) as const)
    const outcome = { stop: { kind: 'answered' }, trajectory } as unknown as AgentOutcome
    const checks = checkConstraints({ forbidden_tools: ['write_file'], forbidden_skills: ['reader'] }, outcome)
    expect(checks.map(({ name, passed }) => [name, passed])).toEqual([
      ['forbidden_tools', false],
      ['forbidden_skills', false],
    ])
    expect(checks[0]?.message).toContain('reader: write_file x.md → denied')
  })
})
