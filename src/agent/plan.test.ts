import { describe, expect, test } from 'vitest'
import type { Plan } from '../core/trajectory.ts'
import { runInMemory } from './agent.test-support.ts'
import { describePlan, updatePlan } from './plan.ts'

const plan: Plan = {
  goal: 'Find the best month',
  steps: [
    { id: '1', title: 'Read', status: 'completed' },
    { id: '2', title: 'Count', status: 'in_progress' },
    { id: '3', title: 'Tell', status: 'pending' },
  ],
  assumptions: ['UTC'],
}

describe('an update', () => {
  test.each<[string, Plan | null, Parameters<typeof updatePlan>[1], unknown]>([
    [
      'makes a plan',
      null,
      {
        goal: 'G',
        steps: [
          { id: '1', title: 'One' },
          { id: '2', title: 'Two', status: 'in_progress' },
        ],
        assumptions: ['A'],
      },
      {
        plan: {
          goal: 'G',
          steps: [
            { id: '1', title: 'One', status: 'pending' },
            { id: '2', title: 'Two', status: 'in_progress' },
          ],
          assumptions: ['A'],
        },
      },
    ],
    [
      'replaces the steps where all of them have titles; goal and assumptions stay',
      plan,
      { steps: [{ id: 'x', title: 'New' }] },
      { plan: { goal: plan.goal, steps: [{ id: 'x', title: 'New', status: 'pending' }], assumptions: ['UTC'] } },
    ],
    [
      'changes steps by id where it is a patch, in their places',
      plan,
      {
        patch: true,
        steps: [
          { id: '2', title: 'Count all' },
          { id: '3', status: 'in_progress' },
        ],
      },
      {
        plan: {
          ...plan,
          steps: [
            { id: '1', title: 'Read', status: 'completed' },
            { id: '2', title: 'Count all', status: 'in_progress' },
            { id: '3', title: 'Tell', status: 'in_progress' },
          ],
        },
      },
    ],
    [
      'is a patch where a step has no title',
      plan,
      { steps: [{ id: '2', status: 'completed' }] },
      { plan: { ...plan, steps: [plan.steps[0], { id: '2', title: 'Count', status: 'completed' }, plan.steps[2]] } },
    ],
    [
      'adds a step with a patch',
      plan,
      { patch: true, steps: [{ id: '4', title: 'Check' }] },
      { plan: { ...plan, steps: [...plan.steps, { id: '4', title: 'Check', status: 'pending' }] } },
    ],
    ['changes the goal alone', plan, { patch: true, goal: 'Other', steps: [] }, { plan: { ...plan, goal: 'Other' } }],
    ['empties the plan', plan, { steps: [] }, { plan: { ...plan, steps: [] } }],
    [
      'can’t change a step that is not there',
      plan,
      { steps: [{ id: '9', status: 'completed' }] },
      { problem: 'step 9 is new and has no title; the plan has: 1, 2, 3' },
    ],
    [
      'can’t begin with a step without a title',
      null,
      { steps: [{ id: '1' }] },
      { problem: 'step 1 is new and has no title; the plan has: no steps' },
    ],
    [
      'can’t have two steps of one id',
      null,
      {
        steps: [
          { id: '1', title: 'One' },
          { id: '1', title: 'Two' },
        ],
      },
      { problem: 'two steps have the id 1' },
    ],
  ])('%s', (_, current, update, result) => {
    const before = structuredClone(current)
    expect(updatePlan(current, update)).toEqual(result)
    expect(current).toEqual(before)
  })

  test('of very many steps takes no time', () => {
    const steps = Array.from({ length: 100_000 }, (_, i) => ({ id: `${i}`, title: 'x' }))
    const started = performance.now()
    updatePlan(null, { steps })
    expect(performance.now() - started).toBeLessThan(2000)
  })
})

test('is shown as one line a step', () => {
  expect(describePlan(plan)).toBe('goal: Find the best month\n[x] 1: Read\n[~] 2: Count\n[ ] 3: Tell\nassumed: UTC')
  expect(describePlan({ steps: [] })).toBe('the plan is empty')
})

test('is kept whole on the trajectory at each change, and in the outcome', async () => {
  const outcome = await runInMemory([
    { update_plan: { goal: 'G', steps: [{ id: '1', title: 'One' }] } },
    { update_plan: { steps: [{ id: '2', status: 'completed' }] } },
    { update_plan: { steps: [{ id: '1', status: 'completed' }] } },
    'Done.',
  ])
  const step = (status: string) => ({ goal: 'G', steps: [{ id: '1', title: 'One', status }] })
  const plans = outcome.trajectory.flatMap((event) => (event.type === 'plan' ? [[event.turn, event.plan]] : []))
  expect(plans).toEqual([
    [1, step('pending')],
    [3, step('completed')],
  ])
  expect(outcome.plan).toEqual(step('completed'))
})
