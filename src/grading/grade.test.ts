import { describe, expect, test } from 'vitest'
import { memoryWorkspace } from '../adapters/memory/memory-workspace.ts'
import type { AgentOutcome } from '../core/outcome.ts'
import type { EvalCase } from '../core/plan.ts'
import type { TrajectoryEvent } from '../core/trajectory.ts'
import { type Grade, grade } from './grade.ts'
import type { GradingPorts } from './ports.ts'

const ports: GradingPorts = {
  runScript: async () => ({ exitCode: null, stdout: '', stderr: '', timedOut: false, startError: 'no such file' }),
  readSchema: () => true,
}

const universe = ['csv', 'pdf']

const evalCase = (more: Partial<EvalCase> = {}): EvalCase => ({
  id: 'c',
  input: ['x'],
  tags: [],
  trials: 1,
  pass_threshold: 1,
  line: 1,
  triggerOnly: false,
  ...more,
})

const selected = (skill: string): TrajectoryEvent => ({
  type: 'selected',
  turn: 1,
  skill,
  source: 'suite',
  by: 'model',
})
const did = (action: string, params: Record<string, unknown>): TrajectoryEvent => ({
  type: 'action',
  record: { turn: 1, action, params, status: 'ok', observation: '', duration_ms: 1 },
})

const outcome = (more: Partial<AgentOutcome> = {}): AgentOutcome => ({
  stop: { kind: 'answered' },
  trajectory: [selected('csv'), did('final_answer', { text: 'March' })],
  answer: { text: 'March' },
  plan: null,
  usage: { input_tokens: null, output_tokens: null, cached_input_tokens: null, reasoning_tokens: null },
  costUsd: null,
  latencyMs: 0,
  ...more,
})

const judge = (
  expected: EvalCase['expected'],
  ended: Partial<AgentOutcome> = {},
  more: Partial<EvalCase> = {},
): Promise<Grade> =>
  grade(
    {
      evalCase: evalCase(expected === undefined ? more : { expected, ...more }),
      outcome: outcome(ended),
      universe,
      workspace: memoryWorkspace({ 'a.txt': 'x' }),
    },
    ports,
  )

describe('passed', () => {
  test('when every check, constraint and action rule holds', async () => {
    const result = await judge(
      {
        skills: ['csv'],
        actions: { in_order: ['final_answer'], never: ['network_request'] },
        output: [{ contains: 'March' }],
        files: [{ path: 'a.txt', unchanged: true }],
        plan: { min_steps: 1 },
      },
      { plan: { steps: [{ id: 'a', title: 'A', status: 'completed' }] } },
      { constraints: { max_turns: 3, forbidden_tools: ['grep'], forbidden_skills: ['pdf'] } },
    )
    expect(result).toMatchObject({ status: 'passed', score: 1 })
    expect(result).not.toHaveProperty('reason')
    expect(result).not.toHaveProperty('error')
    expect(result.checks.map((check) => [check.kind, check.passed])).toEqual([
      ['constraint', true],
      ['constraint', true],
      ['constraint', true],
      ['skills', true],
      ['in_order', true],
      ['never', true],
      ['contains', true],
      ['file', true],
      ['plan', true],
    ])
  })

  test('with a score of 1 when nothing is expected, and no trigger observation', async () => {
    expect(await judge(undefined)).toEqual({ status: 'passed', score: 1, checks: [] })
  })
})

describe('failed', () => {
  test('when one check does not hold, with it as the reason', async () => {
    expect(await judge({ output: [{ contains: 'arch' }, { contains: 'May' }] })).toMatchObject({
      status: 'failed',
      reason: 'contains "May": missing "May"; the text is "March"',
      score: 0.5,
    })
  })

  test('the reason counts the others and stays on one line', async () => {
    const result = await judge({ output: [{ equals: 'a\nb' }, { contains: 'x' }, { contains: 'y' }] })
    expect(result.reason).toBe('equals "a\\nb": expected "a\\nb", was "March" (+2 more)')
  })

  test.each([
    ['skills', { skills: ['pdf'] }],
    ['actions', { actions: { never: ['final_answer'] } }],
    ['files', { files: [{ path: 'b.txt' }] }],
    ['plan', { plan: { completed: 'all' } }],
  ] as [string, EvalCase['expected']][])('by %s alone', async (_, expected) => {
    expect(await judge(expected)).toMatchObject({ status: 'failed', score: 0 })
  })

  test('by what is forbidden', async () => {
    const result = await judge(undefined, {}, { constraints: { forbidden_skills: ['csv'] } })
    expect(result).toMatchObject({ status: 'failed', reason: 'forbidden_skills: selected: csv' })
  })
})

describe('a hard limit', () => {
  const stop = {
    kind: 'limit',
    limit: 'max_turns',
    message: 'max_turns: stopped after 3 turns without a final answer (limit 3)',
  } as const

  test('fails the case with the constraint and the number as the reason; the other checks run on an empty text', async () => {
    const result = await judge(
      { output: [{ contains: 'March' }, { contains: 'x', not: true }], skills: ['csv'] },
      { stop, answer: null },
      { constraints: { max_turns: 3 } },
    )
    expect(result.status).toBe('failed')
    expect(result.reason).toBe('max_turns: stopped after 3 turns without a final answer (limit 3) (+1 more)')
    expect(result.checks.map((check) => [check.name, check.passed])).toEqual([
      ['max_turns', false],
      ['the skills selected are csv', true],
      ['contains "March"', false],
      ['not: contains "x"', true],
    ])
    expect(result.score).toBe(0.5)
    expect(result.trigger).toEqual({ expected: ['csv'], selected: ['csv'], labelled: 'all', universe })
  })
})

