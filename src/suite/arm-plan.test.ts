import { expect, test } from 'vitest'
import type { EvalCase, PlannedCase, PlannedSuite } from '../core/plan.ts'
import { armPlan } from './arm-plan.ts'

const suite = (name: string): PlannedSuite => ({ name, path: `${name}.yaml`, dir: '/p', models: ['m'] })
const [one, other] = [suite('one'), suite('other')]
const armOne = { ...one }
const planned = (of: PlannedSuite, id: string, part: Partial<EvalCase>, trials: number, at: number): PlannedCase => ({
  suite: of,
  model: 'm',
  trials,
  at,
  evalCase: { id, input: ['x'], tags: [], trials, pass_threshold: 1, line: 1, triggerOnly: false, ...part },
})
const judged = { expected: { output: [{ contains: 'ok' }] } }
const cases = [
  planned(one, 'a', judged, 3, 0),
  planned(one, 'b', { expected: { skills: ['csv'] } }, 2, 3),
  planned(other, 'c', judged, 1, 5),
  planned(one, 'd', judged, 2, 6),
]

test('numbers the trials of the cases that are left anew, as often as it is asked, and counts the others', () => {
  const none = { lacksSkills: true, isEmpty: true, has: () => false, had: () => true }
  const { plan, leftOut } = armPlan(
    { suites: [one, other], counts: { cases: 4, trials: 8, skipped: 0 }, cases: () => cases },
    (of) => (of === one ? { suite: armOne, skills: none } : undefined),
  )
  for (const _ of [1, 2]) {
    expect([...plan.cases()].map(({ evalCase, at, trials }) => [evalCase.id, at, trials])).toEqual([
      ['a', 0, 3],
      ['d', 3, 2],
    ])
  }
  expect([...plan.cases()].every(({ suite: of }) => of === armOne)).toBe(true)
  expect(plan.suites).toEqual([armOne])
  expect(plan.counts).toEqual({ cases: 2, trials: 5, skipped: 0 })
  expect(leftOut).toEqual({ skipped: 0, xfail: 0, with_skills: 0, no_checks: 1, no_input: 0, same_skills: 1 })
})
