import type { ActionType } from '../core/actions.ts'
import type {
  Approver,
  Authorizer,
  Clock,
  ModelAdapter,
  ProvidedTool,
  SkillSource,
  Tool,
  Workspace,
} from '../core/ports.ts'
import type { TrajectoryEvent } from '../core/trajectory.ts'
import type { Limits } from './budget.ts'
import type { RunState } from './run-state.ts'

export type AgentTask = {
  /** A conversation: each entry is sent once the one before it was answered. */
  readonly inputs: readonly string[]
  /** End as soon as the first decision is known: a selection, an answer, or any action but search and planning. */
  readonly firstDecisionOnly: boolean
}

export type ContextLimit = {
  readonly tokens: number
  /** Folders of this machine: they are not counted, so that the same conversation is cut at the same place on every one. */
  readonly places: readonly string[]
}

/** The ports and limits that one agent run is given. */
export type AgentDeps = {
  readonly model: ModelAdapter
  readonly skills: SkillSource
  /** The skill index as the system prompt shows it; empty where there are no skills. */
  readonly renderedIndex: string
  /** What the project's AGENTS.md say, as the system prompt shows it. */
  readonly projectNotes?: string
  readonly tools: ReadonlyMap<ActionType, Tool>
  readonly provided: readonly ProvidedTool[]
  /** Whether provided tools that skills name are offered only once such a skill has been loaded. */
  readonly offersPerSkill?: boolean
  readonly authorizer: Authorizer
  /** Undefined: nobody can be asked. */
  readonly approver?: Approver
  readonly workspace: Workspace
  readonly clock: Clock
  readonly hardLimits: Limits
  readonly softLimits: Limits
  readonly forbiddenTools: readonly string[]
  readonly maxRepairs: number
  readonly maxBodiesPerTurn: number
  /** From how many tokens (estimated) a request is shortened, and folders of this machine that are not counted. */
  readonly context?: Partial<ContextLimit>
  /** How deep skills may run on their own (default 2), and which share of what is left one gets (default a half). */
  readonly subagents?: { readonly depth?: number; readonly share?: number }
  /** Filled as things happen, for who wants the record also of a run that is broken off. */
  readonly trajectory?: TrajectoryEvent[]
  /** A conversation to go on with; its own trajectory is filled then. The limits hold for what is said now. */
  readonly state?: RunState
  readonly signal: AbortSignal
}
