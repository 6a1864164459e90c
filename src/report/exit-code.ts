import { interruptionCode } from '../core/interruptions.ts'
import type { Summary, ThresholdResult } from '../core/results.ts'
import { missedThresholds } from './thresholds.ts'

export type Finished = {
  readonly summary: Pick<Summary, 'failed' | 'errors' | 'stale' | 'thresholds'>
  readonly suites: readonly {
    readonly name: string
    readonly summary: { readonly thresholds: readonly ThresholdResult[] }
  }[]
  /** Cases that ended in error, by the error's code. */
  readonly errorCodes: Readonly<Record<string, number>>
  /** The signal that ended it early: SIGHUP, SIGINT, SIGTERM. */
  readonly interrupted?: string | undefined
  readonly budgetStopped?: boolean | undefined
  /** A gate of a comparison was missed. */
  readonly gateMissed?: boolean | undefined
  /** A comparison was asked for and its evidence is too thin. */
  readonly inconclusive?: boolean | undefined
}

/**
 * How the process ends after a run, the first that applies: 143, 130 or 129 interrupted, 1 a case failed or a threshold or
 * gate was missed, 3 an error, 4 a stale case or missing cassette, 5 out of budget, 6 inconclusive, 0 all is well.
 */
export const exitCode = (run: Finished): number => {
  const { failed, errors, stale } = run.summary
  const missingCassettes = run.errorCodes.missing_cassette ?? 0
  if (run.interrupted !== undefined) return interruptionCode(run.interrupted)
  if (failed > 0 || run.gateMissed || missedThresholds(run).length > 0) return 1
  if (errors > missingCassettes) return 3
  if (stale > 0 || missingCassettes > 0) return 4
  if (run.budgetStopped) return 5
  return run.inconclusive ? 6 : 0
}
