import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Status } from '../core/results.ts'
import type { ComparedHead } from './compare-runs.ts'
import { type ArmPair, liftFold } from './lift.ts'
import type { GradedCase } from './shared-checks.ts'

const usage = { input_tokens: 10, output_tokens: 1, cached_input_tokens: 0, reasoning_tokens: 0 }
const graded = (id: string, statuses: readonly Status[], extra: readonly string[] = []): GradedCase => ({
  id,
  model: 'm',
  status: statuses.includes('error') ? 'error' : statuses.includes('failed') ? 'failed' : 'passed',
  trials: statuses.map((status, i) => ({
    ...{ n: i + 1, status, score: null, usage, cost_usd: 0.5, latency_ms: 1 },
    checks:
      status === 'error'
        ? []
        : ['a', ...extra].map((name) => ({ name, kind: 'equals', passed: status === 'passed', score: 1, weight: 1 })),
  })),
})
const trigger = { precision: null, recall: null, f1: null }
const headOf = (id: string): ComparedHead => ({ id, started_at: '', git: null, summary: { trigger } })
const pair = (id: string, base: readonly Status[], head: readonly Status[], more: Partial<ArmPair> = {}): ArmPair => ({
  ...{ suite: 's', line: 3, skills: [], threshold: 1, base: graded(id, base), head: graded(id, head) },
  ...more,
})
const compare = (pairs: readonly ArmPair[]) => {
  const fold = liftFold({ seed: 1, delta: 0.05 })
  for (const one of pairs) fold.add(one)
  return fold.result(headOf('base'), headOf('head'))
}

const [p, f, e] = ['passed', 'failed', 'error'] as const

test('the lift is the mean over cases, of each skill over those that name it', () => {
  const { lift, skills, numbers } = compare([
    pair('x', [f, f], [p, p], { skills: ['csv', 'csv'] }),
    pair('y', [p], [p], { skills: ['csv', 'pdf'] }),
    pair('z', [p], [f]),
  ])
  expect(lift).toMatchObject({ cases: 3, trials: 4, base: 2 / 3, head: 2 / 3, difference: 0 })
  expect(skills).toMatchObject([
    { skill: 'csv', cases: 2, difference: 0.5 },
    { skill: 'pdf', cases: 1, difference: 0 },
  ])
  expect(numbers.cost_usd).toMatchObject({ base: 1.5, head: 1.5 })
})

test('p of a skill is adjusted for there being several, as that of a case is', () => {
  const six = (skill: string) =>
    Array.from({ length: 6 }, (_, i) => pair(`${skill}${i}`, [f], [p], { skills: [skill] }))
  expect(compare(six('a')).skills).toMatchObject([{ p: 0.03125, verdict: 'better' }])
  expect(compare([...six('a'), ...six('b')]).skills).toMatchObject([
    { p: 0.0625, verdict: 'inconclusive' },
    { p: 0.0625, verdict: 'inconclusive' },
  ])
})

test('errors on either side are told and move nothing', () => {
  const { lift, caseOf } = compare([pair('x', [f], [p]), pair('y', [e], [p]), pair('z', [p], [e])])
  expect(lift).toMatchObject({ cases: 1, difference: 1 })
  const of = (id: string) => caseOf({ suite: 's', id, model: 'm' })
  expect(of('y')).toMatchObject({
    status: 'error',
    pass_rate: null,
    head_pass_rate: 1,
    lift: null,
    verdict: 'unjudged',
  })
  expect(of('z')).toMatchObject({ head_pass_rate: null, lift: null, verdict: 'unjudged' })
  expect(of('none')).toBeUndefined()
})

test('a case that only the checks of the run failed is judged by its usable trials, whatever the others were', () => {
  const head = graded('x', [p, e, p], ['skills'])
  const failing = head.trials.map((trial) => ({
    ...trial,
    status: trial.status === 'error' ? e : f,
    checks: trial.checks.map((check) => ({ ...check, passed: check.name === 'a' })),
  }))
  const { lift, caseOf } = compare([
    { ...pair('x', [f, f, f], []), head: { ...head, status: 'failed', trials: failing } },
  ])
  expect(lift).toMatchObject({ cases: 1, trials: 2, difference: 1 })
  expect(caseOf({ suite: 's', id: 'x', model: 'm' })).toMatchObject({ lift: 1, pairs: 2 })
})

test('a check of `each` cases that holds in all of both is named once, with how many they are', () => {
  const many = Array.from({ length: 12 }, (_, i) => pair(`e/${i}`, [p], [p]))
  const { no_signal } = compare([...many, pair('own', [p], [p], { line: 9 }), pair('told', [f], [p], { line: 10 })])
  expect(no_signal).toEqual({
    checks: 2,
    named: [
      { suite: 's', case: 'e/0', model: 'm', cases: 12, check: 'a' },
      { suite: 's', case: 'own', model: 'm', cases: 1, check: 'a' },
    ],
  })
})

test('a case alone has a verdict from six pairs of trials on, after Holm over the cases', () => {
  const eight = Array.from({ length: 8 }, () => f)
  const all = eight.map(() => p)
  const { caseOf } = compare([pair('x', eight, all), pair('y', eight, all), pair('few', [f], [p])])
  const of = (id: string) => caseOf({ suite: 's', id, model: 'm' })
  expect(of('x')).toMatchObject({ verdict: 'better', p: 2 * 2 * 0.5 ** 8, pairs: 8 })
  expect(of('few')).toMatchObject({ verdict: 'inconclusive', p: null })
})

describe('of any arms', () => {
  const status = fc.constantFrom<Status>('passed', 'failed', 'error')
  const statuses = fc.array(status, { minLength: 1, maxLength: 4 })
  const arms = fc.array(fc.tuple(statuses, statuses), { maxLength: 12 })
  const pairs = (all: readonly (readonly [readonly Status[], readonly Status[]])[]) =>
    all.map(([base, head], i) => pair(`c${i}`, base, head, { line: i }))

  test('what is equal in both has no lift', () => {
    fc.assert(
      fc.property(fc.array(statuses, { maxLength: 12 }), (all) => {
        const { lift } = compare(pairs(all.map((one) => [one, one] as const)))
        expect([0, null]).toContain(lift.difference)
        expect(['no_change', 'inconclusive']).toContain(lift.verdict)
      }),
    )
  })

  test('the order of the cases changes no number', () => {
    fc.assert(
      fc.property(arms, (all) => {
        const made = pairs(all)
        const { caseOf: _, no_signal: __, ...there } = compare(made)
        const { caseOf: ___, no_signal: ____, ...back } = compare(made.toReversed())
        expect(back).toEqual(there)
      }),
    )
  })

  test('more checks on the side of the run alone change nothing', () => {
    fc.assert(
      fc.property(arms, (all) => {
        const plain = pairs(all)
        const more = plain.map((one, i) => ({ ...one, head: graded(`c${i}`, all[i]?.[1] ?? [], ['skills']) }))
        expect(compare(more).lift).toEqual(compare(plain).lift)
      }),
    )
  })
})

test('counts the cases whose trials end as soon as they decide, of each skill too', () => {
  const one = pair('x', [f], [p], { skills: ['csv'] })
  const { lift, skills } = compare([{ ...one, head: { ...one.head, trials_planned: 9 } }, pair('y', [f], [p])])
  expect([lift.adaptive, skills[0]?.adaptive]).toEqual([1, 1])
})
