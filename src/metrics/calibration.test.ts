import { expect, test } from 'vitest'
import { calibration, type JudgedLabel } from './calibration.ts'
import { wilson } from './wilson.ts'

const labels = (...groups: readonly [number, JudgedLabel['label'], JudgedLabel['verdict']][]): JudgedLabel[] =>
  groups.flatMap(([count, label, verdict]) => Array.from({ length: count }, () => ({ label, verdict })))

test('a false pass is of what people failed, a false fail of what they passed', () => {
  const found = calibration(
    labels([20, 'pass', 'pass'], [5, 'pass', 'fail'], [10, 'fail', 'pass'], [15, 'fail', 'fail']),
  )
  expect(found.n).toBe(50)
  expect(found.agreement).toMatchObject({ rate: 0.7, count: 35, of: 50 })
  expect(found.agreement.interval).toEqual(wilson(35, 50))
  expect(found.kappa).toBeCloseTo(0.4, 12)
  expect(found.false_pass).toMatchObject({ rate: 0.4, count: 10, of: 25 })
  expect(found.false_fail).toMatchObject({ rate: 0.2, count: 5, of: 25 })
})

test('what has no denominator is null', () => {
  const nothing = { rate: null, count: 0, of: 0, interval: null }
  expect(calibration([])).toEqual({
    n: 0,
    agreement: nothing,
    kappa: null,
    false_pass: nothing,
    false_fail: nothing,
  })
  expect(calibration(labels([3, 'pass', 'pass']))).toMatchObject({ kappa: null, false_pass: nothing })
})
