import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sumTriggers } from './sum-triggers.ts'
import { type TriggerObservation, triggerMetrics } from './trigger.ts'

const universe = ['a', 'b', 'c', '__proto__']
const names = fc.subarray(universe)
const observation: fc.Arbitrary<TriggerObservation> = fc.record({
  expected: names,
  selected: names,
  labelled: fc.oneof(fc.constant('all' as const), names),
  universe: fc.constant(universe),
})

const metricsOf = (observations: readonly TriggerObservation[]) => {
  const fold = triggerMetrics()
  for (const one of observations) fold.add(one)
  return fold.result()
}

test('the metrics of parts added up are those of the whole, however it was parted', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(observation, fc.nat(3)), { maxLength: 40 }), (told) => {
      const parts = [0, 1, 2, 3].map((part) => metricsOf(told.filter(([, of]) => of === part).map(([one]) => one)))
      expect(sumTriggers(parts)).toEqual(metricsOf(told.map(([one]) => one)))
    }),
  )
})
