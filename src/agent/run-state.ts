import type { Message } from '../core/model.ts'
import type { Answer } from '../core/outcome.ts'
import type { Skill } from '../core/skill.ts'
import type { AgentState, Plan, TrajectoryEvent, Usage } from '../core/trajectory.ts'

/** What of a conversation the model is shown, where that is not all of it. */
export type Shown = {
  readonly messages: Message[]
  /** How many messages of the whole conversation are in it, or were left out of it. */
  taken: number
  readonly times: number
  readonly note: string
  /** A line for each action that was left out, in order. */
  readonly lines: readonly string[]
  readonly rounds: number
}

/** All that changes while an agent works. The trajectory is the record; the rest is what the next turn needs. */
export type RunState = {
  readonly trajectory: TrajectoryEvent[]
  readonly messages: Message[]
  readonly loaded: Map<string, Skill>
  /** Those of them whose instructions or files have changed since, as the model was told. */
  readonly outdated: Set<string>
  /** What a person has allowed for the whole run. */
  readonly approved: Set<string>
  /** How many were taken so far. */
  turns: number
  /** Skills that run on their own and that the user asked for by name. */
  readonly asked: Set<string>
  /** What the user said in this request behind the names of those. */
  readonly given: Map<string, string>
  /** Loaded skills whose instructions have placeholders for what a user says. */
  readonly takesArguments: Set<string>
  /** How often each skill was started as a sub-agent. */
  readonly started: Map<string, number>
  /** What the model is shown of the messages, where that is not all. */
  shown: Shown | undefined
  input: string
  observation: string
  plan: Plan | null
  answer: Answer | null
  usage: Usage
  latencyMs: number
  /** Answers in a row that could not be read or did not validate. */
  repairs: number
}

export const noUsage: Usage = { input_tokens: 0, output_tokens: 0, cached_input_tokens: 0, reasoning_tokens: 0 }

/** `approved`: of the agent that starts this one, where there is one. */
export const newRunState = (trajectory: TrajectoryEvent[] = [], approved: Set<string> = new Set()): RunState => ({
  trajectory,
  messages: [],
  loaded: new Map(),
  outdated: new Set(),
  approved,
  turns: 0,
  asked: new Set(),
  given: new Map(),
  takesArguments: new Set(),
  started: new Map(),
  shown: undefined,
  input: '',
  observation: '',
  plan: null,
  answer: null,
  usage: noUsage,
  latencyMs: 0,
  repairs: 0,
})

/** Said of a call that has no result. */
export const brokenOff = 'this was broken off: it may be done, in part, or not at all'

/**
 * Makes a conversation ready for what is said next, also one whose last request was broken off: providers want a result
 * for every call.
 */
export const goOn = (state: RunState): void => {
  state.answer = null
  state.repairs = 0
  const last = state.messages.at(-1)
  if (last?.role !== 'assistant' || last.calls.length === 0) return
  state.messages.push({
    role: 'tool',
    results: last.calls.map(({ id, name }) => ({ callId: id, name, text: brokenOff, isError: true })),
  })
}

export const enter = (state: RunState, turn: number, next: AgentState): void => {
  state.trajectory.push({ type: 'state', turn, state: next })
}

/** Sums; a count that is unknown once is unknown in all. */
export const addUsage = (a: Usage, b: Usage): Usage => ({
  input_tokens: plus(a.input_tokens, b.input_tokens),
  output_tokens: plus(a.output_tokens, b.output_tokens),
  cached_input_tokens: plus(a.cached_input_tokens, b.cached_input_tokens),
  reasoning_tokens: plus(a.reasoning_tokens, b.reasoning_tokens),
})

const plus = (a: number | null, b: number | null): number | null => (a === null || b === null ? null : a + b)
