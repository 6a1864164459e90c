import { expect, test } from 'vitest'
import type { Plan } from '../core/trajectory.ts'
import { checkPlan } from './check-plan.ts'

const plan = (...statuses: Plan['steps'][number]['status'][]): Plan => ({
  steps: statuses.map((status, i) => ({ id: `s${i + 1}`, title: `Step ${i + 1}`, status })),
})

test.each([
  ['every step is completed', plan('completed', 'completed'), true],
  ['a step is not', plan('completed', 'in_progress'), false],
  ['the plan has no steps', plan(), false],
  ['no plan was made', null, false],
])('completed: all, where %s', (_, given, passed) => {
  expect(checkPlan({ completed: 'all' }, given).map((result) => result.passed)).toEqual([passed])
})

test.each([
  [plan('pending', 'pending'), true],
  [plan('pending', 'pending', 'completed'), true],
  [plan('pending'), false],
  [null, false],
])('min_steps: 2', (given, passed) => {
  expect(checkPlan({ min_steps: 2 }, given).map((result) => result.passed)).toEqual([passed])
})

test('each key is a result of its own, and a failure says which steps are open', () => {
  expect(checkPlan({ completed: 'all', min_steps: 3 }, plan('completed', 'pending'))).toEqual([
    {
      name: 'every step of the plan is completed',
      kind: 'plan',
      passed: false,
      score: 0,
      weight: 1,
      message: '1 of 2 steps are not completed\ns2 (pending): Step 2',
    },
    {
      name: 'the plan has at least 3 steps',
      kind: 'plan',
      passed: false,
      score: 0,
      weight: 1,
      message: 'the plan has 2',
      expected: 3,
      actual: 2,
    },
  ])
})