describe('error', () => {
  test('of the agent: its code, nothing judged, no score and no trigger observation', async () => {
    const stop = { kind: 'error', code: 'mock_exhausted', message: 'the mock has 0 turns\nand this is turn 1' } as const
    expect(await judge({ skills: ['csv'], output: [{ contains: 'x' }] }, { stop, answer: null })).toEqual({
      status: 'error',
      reason: 'mock_exhausted: the mock has 0 turns',
      error: { code: 'mock_exhausted', message: 'the mock has 0 turns\nand this is turn 1' },
      score: null,
      checks: [],
    })
  })

  test.each([
    ['a grader that can’t start', { output: [{ script: { run: 'g.py' } }] }, 'g.py could not be started: no such file'],
    ['a broken regular expression', { output: [{ regex: '(' }] }, 'regular expression'],
    ['a broken pattern', { actions: { never: [{ final_answer: { regex: '(' } }] } }, 'regular expression'],
    ['a file path outside the workspace', { files: [{ path: '../x' }] }, '../x'],
  ] as [string, EvalCase['expected'], string][])('of a grader wins over a failure: %s', async (_, expected, words) => {
    const result = await judge({ skills: ['pdf'], ...expected })
    expect(result).toMatchObject({ status: 'error', error: { code: 'grader_error' }, score: null })
    expect(result.error?.message).toContain(words)
    expect(result.reason).toMatch(/^grader_error: /)
    expect(result).not.toHaveProperty('trigger')
    expect(result.checks.map((check) => check.name)).toEqual(['the skills selected are pdf'])
  })

  test.each([
    ['whole up to 300 characters', 'x'.repeat(300), 'x'.repeat(300)],
    ['cut behind them', `${'x'.repeat(300)}y`, `${'x'.repeat(300)}…`],
  ])('has the first line of its message as the reason: %s', async (_, message, shown) => {
    const stop = { kind: 'error', code: 'internal', message: `${message}\nmore` } as const
    expect(await judge({}, { stop })).toMatchObject({ reason: `internal: ${shown}`, error: { message: stop.message } })
  })

  test('of the first grader that can’t judge; what others could is told', async () => {
    const result = await judge({
      output: [{ regex: '(' }, { contains: 'March' }, { json_path: { path: '$[', equals: 1 } }],
    })
    expect(result.error?.message).toContain('regular expression')
    expect(result.checks.map((check) => check.name)).toEqual(['contains "March"'])
  })

  test('a bug is not a grader error', async () => {
    const broken = { ...ports, runScript: () => Promise.reject(new TypeError('a bug')) }
    const input = {
      evalCase: evalCase({ expected: { output: [{ script: { run: 'g.py' } }] } }),
      outcome: outcome(),
      universe,
      workspace: memoryWorkspace(),
    }
    await expect(grade(input, broken)).rejects.toThrow(new TypeError('a bug'))
  })
})

describe('the score', () => {
  test.each([
    [[{ contains: 'March', weight: 3 }, { contains: 'May' }], 0.75],
    [[{ contains: 'March' }, { contains: 'May', weight: 4 }], 0.2],
    [[{ contains: 'May' }], 0],
    [[{ contains: 'March' }], 1],
  ])('is the weighted share of checks that hold: %j', async (output, score) => {
    expect((await judge({ output })).score).toBeCloseTo(score)
  })

  test('a grader script’s own checks are told, and decide nothing', async () => {
    const verdict = {
      score: 0.5,
      pass: true,
      checks: [
        { name: 'a', pass: true },
        { name: 'b', pass: false },
      ],
    }
    const runScript = async () => ({ exitCode: 0, stdout: JSON.stringify(verdict), stderr: '', timedOut: false })
    const result = await grade(
      {
        evalCase: evalCase({ expected: { output: [{ script: { run: 'g.py' } }] } }),
        outcome: outcome(),
        universe,
        workspace: memoryWorkspace(),
      },
      { ...ports, runScript },
    )
    expect(result.checks.map(({ name, passed, score }) => [name, passed, score])).toEqual([
      ['g.py holds', true, 0.5],
      ['script/a', true, 1],
      ['script/b', false, 0],
    ])
    expect([result.status, result.score]).toEqual(['passed', 1])
  })
})

describe('a trigger-only case', () => {
  test('is judged by the skills alone', async () => {
    const result = await judge(
      { skills: { includes: ['csv'] }, output: [{ contains: 'never looked at' }], files: [{ path: '../x' }] },
      { stop: { kind: 'decided' }, answer: null },
      { triggerOnly: true, constraints: { max_turns: 1, forbidden_skills: ['csv'] } },
    )
    expect(result).toEqual({
      status: 'passed',
      score: 1,
      checks: [{ name: 'the skills selected include csv', kind: 'skills', passed: true, score: 1, weight: 1 }],
      trigger: { expected: ['csv'], selected: ['csv'], labelled: ['csv'], universe },
    })
  })

  test('that a limit stopped fails with it', async () => {
    const stop = { kind: 'limit', limit: 'max_tokens', message: 'used 9 tokens' } as const
    const result = await judge({ skills: [] }, { stop, trajectory: [] }, { triggerOnly: true })
    expect(result).toMatchObject({ status: 'failed', reason: 'max_tokens: used 9 tokens' })
  })
})

test('the observation keeps the index’s array, by which metrics know it', async () => {
  expect((await judge({ skills: [] })).trigger?.universe).toBe(universe)
})

test('a skill that the user invoked by name was not selected', async () => {
  const byUser = { ...selected('pdf'), by: 'user' } as TrajectoryEvent
  expect(await judge({ skills: [] }, { trajectory: [byUser] })).toMatchObject({ status: 'passed' })
})
