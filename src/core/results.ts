import type { CaseFacts } from '../schema/case-facts.ts'
import type { RunResult, Summary, TrialResult } from '../schema/run.ts'

export type { CaseBaseline } from '../schema/baseline.ts'
export type { CheckHistory, CheckRecord } from '../schema/check-history.ts'
export type {
  Baseline,
  CaseResult,
  CheckResult,
  ErrorCode,
  Interference,
  RecordingUse,
  RunResult,
  StaleDifference,
  Status,
  Summary,
  ThresholdResult,
  TrialResult,
  TriggerSummary,
} from '../schema/run.ts'
export type { AuditGroup, SuiteAudit } from '../schema/suite-audit.ts'

/** A line of results.jsonl: one finished trial and where it belongs. */
export type TrialRow = {
  readonly suite: string
  readonly case: string
  readonly model: string
  /** A digest of all that the trial was made from: only a row with the same one may stand for it in a resumed run. */
  readonly inputs?: string
  /** Of a case that is expected to fail. */
  readonly xfail?: true | undefined
  /** The id of its case as the suite has it, where a row has filled it in. */
  readonly rows_of?: string | undefined
  /** On the first trial of a case: what its verdict needs, should the run be cut short. */
  readonly planned?: CaseFacts
} & TrialResult

/** The summary of a suite on one model; `duration_ms` is the time of all of its trials together. */
export type ModelSummary = { readonly model: string; readonly summary: Summary; readonly duration_ms: number }

export type SuiteHead = {
  readonly name: string
  /** Relative to the project, forward slashes. */
  readonly path: string
  readonly description?: string
  /** Names of the unrelated skills in its index. */
  readonly distractors?: string[]
  readonly summary: Summary
  /** In a shard, of several models: the trigger metrics on each. */
  readonly model_triggers?: Record<string, Summary['trigger']>
  /** One for each model of the suite, in the order in which their cases come. */
  readonly models: readonly ModelSummary[]
}

/** run.json without its cases. */
export type RunHead = Omit<RunResult, 'suites'> & { readonly suites: readonly SuiteHead[] }
