import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ActionResult } from '../schema/run.ts'
import { followPlan } from './follow-plan.ts'

const update = (params: unknown, status: ActionResult['status'] = 'ok'): ActionResult => ({
  turn: 1,
  action: 'update_plan',
  params: params as ActionResult['params'],
  status,
  observation: '',
  duration_ms: 0,
})
const told = (...actions: readonly ActionResult[]) =>
  [...followPlan(actions)].map(([at, steps]) => [
    at,
    steps.map(({ id, title, status, change }) => `${id} ${title} ${status} ${change}`),
  ])

describe('a plan as it goes on', () => {
  test('says of each step what became of it', () => {
    expect(
      told(
        update({
          steps: [
            { id: 'a', title: 'Read' },
            { id: 'b', title: 'Sum', status: 'in_progress' },
          ],
        }),
        { ...update({}), action: 'read_file' },
        update({ patch: true, steps: [{ id: 'a', status: 'completed' }] }),
        update({
          steps: [
            { id: 'b', title: 'Sum' },
            { id: 'c', title: 'Tell' },
          ],
        }),
      ),
    ).toEqual([
      [0, ['a Read pending new', 'b Sum in_progress new']],
      [2, ['a Read completed changed', 'b Sum in_progress same']],
      [3, ['b Sum in_progress same', 'c Tell pending new', 'a Read completed dropped']],
    ])
  })

  test('takes steps without a title for changes, as the agent does', () => {
    expect(
      told(update({ steps: [{ id: 'a', title: 'Read' }] }), update({ steps: [{ id: 'a', status: 'completed' }] })),
    ).toEqual([
      [0, ['a Read pending new']],
      [1, ['a Read completed changed']],
    ])
  })

  test('is not changed by what was refused', () => {
    expect(told(update({ steps: [{ id: 'a', title: 'Read' }] }, 'error'))).toEqual([])
  })

  test('is read from whatever was recorded', () => {
    fc.assert(
      fc.property(
        fc.array(fc.dictionary(fc.constantFrom('steps', 'patch'), fc.jsonValue())),
        (all) => void followPlan(all.map((params) => update(params))),
      ),
    )
    expect(told(update({ steps: [null, 3, { id: 4 }, { id: 'a' }, { id: '__proto__', title: 'x' }] }))).toEqual([
      [0, ['a a pending new', '__proto__ x pending new']],
    ])
  })
})
