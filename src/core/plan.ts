import type { CaseSpec, NormalizeRules, StaleSetting, Thresholds } from '../schema/suite.ts'

/** A case as it will run: defaults merged, one row of `each` filled in, short forms brought to one shape. Plain JSON. */
export type EvalCase = Readonly<Omit<CaseSpec, 'each' | 'input' | 'tags' | 'trials' | 'pass_threshold'>> & {
  readonly input: readonly string[]
  readonly tags: readonly string[]
  readonly trials: number
  readonly pass_threshold: number
  /** Line of the case in its suite file, from 1. */
  readonly line: number
  /** Ends as soon as the model's first decision is known. */
  readonly triggerOnly: boolean
}

export type PlannedSuite = {
  readonly name: string
  /** Relative to the project, forward slashes. */
  readonly path: string
  /** Absolute folder of the suite file: what paths in it are relative to. */
  readonly dir: string
  readonly description?: string
  /** Absolute skill roots; undefined: the configured ones. */
  readonly skills?: readonly string[]
  readonly models: readonly string[]
  /** How many unrelated skills are put into the index. */
  readonly distractors?: number
  readonly thresholds?: Thresholds
  readonly normalize?: NormalizeRules
  readonly stale?: StaleSetting
}

/** One case on one model profile, with the place of its first trial in the flat list of trials. */
export type PlannedCase = {
  readonly suite: PlannedSuite
  readonly evalCase: EvalCase
  readonly model: string
  /** 0 for a skipped case. */
  readonly trials: number
  readonly at: number
}

/**
 * The flat list of trials to do: suites in order, in each its models, in each its cases, in each its trials.
 * `cases()` makes them anew at each call, so that a plan of 100,000 rows need not be held.
 */
export type RunPlan = {
  readonly suites: readonly PlannedSuite[]
  readonly counts: { readonly cases: number; readonly trials: number; readonly skipped: number }
  cases(): Iterable<PlannedCase>
}

/** Why a case is skipped or expected to fail: the reason given, or a plain word where there is only `true`. */
export const reasonOf = (value: boolean | string | undefined): string | undefined =>
  value === undefined || value === false ? undefined : value === true ? 'no reason given' : value
