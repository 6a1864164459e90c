import type { Message, ModelRequest } from '../../core/model.ts'
import type { StopReason, Usage } from '../../core/trajectory.ts'
import type { OpenaiProfile } from '../../schema/config.ts'
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

/** OpenAI Chat Completions, and what many other servers take it to be. */
export const openaiChatWire = (profile: OpenaiProfile): Wire => ({
  path: '/chat/completions',
  headers: bearer,
  body: (request) => body(request, profile),
  read,
})

const body = (request: ModelRequest, { model, base_url, params = {} }: OpenaiProfile) => {
  const names = wireNames(request.tools)
  const { max_tokens, max_tokens_field, parallel_tool_calls, extra_body, ...plain } = params
  const maxTokensField = max_tokens_field ?? (base_url === undefined ? 'max_completion_tokens' : 'max_tokens')
  return {
    model,
    ...plain,
    ...(max_tokens === undefined ? {} : { [maxTokensField]: max_tokens }),
    messages: [
      ...(request.system === '' ? [] : [{ role: 'system', content: request.system }]),
      ...request.messages.flatMap((message) => messagesOf(message, names)),
    ],
    ...(request.tools.length === 0
      ? {}
      : {
          tools: request.tools.map(({ name, description, parameters }) => ({
            type: 'function',
            function: { name: names.toWire(name), description, parameters },
          })),
          ...(parallel_tool_calls === undefined ? {} : { parallel_tool_calls }),
        }),
    ...extra_body,
  }
}

const messagesOf = (message: Message, names: WireNames): readonly Record<string, unknown>[] => {
  switch (message.role) {
    case 'user':
      return [{ role: 'user', content: message.text }]
    case 'assistant':
      return [
        {
          role: 'assistant',
          // Next to calls some servers take null only, and others an empty text only where there is no call.
          content: message.text === '' && message.calls.length > 0 ? null : message.text,
          ...(message.calls.length === 0
            ? {}
            : {
                tool_calls: message.calls.map((call) => ({
                  id: call.id,
                  type: 'function',
                  function: { name: names.toWire(call.name), arguments: argumentsText(call) },
                })),
              }),
        },
      ]
    case 'tool':
      // There is no mark for an error but in words.
      return message.results.map(({ callId, text, isError }) => ({
        role: 'tool',
        tool_call_id: callId,
        content: isError ? `Error: ${text}` : text,
      }))
  }
}

const stops: Readonly<Record<string, StopReason>> = {
  stop: 'end',
  tool_calls: 'tool_use',
  length: 'max_tokens',
  content_filter: 'content_filter',
}

const read = (json: unknown, request: ModelRequest): WireAnswer => {
  const root = recordOf(json)
  const [choice] = recordsOf(root.choices)
  const message = recordOf(choice?.message)
  const known = {
    usage: usageOf(root.usage, message),
    cacheWriteTokens: cacheWritesOf(root.usage),
    model: textOf(root.model),
  }
  if (choice === undefined || !isRecord(choice.message))
    return unusable('the answer has no choice with a message', known)
  const reason = textOf(choice.finish_reason)
  const stop = Object.hasOwn(stops, reason) ? stops[reason] : undefined
  if (stop === undefined)
    return unusable(`the answer ended for a reason that is not known here: ${reason || 'none'}`, known)
  const text = contentText(message.content)
  const refusal = textOf(message.refusal)
  if (refusal !== '') return { ...known, text: refusal, calls: [], stop: 'refusal' }
  const calls = toRawCalls(
    recordsOf(message.tool_calls).map(({ id, function: called }) => ({
      id,
      name: recordOf(called).name,
      args: recordOf(called).arguments,
    })),
    wireNames(request.tools),
    request,
  )
  // Many servers end an answer with calls as if it had none.
  return { ...known, text, calls, stop: stop === 'end' && calls.length > 0 ? 'tool_use' : stop }
}

/** A text, or from some servers a list of parts. */
const contentText = (content: unknown): string =>
  Array.isArray(content)
    ? recordsOf(content)
        .map(({ text }) => textOf(text))
        .join('')
    : textOf(content)

/** Here cached tokens are part of the prompt, and reasoning is part of the completion. */
const usageOf = (value: unknown, message: Readonly<Record<string, unknown>>): Usage => {
  if (!isRecord(value)) return unknownUsage
  const reasoning = countOf(recordOf(value.completion_tokens_details).reasoning_tokens)
  const isReasoning = textOf(message.reasoning_content) !== '' || textOf(message.reasoning) !== ''
  const cached = countOf(recordOf(value.prompt_tokens_details).cached_tokens ?? 0)
  return {
    input_tokens: withoutPart(countOf(value.prompt_tokens), cached),
    output_tokens: withoutPart(countOf(value.completion_tokens), reasoning),
    cached_input_tokens: cached,
    reasoning_tokens: reasoning ?? (isReasoning ? null : 0),
  }
}

const cacheWritesOf = (usage: unknown): number =>
  countOf(recordOf(recordOf(usage).prompt_tokens_details).cache_write_tokens) ?? 0
