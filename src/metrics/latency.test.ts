import fc from 'fast-check'
import { expect, test } from 'vitest'
import { quantiles } from './latency.ts'

const fold = (durations: readonly number[]) => {
  const latency = quantiles()
  for (const ms of durations) latency.add(ms)
  return latency.result()
}

test('gives mean, median, 95th percentile and maximum', () => {
  expect(fold([40, 10, 30, 20])).toEqual({ mean: 25, p50: 25, p95: 38.5, max: 40 })
  expect(fold([7])).toEqual({ mean: 7, p50: 7, p95: 7, max: 7 })
})

test('is null throughout without durations', () => {
  expect(fold([])).toEqual({ mean: null, p50: null, p95: null, max: null })
})

test('leaves out what is no duration', () => {
  expect(fold([NaN, 5, Infinity])).toEqual(fold([5]))
})

test('goes on after a result was read', () => {
  const latency = quantiles()
  latency.add(3)
  latency.result()
  latency.add(1)
  expect(latency.result()).toEqual({ mean: 2, p50: 2, p95: 2.9, max: 3 })
})

test('does not depend on the order in which trials end', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1e7, noNaN: true }), { maxLength: 200 }), (durations) => {
      expect(fold([...durations].reverse())).toEqual(fold(durations))
    }),
  )
})
