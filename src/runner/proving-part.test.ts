import { describe, expect, test } from 'vitest'
import type { Expected } from '../schema/suite.ts'
import { provingPart } from './proving-part.ts'
import { aCase } from './runner.test-support.ts'

const partOf = (expected: unknown, constraints = {}) => {
  const { evalCase, ...rest } = provingPart(aCase({ expected: expected as Expected, constraints }))
  return { asks: evalCase.expected, ...rest }
}

describe('provingPart', () => {
  test.each([
    ['no skill', { skills: [] }],
    ['excluded skills', { skills: { excludes: ['a'] } }],
    ['never', { actions: { never: ['write_file'] } }],
    ['only', { actions: { only: ['read_file'] } }],
    ['before', { actions: { before: [{ first: 'read_file', then: 'write_file' }] } }],
    ['no_loops', { actions: { no_loops: true } }],
    ['exactly without patterns', { actions: { exactly: [] } }],
    ['an upper bound', { actions: { count: [{ of: 'run_script', max: 2 }] } }],
    ['none of it', { actions: { count: [{ of: 'run_script', equals: 0 }] } }],
    ['a file that must not exist', { files: [{ path: 'a', exists: false }] }],
    ['a file that must be unchanged', { files: [{ path: 'a', unchanged: true }] }],
  ])('%s forbids and asks for nothing', (_, expected) => {
    expect(partOf(expected)).toEqual({ asks: {}, forbids: true, judged: 0 })
  })

  test('constraints that forbid count, budgets do not, and both stay in force', () => {
    expect(partOf({}, { forbidden_skills: ['a'] }).forbids).toBe(true)
    expect(partOf({}, { forbidden_tools: ['grep'] }).forbids).toBe(true)
    expect(partOf({}, { max_turns: 3, max_cost_usd: 1 }).forbids).toBe(false)
    expect(provingPart(aCase({ constraints: { max_turns: 3 } })).evalCase.constraints).toEqual({ max_turns: 3 })
  })

  test('what asks for something stays as it is', () => {
    const expected = {
      skills: ['a'],
      actions: { in_order: ['read_file'], any_order: ['grep'], exactly: ['grep'], count: [{ of: 'grep', min: 1 }] },
      output: [{ contains: 'x' }, { not: true, contains: 'y' }],
      files: [
        { path: 'a' },
        { path: 'b', exists: true },
        { path: 'c', unchanged: false },
        { path: 'd', contains: 'x' },
      ],
      plan: { min_steps: 1 },
    }
    expect(partOf(expected)).toEqual({ asks: expected, forbids: false, judged: 0 })
  })

  test.each(['skills', 'actions', 'output', 'files', 'plan'])('what is not asked is not there: %s', (key) => {
    expect(Object.hasOwn(partOf({}).asks ?? {}, key)).toBe(false)
  })

  test('parts what does both', () => {
    expect(
      partOf({
        skills: { includes: ['a'], excludes: ['b'] },
        actions: { in_order: ['grep'], never: ['write_file'], count: [{ of: 'grep', min: 1, max: 2 }] },
        files: [{ path: 'a', unchanged: true, contains: 'x' }],
      }),
    ).toEqual({
      asks: {
        skills: { includes: ['a'] },
        actions: { in_order: ['grep'], count: [{ of: 'grep', min: 1, max: 2 }] },
        files: [{ path: 'a', contains: 'x' }],
      },
      forbids: true,
      judged: 0,
    })
  })

  test('a check that a model would judge is taken out and counted, so that no model is asked', () => {
    expect(
      partOf({
        output: [{ rubric: 'is polite' }, { contains: 'x' }],
        files: [
          { path: 'a', rubric: 'is short' },
          { path: 'b', checks: [{ rubric: ['a', 'b'] }, { contains: 'y' }] },
        ],
      }),
    ).toEqual({
      asks: { output: [{ contains: 'x' }], files: [{ path: 'b', checks: [{ contains: 'y' }] }] },
      forbids: false,
      judged: 3,
    })
  })

  test('also what a model would judge of what a JSONPath selects is left out', () => {
    const check = { json_path: { path: '$.a', json_path: { path: '$.b', rubric: 'is polite' } } }
    expect(
      partOf({
        output: [check, { contains: 'x' }],
        files: [
          { path: 'a', ...check },
          { path: 'b', ...check, exists: true },
          { path: 'c', checks: [check, { contains: 'y' }] },
        ],
      }),
    ).toEqual({
      asks: {
        output: [{ contains: 'x' }],
        files: [
          { path: 'b', exists: true },
          { path: 'c', checks: [{ contains: 'y' }] },
        ],
      },
      forbids: false,
      judged: 4,
    })
  })
})
