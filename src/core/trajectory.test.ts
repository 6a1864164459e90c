import { expect, test } from 'vitest'
import { type ActionRecord, actionsOf, selectedSkills, type Trajectory } from './trajectory.ts'

const record: ActionRecord = { turn: 1, action: 'read_file', params: {}, status: 'ok', observation: '', duration_ms: 0 }
const selected = (skill: string, by: 'model' | 'user') =>
  ({ type: 'selected', turn: 1, skill, source: 'project', by }) as const

const trajectory: Trajectory = [
  { type: 'state', turn: 0, state: 'init' },
  selected('by-user', 'user'),
  selected('b', 'model'),
  { type: 'action', record },
  selected('a', 'model'),
  { type: 'action', record: { ...record, turn: 2 } },
  selected('b', 'model'),
  selected('by-user', 'model'),
]

test('gives the actions in order', () => {
  expect(actionsOf(trajectory).map(({ turn }) => turn)).toEqual([1, 2])
})

test('gives the skills that the model selected, each once, in order', () => {
  expect(selectedSkills(trajectory)).toEqual(['b', 'a', 'by-user'])
  expect(selectedSkills(trajectory.slice(0, 2))).toEqual([])
})
