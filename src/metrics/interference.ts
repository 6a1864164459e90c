import type { Interference, TriggerSummary } from '../core/results.ts'
import { sharedWords } from '../lib/words.ts'

/**
 * The pairs of skills that were taken for each other, the most often first, with the words that their descriptions
 * share: what a model may have gone by. `descriptions` are those of all skills that models saw, by name.
 */
export const interference = (
  confusion: TriggerSummary['confusion'],
  descriptions: ReadonlyMap<string, string>,
): Interference[] => {
  const pairs = new Map<string, { skills: [string, string]; times: [number, number] }>()
  for (const { expected, selected, count } of confusion) {
    if (expected === selected || expected === NONE || selected === NONE) continue
    const isInOrder = expected < selected
    const skills: [string, string] = isInOrder ? [expected, selected] : [selected, expected]
    const key = JSON.stringify(skills)
    const pair = pairs.get(key) ?? { skills, times: [0, 0] }
    pairs.set(key, pair)
    pair.times[isInOrder ? 0 : 1] += count
  }
  return [...pairs.values()]
    .sort((a, b) => b.times[0] + b.times[1] - a.times[0] - a.times[1])
    .map(({ skills, times }) => ({
      skills,
      times,
      shared_words: sharedWords(...bothOf(skills, descriptions)),
    }))
}

const NONE = '(none)'

const bothOf = ([a, b]: [string, string], descriptions: ReadonlyMap<string, string>): [string, string] => [
  descriptions.get(a) ?? '',
  descriptions.get(b) ?? '',
]
