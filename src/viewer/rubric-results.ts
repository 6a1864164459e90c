import type { CheckResult } from '../schema/run.ts'

export type ShownVerdict = {
  readonly passed: boolean
  readonly reason: string
  readonly quote: string
  /** A pass whose quote is not in the material: it counts as a fail. */
  readonly isUnsupported: boolean
}

export type ShownCriterion = {
  readonly criterion: string
  readonly met: boolean
  readonly passes: number
  readonly judges: number
  readonly verdicts: readonly ShownVerdict[]
}

/** What the judges made of each criterion, as a rubric tells in `actual`; empty where nobody was asked, or for another check. */
export const rubricResults = ({ kind, actual }: Pick<CheckResult, 'kind' | 'actual'>): readonly ShownCriterion[] =>
  kind === 'rubric' ? entriesOf(actual).flatMap(criterionOf) : []

const criterionOf = (entry: Entry): readonly ShownCriterion[] => {
  const { criterion, met, passes, judges, verdicts } = entry
  if (typeof criterion !== 'string' || typeof met !== 'boolean') return []
  const shown = entriesOf(verdicts).map(
    ({ verdict, reason, quote, supported }): ShownVerdict => ({
      passed: verdict === 'pass',
      reason: textOf(reason),
      quote: textOf(quote),
      isUnsupported: verdict === 'pass' && supported !== true,
    }),
  )
  return [{ criterion, met, passes: countOf(passes), judges: countOf(judges), verdicts: shown }]
}

type Entry = Readonly<Record<string, unknown>>

const entriesOf = (value: unknown): readonly Entry[] =>
  Array.isArray(value) ? value.filter((one): one is Entry => typeof one === 'object' && one !== null) : []

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const countOf = (value: unknown): number => (typeof value === 'number' ? value : 0)
