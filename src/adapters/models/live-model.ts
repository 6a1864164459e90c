import type { ModelErrorCode, ModelRequest, ModelResponse } from '../../core/model.ts'
import type { Clock, ModelAdapter } from '../../core/ports.ts'
import { providerAddress } from '../../core/provider-address.ts'
import type { Usage } from '../../core/trajectory.ts'
import { allTokens } from '../../core/usage.ts'
import { countTokens } from '../../lib/tokens.ts'
import { visibleLine } from '../../lib/visible.ts'
import type { LiveProfile } from '../../schema/config.ts'
import { anthropicWire } from './anthropic.ts'
import { openaiChatWire } from './openai-chat.ts'
import { openaiResponsesWire } from './openai-responses.ts'
import { errorOf, type Failure, type Hide } from './provider-failure.ts'
import type { RateLimiter } from './rate-limiter.ts'
import { retryWait } from './retry-wait.ts'
import { sendAttempt } from './send-attempt.ts'
import { toWireJson, unknownUsage, type Wire, type WireAnswer } from './wire.ts'

export type LiveOptions = {
  /** The name of the profile. */
  readonly profile: string
  readonly settings: LiveProfile
  /** The key and the variable that it came from; undefined: none is sent. */
  readonly key: { readonly name: string; readonly value: string } | undefined
  /** USD for what an answer of this model used; null where it is unknown. */
  readonly costOf: (model: string, usage: Usage, cacheWriteTokens: number) => number | null
  readonly limiter: RateLimiter
  readonly clock: Clock
  /** From 0 up to 1. */
  readonly random: () => number
}

/**
 * A model of a provider over HTTP. Sends again what failed in passing, within `max_retries`; every attempt waits for the
 * limits of the profile. The latency is that of the last attempt; attempts that failed before it are not billed here.
 */
export const liveModel = (options: LiveOptions): ModelAdapter => {
  const wire = wireOf(options.settings)
  const url = new URL(`${providerAddress(options.settings)}${wire.path}`)
  return {
    profile: options.profile,
    protocol: options.settings.protocol,
    generate: (request, { signal }) => generate(request, { wire, url, signal, ...options }),
    close: async () => undefined,
  }
}

const wireOf = (settings: LiveProfile): Wire => {
  switch (settings.provider) {
    case 'anthropic':
      return anthropicWire(settings)
    case 'openai':
      return openaiChatWire(settings)
    case 'openai-responses':
      return openaiResponsesWire(settings)
  }
}

type Call = LiveOptions & { readonly wire: Wire; readonly url: URL; readonly signal: AbortSignal }

const generate = async (request: ModelRequest, call: Call): Promise<ModelResponse> => {
  const { wire, url, signal, settings, key, limiter, clock } = call
  const body = toWireJson(wire.body(request))
  for (let attempt = 0; ; attempt += 1) {
    const permit = await limiter.take(() => countTokens(body), signal)
    const started = clock.monotonic()
    const sent = await sendAttempt(
      {
        url,
        headers: wire.headers(key?.value ?? ''),
        body,
        keyName: key?.name,
        hide: hideKey(key),
        timeoutMs: settings.timeout_seconds * 1000,
        signal,
      },
      clock,
    )
    const latencyMs = Math.round(clock.monotonic() - started)
    if ('json' in sent) {
      const answer = withProviderError(wire.read(sent.json, request), sent.json, call)
      permit.settle(allTokens(answer.usage) ?? 0)
      return answered(answer, latencyMs, call)
    }
    const gaveUp = await waitOrGiveUp(sent.failure, attempt, call)
    if (gaveUp !== undefined) return failed(sent.failure, gaveUp, latencyMs, call)
  }
}

/** Waits before the next attempt; where there is none, how the message ends. */
const waitOrGiveUp = async (failure: Failure, attempt: number, call: Call): Promise<string | undefined> => {
  const { settings, clock, random, signal } = call
  const tried = attempt === 0 ? '' : ` (tried ${attempt + 1} times)`
  if (!failure.mayRetry || attempt >= settings.max_retries) return tried
  const wait = retryWait(failure.headers, attempt, { now: clock.now(), random })
  if ('tooLongMs' in wait)
    return `; it asks to wait ${Math.ceil(wait.tooLongMs / 1000)} s, and 60 s is the most${tried}`
  await clock.sleep(wait.waitMs, signal)
  return undefined
}

/** Some gateways tell of an error with status 200: its own words say more than that the answer is none. */
const withProviderError = (answer: WireAnswer, json: unknown, { url, key }: Call): WireAnswer => {
  if (answer.problem === undefined) return answer
  const { words } = errorOf(json, hideKey(key))
  const message = words === '' ? answer.problem.message : `it reports an error: ${words}`
  return { ...answer, problem: { ...answer.problem, message: `${url.host}: ${message}` } }
}

const answered = (answer: WireAnswer, latencyMs: number, call: Call): ModelResponse => {
  const { text, calls, stop, usage, cacheWriteTokens, native, problem } = answer
  const model = answer.model === '' ? call.settings.model : answer.model
  return {
    text,
    calls,
    stop,
    usage,
    costUsd: call.costOf(model, usage, cacheWriteTokens),
    latencyMs,
    model,
    ...(native === undefined ? {} : { native }),
    ...(problem === undefined ? {} : { error: errorFor(problem.code, problem.message, call) }),
  }
}

const nothing: Usage = { input_tokens: 0, output_tokens: 0, cached_input_tokens: 0, reasoning_tokens: 0 }

const failed = (failure: Failure, ending: string, latencyMs: number, call: Call): ModelResponse => ({
  text: '',
  calls: [],
  stop: failure.isOverflow ? 'context_overflow' : 'error',
  usage: failure.mayBeBilled ? unknownUsage : nothing,
  costUsd: failure.mayBeBilled ? call.costOf(call.settings.model, unknownUsage, 0) : 0,
  latencyMs,
  model: call.settings.model,
  ...(failure.isOverflow ? {} : { error: errorFor(failure.code, `${failure.message}${ending}`, call) }),
})

/** A server that repeats the key it was sent must not get it into a report; what is shorter is no secret. */
const hideKey =
  (key: LiveOptions['key']): Hide =>
  (text) =>
    key === undefined || key.value.length < 8 ? text : text.replaceAll(key.value, '[redacted]')

const errorFor = (code: ModelErrorCode, message: string, { key }: Call): NonNullable<ModelResponse['error']> => ({
  code,
  message: visibleLine(hideKey(key)(message), 1000),
})
