import { expect, test } from 'vitest'
import { memoryClock } from '../adapters/memory/memory-clock.ts'
import { answer, mockOptions, skillsOf } from '../agent/agent.test-support.ts'
import { mockModel } from '../agent/mock-model.ts'
import type { EvalCase } from '../core/plan.ts'
import { renderIndex } from '../skills/render-index.ts'
import type { RunDeps } from './run-deps.ts'
import { runTrial } from './run-trial.ts'
import { aCase, aSuite, inMemory, inMemoryWorld } from './runner.test-support.ts'

const trial = (change: Partial<EvalCase>, deps: Partial<RunDeps> = {}, n = 1) => {
  const evalCase = aCase(change)
  return runTrial({ suite: aSuite(), evalCase, model: 'mock', trials: n, at: 0 }, n, inMemory(deps))
}

const source = skillsOf()
const withSkills: Partial<RunDeps> = {
  skillsOf: () => ({
    source,
    renderedIndex: renderIndex(source.visible()),
    universe: source.visible().map((skill) => skill.name),
  }),
}

test('has all that came of the attempt', async () => {
  const clock = memoryClock()
  const { row, trigger } = await trial(
    {
      mock: [
        { select_skills: 'csv-analyzer' },
        [{ read_file: 'data.csv' }, { update_plan: [{ id: '1', title: 'One', status: 'completed' }] }],
        { final_answer: 'March.' },
      ],
      expected: { skills: ['csv-analyzer'], output: [{ contains: 'March' }] },
    },
    {
      ...withSkills,
      clock,
      openModel: ({ evalCase }) => mockModel(evalCase.mock, mockOptions(clock, { latencyMs: 100 })),
    },
    2,
  )
  const { usage, checks, ...rest } = row
  expect(rest).toEqual({
    suite: 'suite',
    case: 'case',
    model: 'mock',
    n: 2,
    status: 'passed',
    score: 1,
    output: 'March.',
    skills_selected: ['csv-analyzer'],
    plan: { steps: [{ id: '1', title: 'One', status: 'completed' }] },
    actions: [
      expect.objectContaining({ turn: 1, action: 'select_skills', status: 'ok' }),
      {
        turn: 2,
        action: 'read_file',
        params: { path: 'data.csv' },
        status: 'ok',
        rule: 'default: allow read_file',
        observation: 'a,b\n',
        duration_ms: 0,
      },
      expect.objectContaining({ turn: 2, action: 'update_plan' }),
      expect.objectContaining({ turn: 3, action: 'final_answer', observation: 'March.' }),
    ],
    cost_usd: 0,
    duration_ms: 300,
    latency_ms: 300,
  })
  expect(usage.input_tokens).toBeGreaterThan(0)
  expect(checks.map((check) => [check.kind, check.passed])).toEqual([
    ['skills', true],
    [expect.any(String), true],
  ])
  expect(trigger).toMatchObject({ expected: ['csv-analyzer'], selected: ['csv-analyzer'] })
  // What the agent keeps for itself is not in run.json.
  expect(Object.keys(row.actions[0]!)).not.toContain('skills')
})

test('fails at a limit that the case set, with the reason', async () => {
  const { row } = await trial({
    mock: { rules: [], otherwise: [{ read_file: 'data.csv' }] },
    constraints: { max_turns: 2 },
  })
  expect([row.status, row.reason]).toEqual([
    'failed',
    'max_turns: stopped after 2 turns without a final answer (limit 2)',
  ])
})

test('is an error at a limit that the configuration set', async () => {
  const { row } = await trial(
    { mock: { rules: [], otherwise: [{ read_file: 'data.csv' }] } },
    { limits: { max_turns: 2 } },
  )
  expect(row).toMatchObject({
    status: 'error',
    error: {
      code: 'budget_exceeded',
      message: expect.stringMatching(/^max_turns: .*\(limit 2\); raise limits\.max_turns/),
    },
    score: null,
  })
})

test('denies what the case forbids, and fails for the attempt', async () => {
  const { row } = await trial({
    mock: [{ write_file: { path: 'x', content: 'x' } }, 'Done.'],
    constraints: { forbidden_tools: ['write_file'] },
  })
  expect([row.status, row.actions[0]?.status, row.actions[0]?.rule]).toEqual([
    'failed',
    'denied',
    'constraints.forbidden_tools',
  ])
})

test('ends a trigger case with the first decision', async () => {
  const { row } = await trial(
    {
      triggerOnly: true,
      mock: [{ select_skills: 'csv-analyzer' }],
      expected: { skills: { includes: ['csv-analyzer'] } },
    },
    withSkills,
  )
  expect([row.status, row.actions.length, row.output]).toEqual(['passed', 1, null])
})

test('has test doubles of its own', async () => {
  const change: Partial<EvalCase> = {
    tools: { web_search: { returns_each: ['first'] } },
    mock: [{ call_tool: { tool: 'web_search', input: {} } }, 'Done.'],
  }
  const rows = [await trial(change), await trial(change)]
  expect(rows.map(({ row }) => row.actions[0]?.observation)).toEqual(['first', 'first'])
})

test('tells a grader what is told of the trial', async () => {
  const told: unknown[] = []
  await trial(
    { mock: ['Done.'] },
    {
      openWorld: () => {
        const world = inMemoryWorld()
        return {
          ...world,
          grading: (about) => {
            told.push(about())
            return world.grading(about)
          },
        }
      },
    },
  )
  expect(told).toEqual([
    expect.objectContaining({
      suite: 'suite',
      case: 'case',
      model: 'mock',
      n: 1,
      output: 'Done.',
      actions: [expect.anything()],
    }),
  ])
})

test('keeps a result that was there when the run was aborted', async () => {
  const controller = new AbortController()
  const { row } = await trial(
    {},
    {
      signal: controller.signal,
      openWorld: () => inMemoryWorld({ dispose: async () => controller.abort(new Error('interrupted')) }),
    },
  )
  expect(row.status).toBe('passed')
})

test('rejects where the run was aborted, having given back what it opened', async () => {
  const controller = new AbortController()
  const ended: string[] = []
  const running = trial(
    {},
    {
      signal: controller.signal,
      openWorld: () => inMemoryWorld({ dispose: async () => void ended.push('world') }),
      openModel: () => ({
        profile: 'mock',
        protocol: 'native',
        generate: async (_, { signal }) => {
          controller.abort(new Error('interrupted'))
          signal.throwIfAborted()
          return answer()
        },
        close: async (ok) => void ended.push(`model ${ok}`),
      }),
    },
  )
  await expect(running).rejects.toThrow('interrupted')
  expect(ended).toEqual(['model false', 'world'])
})
