import { expect, test } from 'vitest'
import { reasonOf } from './plan.ts'

test.each([
  [undefined, undefined],
  [false, undefined],
  [true, 'no reason given'],
  ['a known bug', 'a known bug'],
])('%s is the reason %s', (value, reason) => {
  expect(reasonOf(value)).toBe(reason)
})
