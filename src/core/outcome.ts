import type { ErrorCode } from '../schema/run.ts'
import type { Plan, Trajectory, Usage } from './trajectory.ts'

/** How an agent's work ended. A `limit` is a case's own hard constraint; an `error` could not be judged. */
export type AgentStop =
  | { readonly kind: 'answered' }
  | { readonly kind: 'decided' }
  | { readonly kind: 'limit'; readonly limit: string; readonly message: string }
  | { readonly kind: 'error'; readonly code: ErrorCode; readonly message: string }
  /** The answers of a recording are to another request than this. */
  | { readonly kind: 'stale'; readonly message: string }

export type Answer = { readonly text: string; readonly json?: unknown }

/** All that came of one agent run. `answer` is the last one given; null where there was none. */
export type AgentOutcome = {
  readonly stop: AgentStop
  readonly trajectory: Trajectory
  readonly answer: Answer | null
  readonly plan: Plan | null
  readonly usage: Usage
  readonly costUsd: number | null
  /** Time spent waiting for the model. */
  readonly latencyMs: number
}
