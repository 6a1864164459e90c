import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { TrialRow } from '../core/results.ts'
import { checkHistory } from './check-history.ts'
import { ruleOfThree } from './rule-of-three.ts'

type Checked = Partial<TrialRow['checks'][number]> & { readonly name: string }

const row = (checks: readonly Checked[], more: Partial<TrialRow> = {}): TrialRow => ({
  suite: 's',
  case: 'c',
  model: 'mock',
  n: 1,
  status: checks.every(({ passed }) => passed !== false) ? 'passed' : 'failed',
  score: 1,
  output: '',
  skills_selected: [],
  plan: null,
  actions: [],
  usage: { input_tokens: 0, output_tokens: 0, cached_input_tokens: 0, reasoning_tokens: 0 },
  cost_usd: 0,
  duration_ms: 0,
  latency_ms: 0,
  ...more,
  checks: checks.map((check) => ({ kind: 'contains', passed: true, score: 1, weight: 1, ...check })),
})
const history = (rows: readonly TrialRow[], minTrials = 1) => {
  const fold = checkHistory()
  for (const one of rows) fold.add(one)
  return fold.result(minTrials)
}
const told = (records: ReturnType<typeof history>['never_failed']) =>
  records.map(({ case: id, check, trials, failed }) => `${id} ${check}: ${failed}/${trials}`)

describe('checkHistory', () => {
  test('tells what never failed, what always did, and nothing of what did both', () => {
    const result = history([
      row([{ name: 'a' }, { name: 'b', passed: false }, { name: 'x' }]),
      row([{ name: 'a' }, { name: 'b', passed: false }, { name: 'x', passed: false }]),
      row([{ name: 'a' }], { suite: 'other', model: 'gpt' }),
    ])
    expect(told(result.never_failed)).toEqual(['c a: 0/2', 'c a: 0/1'])
    expect(told(result.always_failed)).toEqual(['c b: 2/2'])
    expect(result).toMatchObject({ trials: 3, checks: 4, too_few: 0 })
  })

  test('leaves out trials that could not be judged, and the parts of a grader', () => {
    const rows = (['error', 'stale', 'skipped'] as const).map((status) => row([{ name: 'a' }], { status }))
    expect(history(rows)).toMatchObject({ trials: 0, checks: 0 })
    expect(history([row([{ name: 'part', weight: 0 }])]).checks).toBe(0)
  })

  test('lists no check with fewer trials than are asked for', () => {
    const rows = [row([{ name: 'a' }, { name: 'b' }]), row([{ name: 'a' }])]
    expect(told(history(rows, 2).never_failed)).toEqual(['c a: 0/2'])
    expect(history(rows, 2).too_few).toBe(1)
  })

  test('only counts what forbids where it never failed, and tells it where it always did', () => {
    const result = history([
      row([
        { name: 'max_turns', kind: 'constraint' },
        { name: 'never: grep', kind: 'never' },
        { name: 'only: grep', kind: 'only', passed: false },
      ]),
    ])
    expect(result).toMatchObject({ guards: 2, never_failed: [] })
    expect(told(result.always_failed)).toEqual(['c only: grep: 1/1'])
  })

  test.each([
    ['skills', 'no skill is selected'],
    ['skills', 'the skills selected exclude pdf-forms'],
    ['file', 'out/a.md is unchanged'],
    ['file', 'out/a.md does not exist'],
  ])('so it does with what forbids by its name: %s, %s', (kind, name) => {
    expect(history([row([{ name, kind }])])).toMatchObject({ guards: 1, never_failed: [] })
  })

  test.each([
    ['skills', 'the skills selected are a'],
    ['skills', 'the skills selected include a'],
    ['file', 'out/a.md exists'],
    ['file', 'out/a.md is changed'],
    ['contains', 'no skill is selected'],
  ])('but not with what asks: %s, %s', (kind, name) => {
    expect(told(history([row([{ name, kind }])]).never_failed)).toEqual([`c ${name}: 0/1`])
  })

  test('joins the rows of a case, and their checks by what they say without the values', () => {
    const result = history([
      row([{ name: 'contains "Mar"' }, { name: 'contains "Apr"', passed: false }], { case: 'row/1' }),
      row([{ name: 'contains "Jan 12"' }, { name: 'contains "\\"x\\""', passed: false }], { case: 'row/2' }),
    ])
    expect(told(result.never_failed)).toEqual(['row/* contains "…": 0/2'])
    expect(told(result.always_failed)).toEqual(['row/* contains "…": 2/2'])
  })

  test('joins the rows of a case whose id each of them fills in', () => {
    const about = (id: string) => ({ case: id, rows_of: 'row-{{month}}' })
    const rows = [
      row([{ name: 'contains "Mar"' }], about('row-Mar')),
      row([{ name: 'contains "Apr"' }], about('row-Apr')),
    ]
    expect(told(history(rows).never_failed)).toEqual(['row-{{month}} contains "…": 0/2'])
  })

  test('leaves out what is expected to fail, and says how much', () => {
    const result = history([row([{ name: 'a', passed: false }], { xfail: true }), row([{ name: 'a' }])])
    expect(result).toMatchObject({ trials: 1, xfail: 1, always_failed: [] })
  })

  test('holds no more for a thousand rows than for one', () => {
    const rows = Array.from({ length: 1000 }, (_, i) => row([{ name: `equals "${i}"` }], { case: `row/${i}` }))
    expect(history(rows).checks).toBe(1)
  })

  test('counts replays', () => {
    const cassette = { path: 'x', mode: 'replay' as const, stale_parts: [] }
    const made = { ...cassette, mode: 'record' as const }
    const result = history([row([{ name: 'a' }], { cassette }), row([{ name: 'a' }], { cassette: made })])
    expect(result.never_failed[0]).toMatchObject({ trials: 2, replayed: 1 })
  })

  test('no order of the trials changes what is told', () => {
    const rowOf = fc.record({ id: fc.constantFrom('c', 'row/1', 'row/2'), passed: fc.boolean() })
    fc.assert(
      fc.property(fc.array(rowOf, { maxLength: 12 }), (drawn) => {
        const rows = drawn.map(({ id, passed }) => row([{ name: 'a', passed }], { case: id }))
        const sorted = (list: readonly string[]) => [...list].sort()
        const there = history(rows)
        const back = history(rows.toReversed())
        expect(sorted(told(back.never_failed))).toEqual(sorted(told(there.never_failed)))
        expect(sorted(told(back.always_failed))).toEqual(sorted(told(there.always_failed)))
      }),
    )
  })
})

test('the rule of three is close to the exact bound, never below it, and 1 where there is little', () => {
  expect([0, 1, 3].map(ruleOfThree)).toEqual([1, 1, 1])
  expect(ruleOfThree(20)).toBeCloseTo(0.15)
  for (const n of [4, 10, 50, 1000]) {
    const exact = 1 - 0.05 ** (1 / n)
    expect(ruleOfThree(n)).toBeGreaterThan(exact)
    expect(ruleOfThree(n)).toBeLessThan(exact * 1.45)
  }
})
