import type { ErrorCode, TrialRow } from '../core/results.ts'

/** What may go better another time. What the agent did wrong, or what was refused, is a result. */
const passing: ReadonlySet<ErrorCode> = new Set([
  'model_error',
  'provider_timeout',
  'rate_limited',
  'judge_error',
  'internal',
])

/**
 * Whether a trial that ended so is tried again. Only where a live model was asked (`wasAsked`): a script or a recording says
 * the same each time, and a trial that failed is never asked again until it passes. `attempts` are those that could ask it.
 */
export const isToRetry = (
  { status, error }: Pick<TrialRow, 'status' | 'error'>,
  { attempts, retries, wasAsked }: { readonly attempts: number; readonly retries: number; readonly wasAsked: boolean },
): boolean => status === 'error' && error !== undefined && passing.has(error.code) && wasAsked && attempts <= retries

const firstWaitMs = 1000
const longestWaitMs = 30_000

/** The provider's own retries have already waited for what passes in seconds: 1 s, 2 s, 4 s … up to half a minute. */
export const backOffMs = (failures: number): number => Math.min(longestWaitMs, firstWaitMs * 2 ** (failures - 1))
