import { expect, test } from 'vitest'
import { summary } from './summarize.ts'

const rateOf = (cases: readonly { passed: number; usable: number; saved?: number }[]): number | null => {
  const fold = summary({ seed: 1 })
  for (const one of cases) fold.addCase({ status: 'passed', xfail: false, ...one })
  return fold.result().pass_rate
}

test('a case that was decided early weighs as much as one that ran all its trials', () => {
  // One always passes and takes all thirty to be sure; one fails at once.
  expect(
    rateOf([
      { passed: 30, usable: 30, saved: 0 },
      { passed: 0, usable: 1, saved: 29 },
    ]),
  ).toBeCloseTo(0.5, 12)
  expect(
    rateOf([
      { passed: 30, usable: 30 },
      { passed: 0, usable: 30 },
    ]),
  ).toBeCloseTo(0.5, 12)
  expect(
    rateOf([
      { passed: 1, usable: 2, saved: 2 },
      { passed: 1, usable: 1 },
    ]),
  ).toBeCloseTo(3 / 5, 12)
})
