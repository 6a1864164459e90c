import type { CheckResult } from '../core/results.ts'

export type CheckOutcome = {
  readonly name: string
  readonly kind: string
  /** Where the check stands in `expected`: `output[0]`. */
  readonly place?: string | undefined
  readonly passed: boolean
  /** 0–1; without it 1 for what passed and 0 for what did not. */
  readonly score?: number | undefined
  readonly weight?: number | undefined
  readonly message?: string | undefined
  readonly expected?: unknown
  readonly actual?: unknown
}

/** A check result with its defaults filled in and nothing that is undefined. */
export const checkResult = (outcome: CheckOutcome): CheckResult => {
  const { name, kind, place, passed, score = passed ? 1 : 0, weight = 1, message, expected, actual } = outcome
  return {
    name,
    kind,
    ...(place === undefined ? {} : { place }),
    passed,
    score,
    weight,
    ...(message === undefined ? {} : { message }),
    ...(expected === undefined ? {} : { expected }),
    ...(actual === undefined ? {} : { actual }),
  }
}
