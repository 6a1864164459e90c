import { expect, test } from 'vitest'
import type { EvalCase } from '../core/plan.ts'
import { rubricHash } from './rubric-hash.ts'

const hashOf = (expected: EvalCase['expected']): string | undefined =>
  rubricHash({ id: 'a', input: ['x'], tags: [], trials: 1, pass_threshold: 1, line: 1, triggerOnly: false, expected })

test('is another one where criteria or the number of judges are, and the same for all else', () => {
  const one = hashOf({ output: [{ rubric: 'is short' }] })
  expect(one).toMatch(/^[0-9a-f]{16}$/)
  expect(hashOf({ output: [{ contains: 'x' }, { rubric: ['is short'], name: 'n', weight: 2 }] })).toBe(one)
  expect(hashOf({ files: [{ path: 'a', checks: [{ json_path: { path: '$', rubric: 'is short' } }] }] })).toBe(one)
  expect(hashOf({ output: [{ rubric: 'is long' }] })).not.toBe(one)
  expect(hashOf({ output: [{ rubric: 'is short', judges: 3 }] })).not.toBe(one)
  expect(hashOf({ output: [{ rubric: 'is short' }], files: [{ path: 'a', rubric: 'is kind' }] })).not.toBe(one)
})

test('is none where no judge is asked', () => {
  expect(hashOf({ output: [{ contains: 'x' }] })).toBeUndefined()
})
