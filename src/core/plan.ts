import type { CaseSpec, NormalizeRules, StaleSetting, Thresholds } from '../schema/suite.ts'

/** A case as it will run: defaults merged, one row of `each` filled in, short forms brought to one shape. Plain JSON. */
export type EvalCase = Readonly<Omit<CaseSpec, 'each' | 'input' | 'tags' | 'trials' | 'pass_threshold'>> & {
  readonly input: readonly string[]
  readonly tags: readonly string[]
  /** The most that may run, where the case is adaptive. */
  readonly trials: number
  readonly adaptive?: { readonly min: number }
  readonly pass_threshold: number
  /** Line of the case in its suite file, from 1. */
  readonly line: number
  /** Ends as soon as the model's first decision is known. */
  readonly triggerOnly: boolean
  /** The id as the suite has it, where a row of `each` has filled it in: `row/{{month}}`. */
  readonly rowsOf?: string
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
  /** The profile that judges its rubrics; default: `judge`. */
  readonly judge?: string
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
  /** 0 for a skipped case; of an adaptive one the most that may run. */
  readonly trials: number
  /** The trials end as soon as they decide about the threshold, but not before `min`. */
  readonly adaptive?: { readonly min: number }
  readonly at: number
  /** In a part of a plan: where the case stands in the whole, from 0. */
  readonly place?: number
}

/**
 * The flat list of trials to do: suites in order, in each its models, in each its cases, in each its trials.
 * `cases()` makes them anew at each call, so that a plan of 100,000 rows need not be held.
 */
export type RunPlan = {
  readonly suites: readonly PlannedSuite[]
  /** It is a part of a whole that is judged elsewhere: thresholds of its suites are not looked at. */
  readonly isPart?: boolean
  readonly counts: { readonly cases: number; readonly trials: number; readonly skipped: number }
  cases(): Iterable<PlannedCase>
}

/** Why a case is skipped or expected to fail: the reason given, or a plain word where there is only `true`. */
export const reasonOf = (value: boolean | string | undefined): string | undefined =>
  value === undefined || value === false ? undefined : value === true ? 'no reason given' : value
