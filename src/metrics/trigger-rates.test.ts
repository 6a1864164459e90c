import { expect, test } from 'vitest'
import { triggerRates } from './trigger-rates.ts'

test('gives precision, recall, F1 and specificity', () => {
  const rates = triggerRates({ tp: 6, fp: 2, fn: 3, tn: 9 })
  expect(rates).toEqual({ precision: 0.75, recall: 6 / 9, f1: 12 / 17, specificity: 9 / 11 })
  // F1 is the harmonic mean of the two.
  expect(rates.f1).toBeCloseTo(2 / (1 / 0.75 + 1 / (6 / 9)), 12)
})

test.each([
  [
    { tp: 0, fp: 0, fn: 0, tn: 5 },
    { precision: null, recall: null, f1: null, specificity: 1 },
  ],
  [
    { tp: 0, fp: 0, fn: 2, tn: 0 },
    { precision: null, recall: 0, f1: 0, specificity: null },
  ],
  [
    { tp: 0, fp: 2, fn: 0, tn: 0 },
    { precision: 0, recall: null, f1: 0, specificity: 0 },
  ],
  [
    { tp: 0, fp: 0, fn: 0, tn: 0 },
    { precision: null, recall: null, f1: null, specificity: null },
  ],
])('a metric without a denominator is null: %j', (counts, rates) => {
  expect(triggerRates(counts)).toEqual(rates)
})
