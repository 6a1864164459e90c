import { expect, test } from 'vitest'
import { isAtLeast, isAtMost } from './tolerance.ts'

test('a limit that came out of arithmetic is met by what it stands for', () => {
  expect(isAtLeast(0.3, 0.1 * 3)).toBe(true)
  expect(isAtMost(0.1 * 3, 0.3)).toBe(true)
})

test('less is less and more is more', () => {
  expect([isAtLeast(0.299999, 0.3), isAtMost(0.300001, 0.3)]).toEqual([false, false])
  expect([isAtLeast(0, 0), isAtMost(0, 0), isAtMost(1e-12, 0)]).toEqual([true, true, false])
  expect([isAtLeast(NaN, 0), isAtMost(NaN, 1)]).toEqual([false, false])
})
