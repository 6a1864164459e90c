import type { ActionResult, Plan, Usage } from '../schema/run.ts'

export type { Plan, SubagentResult, Usage } from '../schema/run.ts'

export type ActionStatus = ActionResult['status']

/** One action with its observation: what the model asked for and what came of it. */
export type ActionRecord = Readonly<ActionResult> & {
  /** select_skills only: which of the named skills were loaded by it, and which were not. */
  readonly skills?: { readonly loaded: readonly string[]; readonly failed: readonly string[] }
}

export type AgentState = 'init' | 'index_skills' | 'decide' | 'load_skill_body' | 'act' | 'observe' | 'final'
export type StopReason = 'end' | 'tool_use' | 'max_tokens' | 'refusal' | 'content_filter' | 'context_overflow' | 'error'
export type Verdict = 'allow' | 'ask' | 'deny'

/**
 * One thing that happened, in order. Checks, reports, cassettes and the audit trail read nothing else. `parent`: it
 * happened in a sub-agent, named by the skills that ran on their own, the outer one first: `researcher/reader`.
 */
export type TrajectoryEvent = OwnEvent & { readonly parent?: string }

type OwnEvent =
  | { readonly type: 'state'; readonly turn: number; readonly state: AgentState }
  | { readonly type: 'input'; readonly turn: number; readonly text: string }
  | {
      readonly type: 'model'
      readonly turn: number
      readonly text: string
      readonly calls: readonly string[]
      readonly stop: StopReason
      readonly usage: Usage
      readonly latency_ms: number
      readonly model: string
      /** USD; null where the price is not known. */
      readonly cost_usd: number | null
    }
  | { readonly type: 'repair'; readonly turn: number; readonly message: string }
  | {
      readonly type: 'decision'
      readonly turn: number
      readonly action: string
      readonly target: string
      readonly skill?: string
      readonly verdict: Verdict
      readonly rule: string
    }
  | {
      /** A question to a person, and the answer; `nobody` was there where `answer` says so. */
      readonly type: 'approval'
      readonly turn: number
      readonly action: string
      readonly target: string
      readonly skill?: string
      readonly rule: string
      readonly answer: 'once' | 'run' | 'no' | 'nobody'
      readonly by?: string
      readonly reason?: string
    }
  | {
      readonly type: 'selected'
      readonly turn: number
      readonly skill: string
      readonly source: string
      readonly by: 'model' | 'user'
    }
  | {
      /** Bytes of a skill that were read beyond its frontmatter. */
      readonly type: 'disclosed'
      readonly turn: number
      readonly skill: string
      readonly level: 'body' | 'resource'
      readonly path: string
      readonly bytes: number
    }
  | { readonly type: 'action'; readonly record: ActionRecord }
  | { readonly type: 'plan'; readonly turn: number; readonly plan: Plan }
  | {
      /** The skills changed while the session went on, or were turned off or on, and the model was told so. */
      readonly type: 'index'
      readonly turn: number
      readonly news: string
      /** Those that are other on disk than they were. */
      readonly changed?: readonly string[]
    }
  | { readonly type: 'subagent'; readonly turn: number; readonly skill: string; readonly task: string }
  | {
      /** Rounds of the conversation that the model is not shown any more; `note` is what it is told instead. */
      readonly type: 'compacted'
      readonly turn: number
      readonly rounds: number
      /** Estimated, of the next request. */
      readonly tokens: { readonly before: number; readonly after: number }
      readonly note: string
    }
  | { readonly type: 'answer'; readonly turn: number; readonly text: string; readonly json?: unknown }

export type Trajectory = readonly TrajectoryEvent[]

/** What the agent itself did; what its sub-agents did stands in `actions` of the action that started them. */
export const actionsOf = (trajectory: Trajectory): ActionRecord[] =>
  trajectory.flatMap((event) => (event.type === 'action' && event.parent === undefined ? [event.record] : []))

/** Each action, and behind it those that are nested in it. */
export const withNested = (actions: readonly ActionResult[]): ActionResult[] =>
  actions.flatMap((action) => [action, ...withNested(action.actions ?? [])])

/**
 * Names of the skills that the model selected, each once, in order. A skill the user invoked does not count, nor one
 * that a sub-agent selected.
 */
export const selectedSkills = (trajectory: Trajectory): string[] => [
  ...new Set(
    trajectory.flatMap((event) =>
      event.type === 'selected' && event.by === 'model' && event.parent === undefined ? [event.skill] : [],
    ),
  ),
]
