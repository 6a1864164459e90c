import type { TriggerSummary } from '../core/results.ts'
import { type ConfusionCell, confusionTable } from './confusion.ts'
import { type TriggerCounts, type TriggerRates, triggerRates } from './trigger-rates.ts'

/** One usable trial of a case that labels skills. Names that are given twice count once. */
export type TriggerObservation = {
  /** Skills that should be selected; always labelled. */
  readonly expected: readonly string[]
  readonly selected: readonly string[]
  /** The skills that the case says something about; `all`: every skill of `universe`. */
  readonly labelled: readonly string[] | 'all'
  /** The suite's names in the index that the model saw. One array per index, shared by its observations: it is the key. */
  readonly universe: readonly string[]
  /** Names in that index that are no part of the suite: none is ever labelled. */
  readonly distractors?: ReadonlySet<string> | undefined
}

export type TriggerFold = {
  readonly add: (observation: TriggerObservation) => void
  /** Top level: the micro average, over the counts of all skills; `macro`: the mean over skills that have the metric. */
  readonly result: () => TriggerSummary
}

/**
 * Folds trials into trigger metrics: each is one observation (TP, FP, FN or TN) of every labelled skill; what is
 * not labelled is not counted. The work of `add` grows with the skills that were named, not with the index: true
 * negatives of a fully labelled index are its observations less those in which the skill was expected or selected.
 * A distractor has no counts of its own. Where the whole index is labelled, selecting one is a false positive of the
 * total; leaving it alone is never a true negative, for that would make the numbers better the more of them there are.
 */
export const triggerMetrics = (): TriggerFold => {
  const tallies = new Map<string, Tally>()
  const universes = new Map<readonly string[], Universe>()
  const confusion = confusionTable()
  let distracted: number | undefined
  return {
    add: (observation) => {
      const expected = new Set(observation.expected)
      const selected = new Set(observation.selected)
      const wrong = distractorsIn(observation)
      if (observation.distractors !== undefined) {
        distracted = (distracted ?? 0) + (observation.labelled === 'all' ? wrong.length : 0)
      }
      if (observation.labelled === 'all') {
        const universe = universeOf(universes, observation.universe)
        universe.observations++
        keepOnly(selected, (skill) => expected.has(skill) || universe.skills.has(skill))
        for (const skill of union(expected, selected)) {
          const tally = tallyOf(tallies, skill)
          tally[outcome(expected.has(skill), selected.has(skill))]++
          if (universe.skills.has(skill)) tally.tn--
        }
      } else {
        const labelled = union(expected, observation.labelled)
        keepOnly(selected, (skill) => labelled.has(skill))
        for (const skill of labelled) tallyOf(tallies, skill)[outcome(expected.has(skill), selected.has(skill))]++
      }
      confusion.add(expected, union(selected, toldBeside(observation, selected, wrong)))
    },
    result: () => triggerSummary(withUniverses(tallies, universes), confusion.result(), distracted),
  }
}

export type Tally = { tp: number; fp: number; fn: number; tn: number }
type Universe = { readonly skills: ReadonlySet<string>; observations: number }

const universeOf = (universes: Map<readonly string[], Universe>, names: readonly string[]): Universe => {
  const known = universes.get(names)
  if (known !== undefined) return known
  const made = { skills: new Set(names), observations: 0 }
  universes.set(names, made)
  return made
}

const tallyOf = (tallies: Map<string, Tally>, skill: string): Tally => {
  const known = tallies.get(skill)
  if (known !== undefined) return known
  const made = { tp: 0, fp: 0, fn: 0, tn: 0 }
  tallies.set(skill, made)
  return made
}

const distractorsIn = ({ expected, selected, distractors }: TriggerObservation): readonly string[] =>
  distractors === undefined
    ? []
    : [...new Set(selected)].filter((skill) => distractors.has(skill) && !expected.includes(skill))

/** What was selected and has no counts: a distractor, or, where an expected skill was missed, what came instead of it. */
const toldBeside = (
  { expected, selected, labelled }: TriggerObservation,
  kept: ReadonlySet<string>,
  wrong: readonly string[],
): readonly string[] => {
  if (labelled === 'all') return wrong
  return expected.every((skill) => kept.has(skill)) ? [] : selected
}

const outcome = (isExpected: boolean, isSelected: boolean): keyof Tally => {
  if (isExpected) return isSelected ? 'tp' : 'fn'
  return isSelected ? 'fp' : 'tn'
}

const union = (a: Iterable<string>, b: Iterable<string>): Set<string> => new Set([...a, ...b])

const keepOnly = (skills: Set<string>, isKept: (skill: string) => boolean): void => {
  for (const skill of skills) if (!isKept(skill)) skills.delete(skill)
}

// Until here `tn` lacks the observations of each index: adding them once at the end is what makes `add` cheap.
const withUniverses = (
  tallies: ReadonlyMap<string, Tally>,
  universes: ReadonlyMap<readonly string[], Universe>,
): ReadonlyMap<string, Tally> => {
  const full = new Map([...tallies].map(([skill, tally]) => [skill, { ...tally }]))
  for (const { skills, observations } of universes.values()) {
    for (const skill of skills) tallyOf(full, skill).tn += observations
  }
  return full
}

/** Counts by skill as rates: micro at the top, macro beside it. `distracted`: how often distractors were selected wrongly. */
export const triggerSummary = (
  tallies: ReadonlyMap<string, Tally>,
  confusion: ConfusionCell[],
  distracted: number | undefined,
): TriggerSummary => {
  const total: Tally = { tp: 0, fp: distracted ?? 0, fn: 0, tn: 0 }
  const skills: [string, TriggerCounts & TriggerRates][] = []
  for (const [name, tally] of [...tallies].sort(([a], [b]) => (a < b ? -1 : 1))) {
    for (const key of COUNTS) total[key] += tally[key]
    skills.push([name, { ...tally, ...triggerRates(tally) }])
  }
  const rates = skills.map(([, skill]) => skill)
  return {
    ...triggerRates(total),
    ...total,
    ...(distracted === undefined ? {} : { distractors: distracted }),
    macro: {
      precision: mean(rates.map((skill) => skill.precision)),
      recall: mean(rates.map((skill) => skill.recall)),
      f1: mean(rates.map((skill) => skill.f1)),
      specificity: mean(rates.map((skill) => skill.specificity)),
    },
    // fromEntries defines own properties, so a skill named __proto__ is a key like any other.
    skills: Object.fromEntries(skills),
    confusion,
  }
}

const COUNTS = ['tp', 'fp', 'fn', 'tn'] as const

const mean = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length
}
