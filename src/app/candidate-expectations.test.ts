import { expect, test } from 'vitest'
import type { TrajectoryEvent } from '../core/trajectory.ts'
import { candidateExpectations } from './candidate-expectations.ts'

const action = (
  name: string,
  params: Readonly<Record<string, unknown>>,
  status: 'ok' | 'error' = 'ok',
  more: object = {},
): TrajectoryEvent => ({
  type: 'action',
  record: { turn: 1, action: name, params, status, observation: '', duration_ms: 0, ...more },
})
const answer = (text: string): TrajectoryEvent => ({ type: 'answer', turn: 2, text })
const of = (...events: readonly TrajectoryEvent[]) => candidateExpectations(events, { hasSkills: false, changed: [] })

test('the skills that the model selected, and none where it selected none', () => {
  const about = { hasSkills: true, changed: [] }
  const selected = (skill: string, by: 'model' | 'user'): TrajectoryEvent => ({
    type: 'selected',
    turn: 1,
    skill,
    source: 'project',
    by,
  })
  expect(candidateExpectations([selected('a', 'user'), selected('b', 'model')], about)).toEqual({ skills: ['b'] })
  expect(candidateExpectations([], about)).toEqual({ skills: [] })
  expect(of()).toEqual({})
})

test('what succeeded, in its order, as patterns that match these paths alone', () => {
  expect(
    of(
      action('select_skills', { skills: [{ name: 'a' }, { name: 'gone' }] }, 'ok', {
        skills: { loaded: ['a'], failed: ['gone'] },
      }),
      action('read_file', { path: 'data[1].csv' }),
      action('read_file', { path: 'missing' }, 'error'),
      action('grep', { pattern: '/x/' }),
      action('update_plan', { steps: [] }),
      action('network_request', { url: 'https://example.org/a?b=c' }),
      action('no_such_tool', {}),
      action('final_answer', { text: 'x' }),
    ),
  ).toEqual({
    actions: {
      in_order: [
        { select_skills: 'a' },
        { read_file: 'data\\[1\\].csv' },
        'grep',
        'update_plan',
        { network_request: 'https://example.org/a\\?b=c' },
      ],
    },
  })
})

test('the start of the last answer, as whole words, or that it is JSON', () => {
  expect(of(answer('One.'), answer('  Two lines.\nThe second.'))).toEqual({ output: [{ contains: 'Two lines.' }] })
  expect(of(answer(`${'word '.repeat(30)}`)).output).toEqual([{ contains: 'word '.repeat(16).trimEnd() }])
  expect(of(answer('{"a": 1}'))).toEqual({ output: [{ is_json: true }] })
  expect(of(answer('  '))).toEqual({})
})

test('the files that were changed', () => {
  const changed = [
    { path: 'a*.txt', exists: true },
    { path: 'b', exists: false },
  ]
  expect(candidateExpectations([], { hasSkills: false, changed })).toEqual({
    files: [
      { path: 'a\\*.txt', exists: true },
      { path: 'b', exists: false },
    ],
  })
})
