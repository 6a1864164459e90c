import { describe, expect, test } from 'vitest'
import { runOf, sampleCase, sampleSuite, sampleSummary } from '../../test/support/sample-run.ts'
import { confusionRows, rateText, spendingLine, suiteRows, triggerRows } from './summary-tables.ts'

const first = ({ rows }: { rows: readonly (readonly unknown[])[] }) => rows.map(([cell]) => cell)

describe('suiteRows', () => {
  const suites = ['a', 'b', 'c'].map((name) =>
    sampleSuite(name, [sampleCase({ status: name === 'c' ? 'failed' : 'passed' })]),
  )

  test('keeps the order of the run where all fit', () => {
    expect(first(suiteRows(runOf(suites).head, { limit: 3 }))).toEqual(['a', 'b', 'c'])
  })

  test('keeps the worst where they do not, and counts the rest', () => {
    const rows = suiteRows(runOf(suites).head, { limit: 2 })
    expect([first(rows), rows.left]).toEqual([['c', 'a'], 1])
  })
})

describe('trigger tables', () => {
  const skill = { tp: 1, fp: 0, fn: 0, tn: 0, precision: 1, recall: 1, f1: 1, specificity: null }
  const plain = sampleSummary([])
  const summary = sampleSummary([], {
    trigger: {
      ...plain.trigger,
      skills: { a: skill, b: { ...skill, fn: 1 }, c: { ...skill, fp: 2 } },
      confusion: [
        { expected: 'a', selected: 'a', count: 9 },
        { expected: 'b', selected: '(none)', count: 1 },
        { expected: '(none)', selected: 'c', count: 2 },
      ],
    },
  })

  test('show skills with wrong decisions first, and pairs that are wrong only', () => {
    expect(first(triggerRows(summary, { limit: 9 }))).toEqual(['c', 'b', 'a'])
    expect(confusionRows(summary, { limit: 9 }).rows).toEqual([
      ['(none)', 'c', '2'],
      ['b', '(none)', '1'],
    ])
    expect(triggerRows(summary, { limit: 1 }).left).toBe(2)
  })

  test('have no rows where no case labels a skill', () => {
    expect([triggerRows(plain, { limit: 9 }).rows, confusionRows(plain, { limit: 9 }).rows]).toEqual([[], []])
  })
})

test('rateText adds the interval where there is one', () => {
  expect(rateText({ pass_rate: 0.5, interval: [0.2, 0.8] })).toBe('50% (20–80%)')
  expect(rateText({ pass_rate: null, interval: null })).toBe('–')
})

test('spendingLine says what is not known, and what the judge cost', () => {
  const none = { input_tokens: null, output_tokens: null, cached_input_tokens: null, reasoning_tokens: null }
  const summary = sampleSummary([], {
    usage: none,
    cost_usd: null,
    judge: { usage: none, cost_usd: null },
    latency_ms: { mean: null, p50: null, p95: null, max: null },
  })
  expect(spendingLine(summary)).toBe('tokens: – in, – out  cost: not known  judge: not known  latency: mean –, p95 –')
})
