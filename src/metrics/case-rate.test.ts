import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { caseRate } from './case-rate.ts'

const status = (passed: number, failed: number, unusable: number, threshold: number) =>
  caseRate({ passed, failed, unusable, threshold }).status

describe('caseRate', () => {
  test('gives rate, interval and flakiness over usable trials', () => {
    expect(caseRate({ passed: 7, failed: 3, unusable: 5, threshold: 1 })).toEqual({
      pass_rate: 0.7,
      interval: [expect.closeTo(0.3967781474611453, 12), expect.closeTo(0.8922087325936989, 12)],
      flaky: true,
      status: 'failed',
    })
  })

  test('knows nothing about a case without a usable trial', () => {
    const unknown = { pass_rate: null, interval: null, flaky: false, status: 'undecided' }
    expect(caseRate({ passed: 0, failed: 0, unusable: 3, threshold: 0.5 })).toEqual(unknown)
    expect(caseRate({ passed: 0, failed: 0, unusable: 3, threshold: 0 })).toEqual(unknown)
    expect(caseRate({ passed: 0, failed: 0, unusable: 0, threshold: 1 })).toEqual(unknown)
  })

  test('is flaky only when some but not all usable trials passed', () => {
    const flaky = (passed: number, failed: number, unusable: number) =>
      caseRate({ passed, failed, unusable, threshold: 1 }).flaky
    expect([flaky(1, 1, 0), flaky(2, 0, 1), flaky(0, 2, 1)]).toEqual([true, false, false])
  })

  test.each([
    [3, 0, 0, 1, 'passed'],
    [2, 1, 0, 1, 'failed'],
    [2, 0, 1, 1, 'undecided'],
    [2, 1, 1, 1, 'failed'],
    [2, 1, 1, 0.5, 'passed'],
    [1, 1, 2, 0.5, 'undecided'],
    [1, 2, 1, 0.75, 'failed'],
    [0, 3, 0, 0, 'passed'],
  ] as const)('%d passed, %d failed, %d unusable at %d: %s', (passed, failed, unusable, threshold, expected) => {
    expect(status(passed, failed, unusable, threshold)).toBe(expected)
  })

  test('is not misled by the last digit of a threshold', () => {
    expect(status(3, 7, 0, 0.1 * 3)).toBe('passed')
    expect(status(7, 3, 0, 0.1 * 7)).toBe('passed')
  })

  test('is decided exactly when no outcome of the unusable trials could change it', () => {
    const count = fc.nat(12)
    fc.assert(
      fc.property(count, count, count, fc.nat(100), (passed, failed, unusable, percent) => {
        fc.pre(passed + failed > 0)
        const verdicts = new Set<string>()
        for (let more = 0; more <= unusable; more++) {
          // Whole numbers: passed / n >= percent / 100 without a division.
          verdicts.add((passed + more) * 100 >= percent * (passed + failed + unusable) ? 'passed' : 'failed')
        }
        const [only] = verdicts
        expect(status(passed, failed, unusable, percent / 100)).toBe(verdicts.size === 1 ? only : 'undecided')
      }),
    )
  })
})
