import type { Limits } from '../agent/budget.ts'
import type { ActionType } from '../core/actions.ts'
import type { EvalCase, PlannedCase, PlannedSuite } from '../core/plan.ts'
import type {
  Authorizer,
  Clock,
  ModelAdapter,
  NamedServers,
  RunListener,
  SkillSource,
  Store,
  Tool,
  Workspace,
} from '../core/ports.ts'
import type { TrialRow } from '../core/results.ts'
import type { Skill } from '../core/skill.ts'
import type { GradingPorts } from '../grading/ports.ts'

/** The skills of one suite, as every trial of it sees them. */
export type SuiteSkills = {
  readonly source: SkillSource
  readonly renderedIndex: string
  /** The same within another budget of tokens, or of some of the skills. */
  indexWithin?(tokens?: number, of?: readonly Skill[]): string
  /** What was cut of it to fit, in words. */
  readonly indexCut?: string
  /** Names of the suite's skills that the model may trigger; the same array for every trial of the suite. */
  readonly universe: readonly string[]
  /** Names of the skills that were put among them and are no part of the suite. */
  readonly distractors?: ReadonlySet<string>
}

/** What a trial leaves to the world: opened by the composition root for each trial. */
export type TrialWorld = {
  readonly workspace: Workspace
  /** Absolute folders that are others in the next run, by their names: `workspace`, `temporary`. */
  readonly places: Readonly<Record<string, string>>
  /** Tools that need the world or the workspace; `call_tool` is added by the runner. */
  readonly tools: ReadonlyMap<ActionType, Tool>
  /**
   * The servers that the case names; what was started ends with the world. To open them rejects with a ToolServerError
   * where one gives no tools.
   */
  readonly servers?: NamedServers
  /** What checks may ask of the world; `trial` makes what a grader program is told of the trial. */
  grading(trial: () => Readonly<Record<string, unknown>>): GradingPorts
  dispose(): Promise<void>
}

export type RunDeps = {
  /** The model of one attempt at a trial, whose world is open. */
  openModel(
    planned: PlannedCase,
    trial: number,
    attempt: { readonly n: number; readonly world: TrialWorld },
  ): ModelAdapter
  /** The judge of one attempt at a trial that has rubrics, where it does not come with a recorded model. */
  openJudge?(planned: PlannedCase): ModelAdapter
  /** Whether a trial that ended so is tried once more, from the start. */
  mayRetry(planned: PlannedCase, row: TrialRow, attempt: number): boolean
  /** How long to wait before an attempt that follows a failed one, counted from 1; default: not at all. */
  backOffMs?(failures: number): number
  /** A digest of all that a trial of this case is made from, kept with its result: see `kept`. */
  inputsOf?(planned: PlannedCase): string
  /** The result of a trial that an earlier session of this run finished with the same inputs, already in the store. */
  kept?(planned: PlannedCase, n: number): TrialRow | undefined
  /** The last trial of the case has ended, and its result is about to be stored. May not throw. */
  caseEnded?(planned: PlannedCase): void
  /** Takes secrets out of what came of a trial, before anything keeps or shows it. */
  redact<T>(value: T): T
  openWorld(planned: PlannedCase, trial: number): TrialWorld
  skillsOf(suite: PlannedSuite): SuiteSkills
  authorizerOf(evalCase: EvalCase): Authorizer
  readonly limits: Limits
  readonly maxRepairs: number
  readonly maxBodiesPerTurn: number
  /** From how many tokens a request is shortened. */
  readonly contextTokens?: number
  readonly subagents?: { readonly depth?: number; readonly share?: number }
  /** Whether provided tools come with the skills that name them, where a case does not say. */
  readonly offersPerSkill?: boolean
  readonly clock: Clock
  readonly store: Store
  readonly listener: RunListener
  readonly concurrency: number
  /** Stop after so many cases that failed or could not be judged. */
  readonly bail: number | undefined
  readonly seed: number
  readonly signal: AbortSignal
}
