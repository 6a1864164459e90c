import fc from 'fast-check'
import { expect, test } from 'vitest'
import { holm } from './holm.ts'

test.each([
  [
    [0.01, 0.02, 0.03, 0.04, 0.05],
    [0.05, 0.08, 0.09, 0.09, 0.09],
  ],
  [
    [0.0001, 0.04, 0.03, 0.005, 0.6],
    [0.0005, 0.09, 0.09, 0.02, 0.6],
  ],
  [
    [0.5, 0.6],
    [1, 1],
  ],
  [[], []],
])('of %j are those of p.adjust', (values, expected) => {
  const adjusted = holm(values)
  expect(adjusted).toHaveLength(expected.length)
  for (const [i, value] of expected.entries()) expect(adjusted[i]).toBeCloseTo(value, 12)
})

test('rejects what the step-down procedure rejects', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 }), (values) => {
      const rejected = new Set<number>()
      const ascending = [...values.keys()].sort((a, b) => values[a]! - values[b]!)
      for (const [rank, at] of ascending.entries()) {
        if ((values.length - rank) * values[at]! > 0.05) break
        rejected.add(at)
      }
      expect(holm(values).flatMap((p, at) => (p <= 0.05 ? [at] : []))).toEqual([...rejected].sort((a, b) => a - b))
    }),
  )
})
