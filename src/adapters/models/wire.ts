import type { RawCall } from '../../core/actions.ts'
import type { ModelErrorCode, ModelRequest } from '../../core/model.ts'
import type { StopReason, Usage } from '../../core/trajectory.ts'

/** What a provider's answer says, whatever its format. `problem`: it can't be used, and why. */
export type WireAnswer = {
  readonly text: string
  readonly calls: readonly RawCall[]
  readonly stop: StopReason
  readonly usage: Usage
  /** The part of the input that was written to the cache, which some bill at a price of its own. */
  readonly cacheWriteTokens: number
  readonly model: string
  readonly native?: unknown
  readonly problem?: { readonly code: ModelErrorCode; readonly message: string }
}

/** One provider's format: requests into its JSON, its JSON into answers. Pure; `read` takes any value and never throws. */
export interface Wire {
  /** Below the base URL. */
  readonly path: string
  headers(key: string): Readonly<Record<string, string>>
  body(request: ModelRequest): Readonly<Record<string, unknown>>
  read(json: unknown, request: ModelRequest): WireAnswer
}

export const unknownUsage: Usage = {
  input_tokens: null,
  output_tokens: null,
  cached_input_tokens: null,
  reasoning_tokens: null,
}

/** Providers count a part in a whole; ours are counts that add up. A part that is not told stays in the whole. */
export const withoutPart = (whole: number | null, part: number | null): number | null =>
  whole === null ? null : Math.max(0, whole - (part ?? 0))

/** An answer of which nothing can be used. */
export const unusable = (message: string, known: Partial<WireAnswer> = {}): WireAnswer => ({
  text: '',
  usage: unknownUsage,
  cacheWriteTokens: 0,
  model: '',
  ...known,
  calls: [],
  stop: 'error',
  problem: { code: 'model_error', message },
})

/** No key, no header: servers of one's own network often want none. */
export const bearer = (key: string): Readonly<Record<string, string>> =>
  key === '' ? {} : { authorization: `Bearer ${key}` }

type Json = Readonly<Record<string, unknown>>

export const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value as a map; what is none has no keys. */
export const recordOf = (value: unknown): Json => (isRecord(value) ? value : {})

/** The maps of a list; whatever else is in it is left out. */
export const recordsOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isRecord) : [])

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** A count of tokens; null where it is none. */
export const countOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null

/** Half a surrogate pair is no text: some servers refuse the whole request for it. */
export const toWireJson = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'string' && !inner.isWellFormed() ? inner.replace(/\p{Surrogate}/gu, '') : inner,
  )
