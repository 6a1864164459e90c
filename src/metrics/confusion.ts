import type { TriggerSummary } from '../core/results.ts'

/** How often `selected` was loaded where `expected` should have been; equal names are hits, `(none)` stands for no skill. */
export type ConfusionCell = TriggerSummary['confusion'][number]

export type ConfusionFold = {
  /** The labelled skills that were expected and those that were selected in one trial. */
  readonly add: (expected: ReadonlySet<string>, selected: ReadonlySet<string>) => void
  /** Sorted by expected, then selected, in code unit order. */
  readonly result: () => ConfusionCell[]
}

/**
 * Folds trials into the confusion table: a skill that is both expected and selected pairs with itself; each other
 * expected skill pairs with each other selected one, or with `(none)`; each other selected skill with no expected
 * one left pairs with `(none)` as expected.
 */
export const confusionTable = (): ConfusionFold => {
  const { count, result } = counter()
  return {
    add: (expected, selected) => {
      const missed: string[] = []
      for (const skill of expected) {
        if (selected.has(skill)) count(skill, skill)
        else missed.push(skill)
      }
      const wrong = [...selected].filter((skill) => !expected.has(skill))
      if (missed.length === 0 && wrong.length === 0) return
      for (const from of orNone(missed)) for (const to of orNone(wrong)) count(from, to)
    },
    result,
  }
}

/** Cells of several tables as one table. */
export const confusionSum = (all: readonly ConfusionCell[]): ConfusionCell[] => {
  const { count, result } = counter()
  for (const cell of all) count(cell.expected, cell.selected, cell.count)
  return result()
}

const counter = () => {
  const rows = new Map<string, Map<string, number>>()
  return {
    count: (expected: string, selected: string, times = 1): void => {
      const row = rows.get(expected) ?? new Map<string, number>()
      rows.set(expected, row)
      row.set(selected, (row.get(selected) ?? 0) + times)
    },
    result: (): ConfusionCell[] => [...rows].flatMap(([expected, row]) => cells(expected, row)).sort(byNames),
  }
}

const NONE: readonly string[] = ['(none)']

const orNone = (skills: readonly string[]): readonly string[] => (skills.length === 0 ? NONE : skills)

const cells = (expected: string, row: ReadonlyMap<string, number>): ConfusionCell[] =>
  [...row].map(([selected, count]) => ({ expected, selected, count }))

const byNames = (a: ConfusionCell, b: ConfusionCell): number =>
  compare(a.expected, b.expected) || compare(a.selected, b.selected)

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
