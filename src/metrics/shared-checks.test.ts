import { expect, test } from 'vitest'
import { type GradedCase, type JudgedCheck, overSharedChecks } from './shared-checks.ts'

const check = (name: string, passed: boolean, more: Partial<JudgedCheck> = {}): JudgedCheck => ({
  name,
  kind: 'contains',
  passed,
  score: passed ? 1 : 0,
  weight: 1,
  ...more,
})
const usage = { input_tokens: 1, output_tokens: 1, cached_input_tokens: 0, reasoning_tokens: 0 }
const caseOf = (...trials: readonly (readonly JudgedCheck[] | 'error')[]): GradedCase => {
  const made = trials.map((checks, i) => {
    const judged = checks === 'error' ? [] : checks
    const status = checks === 'error' ? ('error' as const) : judged.every((one) => one.passed) ? 'passed' : 'failed'
    return { n: i + 1, status, score: null, usage, cost_usd: 0, latency_ms: 1, checks: judged } as const
  })
  const isPassed = made.every(({ status }) => status === 'passed')
  return { id: 'a', model: 'm', status: isPassed ? 'passed' : 'failed', trials: made }
}

test('what only the run judges does not lower its rate', () => {
  const base = caseOf([check('a', false)])
  const head = caseOf([check('a', true), check('skills', false)], [check('a', false), check('skills', true)])
  const { head: judged, notCompared } = overSharedChecks(base, head, 0.5)
  expect(head.trials.map(({ status }) => status)).toEqual(['failed', 'failed'])
  expect(judged.trials.map(({ status, score }) => [status, score])).toEqual([
    ['passed', 1],
    ['failed', 0],
  ])
  expect(judged.status).toBe('passed')
  expect(notCompared).toEqual(['skills'])
})

test('a case of which all is shared stays as it came out', () => {
  const head = caseOf([check('a', true)], 'error')
  expect(overSharedChecks(caseOf([check('a', true)]), head, 1).head.trials.map(({ status }) => status)).toEqual([
    'passed',
    'error',
  ])
})

test('a limit that stopped the run counts, though the baseline never met it', () => {
  const limit = check('max_turns', false, { kind: 'constraint' })
  const { head } = overSharedChecks(caseOf([check('a', true)]), caseOf([check('a', true), limit, check('b', true)]), 1)
  expect(head.trials[0]).toMatchObject({ status: 'failed', score: 0.5 })
})

test('names what held in every usable trial of both, but no limit and no part of a check', () => {
  const part = check('part', true, { weight: 0 })
  const limit = check('max_turns', true, { kind: 'constraint' })
  const base = caseOf([check('a', true), part, limit, check('b', true), check('c', true)], 'error')
  const head = caseOf([check('a', true), part, limit, check('b', false), check('c', true), check('d', true)])
  expect(overSharedChecks(base, head, 1).holdInBoth).toEqual([
    { name: 'a', index: 0 },
    { name: 'c', index: 3 },
  ])
})

test('checks of one name and two kinds are two checks, and a redacted secret is itself in both', () => {
  const base = caseOf([check('a', true, { kind: 'regex' }), check('has [redacted:token:11]', true)])
  const head = caseOf([check('a', true), check('has [redacted:token:22]', true)])
  expect(overSharedChecks(base, head, 1)).toMatchObject({
    notCompared: ['a'],
    holdInBoth: [{ name: 'has [redacted:token:22]' }],
  })
})

test('two checks of one name are told apart by their place, of which the baseline may lack one', () => {
  const [first, second] = [{ place: 'output[0]' }, { place: 'output[1]' }]
  const base = caseOf([check('quality', true, second)])
  const head = caseOf([check('quality', false, first), check('quality', true, second)])
  expect(overSharedChecks(base, head, 1)).toMatchObject({
    head: { status: 'passed', trials: [{ status: 'passed', score: 1 }] },
    notCompared: ['quality'],
    holdInBoth: [{ name: 'quality', index: 1 }],
  })
})

test('a baseline that was stored without places is held against the run by names', () => {
  const head = caseOf([check('a', true, { place: 'output[3]' })])
  expect(overSharedChecks(caseOf([check('a', false)]), head, 1)).toMatchObject({ notCompared: [] })
})

test.each(['error', 'stale'] as const)(
  'where only what is not shared had failed, and one ended in %s, nobody can tell',
  (bad) => {
    const whole = caseOf([check('a', true), check('skills', false)], 'error')
    const [first, second] = whole.trials
    if (!first || !second) throw new Error('two were made')
    const head = { ...whole, trials: [first, { ...second, status: bad }] }
    expect(head.status).toBe('failed')
    expect(overSharedChecks(caseOf([check('a', true)]), head, 1).head.status).toBe(bad)
  },
)
