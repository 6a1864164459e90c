import { expect, test } from 'vitest'
import type { EvalCase, PlannedCase, PlannedSuite, RunPlan } from '../core/plan.ts'
import { narrowPlan } from './narrow-plan.ts'

const suites = ['s', 't'].map((name): PlannedSuite => ({ name, path: name, dir: '/', models: ['m'] }))
const whole: RunPlan = {
  suites,
  counts: { cases: 4, trials: 6, skipped: 1 },
  *cases() {
    const [s, t] = suites
    const one = (suite: PlannedSuite | undefined, id: string, trials: number, at: number) =>
      ({ suite, evalCase: { id } as EvalCase, model: 'm', trials, at }) as PlannedCase
    yield one(s, 'a', 2, 0)
    yield one(s, 'b', 0, 2)
    yield one(s, 'c', 3, 2)
    yield one(t, 'd', 1, 5)
  },
}
const told = (plan: RunPlan) =>
  [...plan.cases()].map(({ evalCase, trials, at, place }) => [evalCase.id, trials, at, place])

test('keeps the wanted cases in their order, with places for their trials, each time anew', () => {
  const plan = narrowPlan(whole, ({ evalCase }) => evalCase.id !== 'a')
  expect(told(plan)).toEqual([
    ['b', 0, 0, undefined],
    ['c', 3, 0, undefined],
    ['d', 1, 3, undefined],
  ])
  expect(told(plan)).toEqual(told(plan))
  expect(plan.counts).toEqual({ cases: 3, trials: 4, skipped: 1 })
  expect(plan.suites).toEqual(suites)
})

test('leaves out suites without a case unless all are wanted, and knows the place in the whole', () => {
  const isWanted = (planned: PlannedCase) => planned.evalCase.id === 'd'
  expect(narrowPlan(whole, isWanted).suites.map(({ name }) => name)).toEqual(['t'])
  const change = (planned: PlannedCase, place: number) => ({ ...planned, place })
  const plan = narrowPlan(whole, isWanted, { keepSuites: true, change })
  expect(plan.suites).toEqual(suites)
  expect(told(plan)).toEqual([['d', 1, 0, 3]])
})
