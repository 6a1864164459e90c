import type { CaseResult } from '../core/results.ts'

export type WorstFirst<T> = {
  /** `make` is asked only where the result is kept for now. */
  readonly add: (result: CaseResult, make: () => T) => void
  /** At most as many as asked for, the worst first, then in the order in which they came. */
  readonly list: () => readonly T[]
  readonly count: () => number
}

const ranks = { failed: 1, error: 2, stale: 3, skipped: 4, passed: 5 } as const

/** Keeps the worst `limit` of any number of results: golden failures, failures, errors, stale ones. */
export const worstFirst = <T>(limit: number): WorstFirst<T> => {
  const kept: T[][] = []
  let count = 0
  return {
    add: (result, make) => {
      count++
      const rank = result.golden && result.status === 'failed' ? 0 : ranks[result.status]
      const same = kept[rank] ?? []
      kept[rank] = same
      if (same.length < limit) same.push(make())
    },
    list: () => kept.flat().slice(0, limit),
    count: () => count,
  }
}

export const isProblem = ({ status }: CaseResult): boolean =>
  status === 'failed' || status === 'error' || status === 'stale'
