import type { Message, ModelRequest, ToolMessage } from '../../core/model.ts'
import type { StopReason, Usage } from '../../core/trajectory.ts'
import type { AnthropicProfile } from '../../schema/config.ts'
import {
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
import { toRawCalls, type WireNames, wireNames } from './wire-calls.ts'
import { type NativeMark, nativeFor } from './wire-native.ts'

type Block = Readonly<Record<string, unknown>>
type Turn = { readonly role: 'user' | 'assistant'; readonly content: Block[] }

/** Well below what makes a server want a stream instead of one answer, and enough for an answer that thinks. */
const defaultMaxTokens = 16_000

/** Anthropic Messages, version 2023-06-01. */
export const anthropicWire = (profile: AnthropicProfile): Wire => {
  const mark: NativeMark = { provider: 'anthropic', model: profile.model }
  return {
    path: '/messages',
    headers: (key) => ({ 'anthropic-version': '2023-06-01', ...(key === '' ? {} : { 'x-api-key': key }) }),
    body: (request) => body(request, profile, mark),
    read: (json, request) => read(json, request, mark),
  }
}

const body = (request: ModelRequest, { model, params = {} }: AnthropicProfile, mark: NativeMark) => {
  const names = wireNames(request.tools)
  const { max_tokens, stop, reasoning_effort, parallel_tool_calls, extra_body, ...sampling } = params
  return {
    model,
    max_tokens: max_tokens ?? defaultMaxTokens,
    ...sampling,
    ...(stop === undefined ? {} : { stop_sequences: stop }),
    ...(reasoning_effort === undefined ? {} : { output_config: { effort: reasoning_effort } }),
    ...(request.system === '' ? {} : { system: [{ type: 'text', text: request.system, ...cached }] }),
    ...(request.tools.length === 0
      ? {}
      : {
          tools: request.tools.map(({ name, description, parameters }) => ({
            name: names.toWire(name),
            description,
            input_schema: parameters,
          })),
          ...(parallel_tool_calls === false ? { tool_choice: { type: 'auto', disable_parallel_tool_use: true } } : {}),
        }),
    messages: withCacheMark(turnsOf(request.messages, names, mark)),
    ...extra_body,
  }
}

const cached = { cache_control: { type: 'ephemeral' } } as const

/** Roles take turns: what follows in the same role joins the turn before. Blocks without text are refused, so left out. */
const turnsOf = (messages: readonly Message[], names: WireNames, mark: NativeMark): Turn[] => {
  const turns: Turn[] = []
  for (const message of messages) {
    const role = message.role === 'assistant' ? 'assistant' : 'user'
    const content = blocksOf(message, names, mark)
    if (content.length === 0) continue
    const last = turns.at(-1)
    if (last?.role === role) last.content.push(...content)
    else turns.push({ role, content })
  }
  return turns
}

const blocksOf = (message: Message, names: WireNames, mark: NativeMark): Block[] => {
  switch (message.role) {
    case 'user':
      return textBlocks(message.text)
    case 'assistant':
      return (
        nativeFor(message, mark) ?? [
          ...textBlocks(message.text),
          ...message.calls.map(({ id, name, input }) => ({
            type: 'tool_use',
            id,
            name: names.toWire(name),
            input: isRecord(input) ? input : {},
          })),
        ]
      )
    case 'tool':
      return message.results.map(toolResult)
  }
}

const textBlocks = (text: string): Block[] => (text.trim() === '' ? [] : [{ type: 'text', text }])

const toolResult = ({ callId, text, isError }: ToolMessage): Block => ({
  type: 'tool_result',
  tool_use_id: callId,
  ...(text.trim() === '' ? {} : { content: text }),
  ...(isError ? { is_error: true } : {}),
})

/** All up to the end of the newest user turn can be read from the cache the next time. */
const withCacheMark = (turns: readonly Turn[]): readonly Turn[] => {
  const at = turns.findLastIndex(({ role }) => role === 'user')
  return turns.map((turn, i) =>
    i === at
      ? {
          ...turn,
          content: turn.content.map((block, j) => (j === turn.content.length - 1 ? { ...block, ...cached } : block)),
        }
      : turn,
  )
}

const stops: Readonly<Record<string, StopReason>> = {
  end_turn: 'end',
  stop_sequence: 'end',
  tool_use: 'tool_use',
  max_tokens: 'max_tokens',
  refusal: 'refusal',
  model_context_window_exceeded: 'context_overflow',
}

const read = (json: unknown, request: ModelRequest, mark: NativeMark): WireAnswer => {
  if (!isRecord(json) || !Array.isArray(json.content)) return unusable('the answer has no list of content')
  const blocks = recordsOf(json.content)
  const known = { ...usageOf(json.usage, blocks), model: textOf(json.model) }
  const reason = textOf(json.stop_reason)
  const stop = Object.hasOwn(stops, reason) ? stops[reason] : undefined
  if (stop === undefined)
    return unusable(`the answer ended for a reason that is not known here: ${reason || 'none'}`, known)
  const text = blocks.flatMap((block) => (block.type === 'text' ? [textOf(block.text)] : [])).join('')
  const asked = blocks.filter(({ type }) => type === 'tool_use')
  const calls = toRawCalls(
    asked.map(({ id, name, input }) => ({ id, name, args: input })),
    wireNames(request.tools),
    request,
  )
  const isSigned = blocks.some(({ type }) => type === 'thinking' || type === 'redacted_thinking')
  return {
    ...known,
    text: stop === 'refusal' ? textOf(recordOf(json.stop_details).explanation) || text : text,
    calls,
    stop,
    // Half an answer may end in half a signature, and ids that were replaced are not found in it: it goes back as text.
    ...(isSigned && stop !== 'max_tokens' && calls.every(({ id }, i) => id === asked[i]?.id)
      ? { native: { ...mark, content: blocks.filter(isNotEmpty) } }
      : {}),
  }
}

const isNotEmpty = ({ type, text }: Block): boolean => type !== 'text' || textOf(text).trim() !== ''

/** What is written to the cache is told apart from the rest of the input; in ours it is part of that. */
const usageOf = (
  value: unknown,
  blocks: readonly Block[],
): { readonly usage: Usage; readonly cacheWriteTokens: number } => {
  if (!isRecord(value)) return { usage: unknownUsage, cacheWriteTokens: 0 }
  const plain = countOf(value.input_tokens)
  const output = countOf(value.output_tokens)
  const cachedInput = countOf(value.cache_read_input_tokens ?? 0)
  const written = countOf(value.cache_creation_input_tokens ?? 0)
  const thought = countOf(recordOf(value.output_tokens_details).thinking_tokens)
  const isThinking = blocks.some(({ type }) => type === 'thinking' || type === 'redacted_thinking')
  return {
    usage: {
      input_tokens: plain === null || written === null ? null : plain + written,
      output_tokens: withoutPart(output, thought),
      cached_input_tokens: cachedInput,
      reasoning_tokens: thought ?? (isThinking ? null : 0),
    },
    cacheWriteTokens: written ?? 0,
  }
}
