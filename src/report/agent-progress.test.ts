import { expect, test } from 'vitest'
import type { TrajectoryEvent } from '../core/trajectory.ts'
import { agentProgress } from './agent-progress.ts'

const usage = { input_tokens: 1200, output_tokens: 34, cached_input_tokens: 0, reasoning_tokens: 0 }
const model = (turn: number, cost_usd: number | null): TrajectoryEvent => ({
  ...{ type: 'model', turn, text: '', calls: [], stop: 'tool_use', usage, latency_ms: 1, model: 'm-1', cost_usd },
})
const decision = (change: Partial<Extract<TrajectoryEvent, { type: 'decision' }>> = {}): TrajectoryEvent => ({
  ...{
    type: 'decision',
    turn: 1,
    action: 'read_file',
    target: 'a.txt',
    verdict: 'allow',
    rule: 'default: allow read_file',
  },
  ...change,
})
const action = (change: Partial<Extract<TrajectoryEvent, { type: 'action' }>['record']> = {}): TrajectoryEvent => ({
  type: 'action',
  record: {
    turn: 1,
    action: 'read_file',
    params: { path: 'a.txt' },
    status: 'ok',
    observation: 'x',
    duration_ms: 1,
    ...change,
  },
})
const told = (...events: readonly TrajectoryEvent[]): readonly string[] => {
  const progress = agentProgress(false)
  return events.flatMap((event) => progress.line(event) ?? [])
}

test('each answer of the model is a line, with what was spent up to it', () => {
  expect(told(model(1, 0.01), model(2, 0.02), model(3, null), model(4, 0.01))).toEqual([
    '1. m-1: 1,200 tokens in, 34 out, $0.0100 so far',
    '2. m-1: 1,200 tokens in, 34 out, $0.0300 so far',
    '3. m-1: 1,200 tokens in, 34 out, – so far',
    '4. m-1: 1,200 tokens in, 34 out, – so far',
  ])
})

test('each action is a line, with the decision, its rule and what came of it', () => {
  const ask = { verdict: 'ask', rule: 'configuration: ask write_file' } as const
  const approval = { type: 'approval', turn: 1, action: 'write_file', target: 'a.txt', rule: ask.rule } as const
  expect(
    told(
      ...[decision(), action()],
      ...[
        decision({ skill: 'one' }),
        action({ action: 'run_script', status: 'error', exit_code: 3, observation: 'exit code 3\nmore' }),
      ],
      ...[
        decision({ verdict: 'deny', rule: 'r' }),
        action({ status: 'denied', rule: 'r', observation: 'not permitted (r).' }),
      ],
      ...[decision(ask), { ...approval, answer: 'once', by: 'terminal' } as const, action()],
      ...[
        decision(ask),
        { ...approval, answer: 'nobody' } as const,
        action({ status: 'denied', observation: 'nobody is there' }),
      ],
      ...[decision({ action: 'final_answer' }), action({ action: 'final_answer', params: { text: 'secret' } })],
      { type: 'selected', turn: 2, skill: 'one', source: 'project', by: 'model' },
    ),
  ).toEqual([
    '1. read_file a.txt  allow (default: allow read_file)  ok',
    '1. run_script a.txt [one]  allow (default: allow read_file)  error, exit 3: exit code 3',
    '1. read_file a.txt  deny (r)  denied',
    '1. read_file a.txt  ask, once (configuration: ask write_file)  ok',
    '1. read_file a.txt  ask, nobody there (configuration: ask write_file)  denied: nobody is there',
    '1. final_answer  ok',
    '2. skill one (project), chosen by the model',
  ])
})

test('a decision is of its own action: an unreadable call has none', () => {
  expect(told(decision(), action(), action({ status: 'error', observation: 'path: is missing' }))[1]).toBe(
    '1. read_file a.txt  error: path: is missing',
  )
})

test('nothing that others wrote is obeyed', () => {
  const evil = '\u001b[2J\n::error::x'
  const lines = told(
    { ...model(1, 0), model: evil } as TrajectoryEvent,
    decision({ rule: evil, skill: evil }),
    action({ action: evil, params: { path: evil }, status: 'error', observation: evil }),
    { type: 'repair', turn: 1, message: evil },
    { type: 'selected', turn: 2, skill: evil, source: 'project', by: 'user' },
  )
  expect(lines).toHaveLength(4)
  for (const line of lines) expect(line).not.toMatch(/[\u001b\n]|^::/)
})

test('knows what is under way', () => {
  const progress = agentProgress(false)
  progress.line({ type: 'state', turn: 2, state: 'decide' })
  expect(progress.now()).toBe('turn 2: waiting for the model')
  progress.line(decision({ action: 'run_script', target: 'scripts/a.py', turn: 2 }))
  expect(progress.now()).toBe('turn 2: run_script scripts/a.py')
})

test('what a sub-agent did is told behind its name, and paid for', () => {
  const parent = 'reader'
  expect(
    told(
      model(1, 0.01),
      { type: 'subagent', turn: 1, skill: 'reader', task: 'Read a.txt.\n\nIt is part of this request:\nLook.' },
      { type: 'selected', turn: 0, skill: 'reader', source: 'project', by: 'model', parent },
      { ...model(1, 0.02), parent },
      { ...decision(), parent },
      { ...action(), parent },
      { type: 'subagent', turn: 2, skill: 'finder', task: 'Find it.', parent },
      { type: 'selected', turn: 0, skill: 'finder', source: 'project', by: 'model', parent: 'reader/finder' },
      { type: 'selected', turn: 1, skill: 'other', source: 'project', by: 'model', parent: 'reader/finder' },
      { ...action({ action: 'final_answer', params: {} }), parent },
      action({ action: 'select_skills', params: { skills: [{ name: 'reader' }] } }),
    ),
  ).toEqual([
    '1. m-1: 1,200 tokens in, 34 out, $0.0100 so far',
    '  reader: 1. runs on its own: Read a.txt.',
    '  reader: 1. m-1: 1,200 tokens in, 34 out, $0.0300 so far',
    '  reader: 1. read_file a.txt  allow (default: allow read_file)  ok',
    '  reader/finder: 2. runs on its own: Find it.',
    '  reader/finder: 1. skill other (project), chosen by the model',
    '  reader: 1. final_answer  ok',
    '1. select_skills reader  ok',
  ])
})

test('a conversation that was shortened, and skills that changed, are told', () => {
  expect(
    told(
      { type: 'compacted', turn: 4, rounds: 2, tokens: { before: 150_100, after: 90_000 }, note: 'n' },
      { type: 'index', turn: 5, news: 'New: x' },
    ),
  ).toEqual(['4. shortened: 150,100 → 90,000 tokens', '5. the skills have changed'])
})
