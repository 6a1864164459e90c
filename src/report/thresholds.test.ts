import { expect, test } from 'vitest'
import type { ThresholdResult } from '../core/results.ts'
import { actualText, allThresholds, limitText, missedThresholds } from './thresholds.ts'

const threshold = (name: string, limit: number, actual: number | null, passed = false): ThresholdResult => ({
  name,
  limit,
  actual,
  passed,
})

test('tells a threshold that the run repeats from a suite once', () => {
  const [a, b, own] = [threshold('pass_rate', 0.9, 0.5), threshold('cost_usd', 1, 0.5, true), threshold('tokens', 5, 6)]
  const suites = [
    { name: 'x', summary: { thresholds: [a] } },
    { name: 'y', summary: { thresholds: [b] } },
  ]
  const run = { summary: { thresholds: [{ ...a, name: 'x/pass_rate' }, b, own] }, suites }
  expect(allThresholds(run)).toEqual([
    { suite: null, threshold: own },
    { suite: 'x', threshold: a },
    { suite: 'y', threshold: b },
  ])
  expect(missedThresholds(run).map(({ suite }) => suite)).toEqual([null, 'x'])
})

test.each([
  [threshold('pass_rate', 0.9, 0.5), 'at least 90%', '50%'],
  [threshold('pass_rate', 0.9, 0.8999), 'at least 90%', '0.8999'],
  [threshold('trigger.f1', 0.9, null), 'at least 90%', '–'],
  [threshold('cost_usd', 1.5, 2), 'at most $1.50', '$2.00'],
  [threshold('tokens', 10_000, 12_345), 'at most 10,000', '12,345'],
  [threshold('p95_seconds', 3, 4.25), 'at most 3.0 s', '4.3 s'],
  [threshold('max_unusable', 0.1, 0.25), 'at most 10%', '25%'],
  [threshold('lift', 0.1, 0.05), '10%', '5%'],
])('reads %j', (one, limit, actual) => {
  expect([limitText(one), actualText(one)]).toEqual([limit, actual])
})
