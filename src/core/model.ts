import type { RawCall } from './actions.ts'
import type { StopReason, Usage } from './trajectory.ts'

export type JsonSchema = Readonly<Record<string, unknown>>

/** A tool as a model is shown it. */
export type ToolSpec = { readonly name: string; readonly description: string; readonly parameters: JsonSchema }

/** A skill's body as it stands in a message's text; `given`: what a person said for the placeholders in it. */
export type BodyText = { readonly skill: string; readonly text: string; readonly given?: string }

export type ToolMessage = {
  readonly callId: string
  readonly name: string
  readonly text: string
  readonly isError: boolean
  readonly bodies?: readonly BodyText[]
}

export type Message =
  | {
      readonly role: 'user'
      readonly text: string
      /** What came of actions, for a model without tool results; otherwise it is what was asked. */
      readonly isObservation?: true
      readonly bodies?: readonly BodyText[]
    }
  | {
      readonly role: 'assistant'
      readonly text: string
      readonly calls: readonly RawCall[]
      /** What the provider wants back unchanged (signed reasoning); means nothing to any other. */
      readonly native?: unknown
    }
  | { readonly role: 'tool'; readonly results: readonly ToolMessage[] }

/** What a scripted model may look at to choose its answer; a live model has only the messages. */
export type ModelView = {
  /** The skill that runs on its own and asks; undefined: the agent itself. */
  readonly subagent?: string
  readonly turn: number
  readonly input: string
  readonly observation: string
  readonly skillsLoaded: readonly string[]
  readonly skillsAvailable: readonly string[]
}

/** What a request is made of that stays the same for all turns of a run, part by part. */
export type RequestParts = {
  /** The system prompt without its index and its list of tools. */
  readonly system: string
  /** The index as the system prompt has it; '' where there are no skills. */
  readonly index: string
  readonly descriptions: Readonly<Record<string, string>>
  /** Also those that a model without native calling is told in text. */
  readonly tools: readonly ToolSpec[]
}

/** What a judge is asked, part by part: for who records it, and for a scripted judge. */
export type JudgeParts = {
  /** The instruction, which is the same for every question. */
  readonly prompt: string
  readonly criteria: readonly string[]
  /** What the agent was asked. */
  readonly request: string
  /** What is judged, in a person's words: `the answer`, `the file report.md`. */
  readonly what: string
  readonly material: string
  /** Why it is asked once more. */
  readonly repair?: string
}

export type ModelRequest = {
  /** Which conversation of the trial it belongs to: `researcher`, `researcher/reader`, `researcher#2`. Undefined: the agent's own. */
  readonly conversation?: string
  readonly system: string
  readonly parts: RequestParts
  readonly messages: readonly Message[]
  /** Set where `messages` are not all: how often they were shortened, what the model was told last, and all of them. */
  readonly compacted?: { readonly times: number; readonly note: string; readonly history: readonly Message[] }
  readonly tools: readonly ToolSpec[]
  readonly view: ModelView
  /** Set where a judge is asked. */
  readonly judge?: JudgeParts
}

export type ModelErrorCode =
  | 'model_error'
  | 'provider_timeout'
  | 'rate_limited'
  | 'refused'
  | 'mock_exhausted'
  | 'missing_cassette'
  | 'budget_exceeded'

export type ModelResponse = {
  readonly text: string
  readonly calls: readonly RawCall[]
  readonly stop: StopReason
  readonly usage: Usage
  readonly costUsd: number | null
  readonly latencyMs: number
  /** The model id that answered. */
  readonly model: string
  /** Goes back to the provider with this answer's message. */
  readonly native?: unknown
  readonly error?: { readonly code: ModelErrorCode | 'stale'; readonly message: string }
}

/** No answer, for which nothing was spent: why, and what else is known. */
export const noAnswer = (
  error: NonNullable<ModelResponse['error']>,
  known: Partial<Pick<ModelResponse, 'latencyMs' | 'model'>> = {},
): ModelResponse => ({
  text: '',
  calls: [],
  stop: 'error',
  usage: { input_tokens: 0, output_tokens: 0, cached_input_tokens: 0, reasoning_tokens: 0 },
  costUsd: 0,
  latencyMs: 0,
  model: '',
  ...known,
  error,
})

/** An answer as the conversation remembers it. */
export const assistantMessage = ({ text, calls, native }: ModelResponse): Message => ({
  role: 'assistant',
  text,
  calls,
  ...(native === undefined ? {} : { native }),
})
