import { describe, expect, test } from 'vitest'
import type { ThresholdResult } from '../core/results.ts'
import { exitCode, type Finished } from './exit-code.ts'

const missed: ThresholdResult = { name: 'pass_rate', limit: 0.9, actual: 0.5, passed: false }
const met: ThresholdResult = { name: 'pass_rate', limit: 0.5, actual: 0.9, passed: true }

const run = (
  { failed = 0, errors = 0, stale = 0, thresholds = [] as ThresholdResult[], ofSuite = [] as ThresholdResult[] } = {},
  rest: Partial<Finished> = {},
): Finished => ({
  summary: { failed, errors, stale, thresholds },
  suites: [{ name: 's', summary: { thresholds: ofSuite } }],
  errorCodes: {},
  ...rest,
})

describe('exitCode', () => {
  test.each<[string, Finished, number]>([
    ['everything passed and every threshold was met', run({ thresholds: [met], ofSuite: [met] }), 0],
    ['a case failed', run({ failed: 1 }), 1],
    ['a threshold of the run was missed', run({ thresholds: [missed] }), 1],
    ['a threshold of a suite was missed', run({ ofSuite: [met, missed] }), 1],
    ['a gate was missed', run({}, { gateMissed: true }), 1],
    ['a case ended in error', run({ errors: 1 }, { errorCodes: { model_error: 1 } }), 3],
    ['a case ended in an error that nobody counted', run({ errors: 2 }, { errorCodes: { missing_cassette: 1 } }), 3],
    ['a case is stale', run({ stale: 1 }), 4],
    ['a cassette is missing', run({ errors: 2 }, { errorCodes: { missing_cassette: 2 } }), 4],
    ['the budget stopped the run', run({}, { budgetStopped: true }), 5],
    ['the evidence is too thin', run({}, { inconclusive: true }), 6],
    ['it was interrupted', run({}, { interrupted: 'SIGINT' }), 130],
    ['it was terminated', run({}, { interrupted: 'SIGTERM' }), 143],
  ])('when %s', (_, finished, code) => {
    expect(exitCode(finished)).toBe(code)
  })

  test('takes the first that applies', () => {
    let all = run(
      { failed: 1, errors: 2, stale: 1 },
      {
        errorCodes: { internal: 1, missing_cassette: 1 },
        budgetStopped: true,
        inconclusive: true,
        interrupted: 'SIGINT',
      },
    )
    const codes = [exitCode(all)]
    const steps: Partial<Finished>[] = [
      { interrupted: undefined },
      { summary: { ...all.summary, failed: 0 } },
      { summary: { ...all.summary, failed: 0, errors: 1 }, errorCodes: { missing_cassette: 1 } },
      { summary: { ...all.summary, failed: 0, errors: 0, stale: 0 }, errorCodes: {} },
      { budgetStopped: false },
      { inconclusive: false },
    ]
    for (const step of steps) {
      all = { ...all, ...step }
      codes.push(exitCode(all))
    }
    expect(codes).toEqual([130, 1, 3, 4, 5, 6, 0])
  })
})
