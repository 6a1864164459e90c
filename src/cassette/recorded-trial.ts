import type { ModelAdapter } from '../core/ports.ts'
import type { RecordMode } from '../core/record-mode.ts'
import type { Usage } from '../core/trajectory.ts'
import type { NormalizeRule } from './canonical.ts'
import type { CassetteName } from './cassette-file.ts'
import type { RecordedJudge } from './judge-tape.ts'
import type { Place } from './placeholders.ts'
import type { StalePolicy } from './stale-policy.ts'

/** One attempt at a trial, and what is done with its recording. */
export type RecordedTrial = CassetteName & {
  /** From 1. */
  readonly n: number
  readonly attempt: number
  /** `off`: of this trial its judge alone is recorded. */
  readonly mode: RecordMode
  readonly protocol: 'native' | 'text'
  readonly params: Readonly<Record<string, string>>
  readonly places: readonly Place[]
  readonly normalize: readonly NormalizeRule[]
  readonly policy: StalePolicy
  /** The command that records it, for a mode. */
  again(mode: RecordMode): string
  priceOf(usage: Usage, model: string): number | null
  /** The model itself: opened only where it is asked. */
  live(): ModelAdapter
  /** What runs where nothing is recorded; undefined: that is an error. */
  readonly fallback?: () => ModelAdapter
  /** Where the trial is judged. */
  readonly judge?: RecordedJudge
}
