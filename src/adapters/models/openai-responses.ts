import type { Message, ModelRequest } from '../../core/model.ts'
import type { StopReason, Usage } from '../../core/trajectory.ts'
import type { OpenaiResponsesProfile } from '../../schema/config.ts'
import {
  bearer,
  countOf,
  isRecord,
  recordOf,
  recordsOf,
  textOf,
  unknownUsage,
  unusable,
  type Wire,
  type WireAnswer,
  withoutPart,
} from './wire.ts'
import { argumentsText, toRawCalls, type WireNames, wireNames } from './wire-calls.ts'
import { type NativeMark, nativeFor } from './wire-native.ts'

type Item = Readonly<Record<string, unknown>>

/** OpenAI Responses. Nothing is stored there: the whole conversation is sent each time, sealed reasoning included. */
export const openaiResponsesWire = (profile: OpenaiResponsesProfile): Wire => {
  const mark: NativeMark = { provider: 'openai-responses', model: profile.model }
  return {
    path: '/responses',
    headers: bearer,
    body: (request) => body(request, profile, mark),
    read: (json, request) => read(json, request, mark),
  }
}

/** Models that reason; the others refuse to be asked for it. */
const reasoningModel = /^(o\d|gpt-([5-9]|\d\d))/

const body = (request: ModelRequest, { model, params = {} }: OpenaiResponsesProfile, mark: NativeMark) => {
  const names = wireNames(request.tools)
  const { max_tokens, reasoning_effort, parallel_tool_calls, extra_body, ...sampling } = params
  const isReasoning = reasoning_effort !== undefined || reasoningModel.test(model)
  return {
    model,
    store: false,
    ...(isReasoning ? { include: ['reasoning.encrypted_content'] } : {}),
    ...sampling,
    ...(max_tokens === undefined ? {} : { max_output_tokens: max_tokens }),
    ...(reasoning_effort === undefined ? {} : { reasoning: { effort: reasoning_effort } }),
    ...(request.system === '' ? {} : { instructions: request.system }),
    input: request.messages.flatMap((message) => itemsOf(message, names, mark)),
    ...(request.tools.length === 0
      ? {}
      : {
          // Unlike Chat Completions it takes every schema for a strict one unless it is told.
          tools: request.tools.map(({ name, description, parameters }) => ({
            type: 'function',
            name: names.toWire(name),
            description,
            parameters,
            strict: false,
          })),
          ...(parallel_tool_calls === undefined ? {} : { parallel_tool_calls }),
        }),
    ...extra_body,
  }
}

const itemsOf = (message: Message, names: WireNames, mark: NativeMark): readonly Item[] => {
  switch (message.role) {
    case 'user':
      return [{ role: 'user', content: message.text }]
    case 'assistant':
      return (
        nativeFor(message, mark) ?? [
          ...(message.text === '' ? [] : [{ role: 'assistant', content: message.text }]),
          ...message.calls.map((call) => ({
            type: 'function_call',
            call_id: call.id,
            name: names.toWire(call.name),
            arguments: argumentsText(call),
          })),
        ]
      )
    case 'tool':
      return message.results.map(({ callId, text, isError }) => ({
        type: 'function_call_output',
        call_id: callId,
        output: isError ? `Error: ${text}` : text,
      }))
  }
}

const read = (json: unknown, request: ModelRequest, mark: NativeMark): WireAnswer => {
  if (!isRecord(json) || !Array.isArray(json.output)) return unusable('the answer has no list of output')
  const items = recordsOf(json.output)
  const known = { usage: usageOf(json.usage), cacheWriteTokens: cacheWritesOf(json.usage), model: textOf(json.model) }
  const parts = items.flatMap(({ type, content }) => (type === 'message' ? recordsOf(content) : []))
  const asked = items.filter(({ type }) => type === 'function_call')
  const stop = stopOf(json, asked)
  if (typeof stop !== 'string') return unusable(stop.problem, known)
  const refusal = parts.map((part) => (part.type === 'refusal' ? textOf(part.refusal) : '')).join('')
  if (refusal !== '') return { ...known, text: refusal, calls: [], stop: 'refusal' }
  const calls = toRawCalls(
    asked.map(({ call_id, name, arguments: args }) => ({ id: call_id, name, args })),
    wireNames(request.tools),
    request,
  )
  const isSealed = items.some(({ type }) => type === 'reasoning')
  return {
    ...known,
    text: parts.map((part) => (part.type === 'output_text' ? textOf(part.text) : '')).join(''),
    calls,
    stop,
    // Only whole answers go back as they came; ids that had to be replaced would no longer be found in them.
    ...(isSealed && stop !== 'max_tokens' && calls.every(({ id }, i) => id === asked[i]?.call_id)
      ? { native: { ...mark, content: items } }
      : {}),
  }
}

/** That it wants calls done is said by nothing but the calls. */
const stopOf = (json: Item, asked: readonly Item[]): StopReason | { readonly problem: string } => {
  switch (json.status) {
    case 'completed':
      if (asked.some(({ status }) => status === 'incomplete')) return 'max_tokens'
      return asked.length > 0 ? 'tool_use' : 'end'
    case 'incomplete': {
      const reason = textOf(recordOf(json.incomplete_details).reason)
      // Some servers only say that it is cut off.
      if (reason === 'max_output_tokens' || reason === '') return 'max_tokens'
      if (reason === 'content_filter') return 'content_filter'
      return { problem: `the answer is incomplete for a reason that is not known here: ${reason}` }
    }
    case 'failed':
      return { problem: `the provider failed: ${textOf(recordOf(json.error).message) || 'it does not say why'}` }
    default:
      return { problem: `the answer has a status that is not known here: ${textOf(json.status) || 'none'}` }
  }
}

/** Here cached tokens are part of the input, and reasoning is part of the output. */
const usageOf = (value: unknown): Usage => {
  if (!isRecord(value)) return unknownUsage
  const cached = countOf(recordOf(value.input_tokens_details).cached_tokens ?? 0)
  const reasoning = countOf(recordOf(value.output_tokens_details).reasoning_tokens ?? 0)
  return {
    input_tokens: withoutPart(countOf(value.input_tokens), cached),
    output_tokens: withoutPart(countOf(value.output_tokens), reasoning),
    cached_input_tokens: cached,
    reasoning_tokens: reasoning,
  }
}

const cacheWritesOf = (usage: unknown): number =>
  countOf(recordOf(recordOf(usage).input_tokens_details).cache_write_tokens) ?? 0
