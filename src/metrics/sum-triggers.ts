import type { TriggerSummary } from '../core/results.ts'
import { type ConfusionCell, confusionSum } from './confusion.ts'
import { type Tally, triggerSummary } from './trigger.ts'

/** The trigger metrics of parts of a run as those of the whole: counts are added up, rates made anew. */
export const sumTriggers = (parts: readonly TriggerSummary[]): TriggerSummary => {
  const tallies = new Map<string, Tally>()
  for (const { skills } of parts) {
    for (const [name, { tp, fp, fn, tn }] of Object.entries(skills)) {
      const tally = tallies.get(name) ?? { tp: 0, fp: 0, fn: 0, tn: 0 }
      tallies.set(name, { tp: tally.tp + tp, fp: tally.fp + fp, fn: tally.fn + fn, tn: tally.tn + tn })
    }
  }
  const distracted = parts.flatMap(({ distractors }) => distractors ?? [])
  return triggerSummary(
    tallies,
    confusionSum(parts.flatMap(({ confusion }): ConfusionCell[] => confusion)),
    distracted.length === 0 ? undefined : distracted.reduce((sum, count) => sum + count, 0),
  )
}
