import { actionTypeOf, mainParam, normalizeParams, type RawCall } from '../core/actions.ts'
import type { Message, ModelRequest } from '../core/model.ts'
import type { AgentStop } from '../core/outcome.ts'
import { countTokens } from '../lib/tokens.ts'
import type { ContextLimit } from './agent-deps.ts'
import { describePlan } from './plan.ts'
import type { RunState, Shown } from './run-state.ts'
import type { Offer } from './session.ts'

export const defaultContextTokens = 150_000

/** The last rounds are never left out: the model is in the middle of them. */
const KEPT_ROUNDS = 2
/** How far a request that is too long is shortened, so that it is not done anew in each turn. */
const TARGET = 0.6
const MOST_LINES = 40
const LINE = 120

/**
 * The messages of the next request. One that is too long loses its oldest rounds (an answer of the model and what came
 * of it) and gains a note that lists them, with the plan. What the user said stays, and so does each round that loaded
 * the instructions of a skill. The same conversation is cut in the same way.
 */
export const shownMessages = (
  state: RunState,
  offer: Offer,
  turn: number,
  limit: ContextLimit,
): Pick<ModelRequest, 'messages' | 'compacted'> => {
  const current = caughtUp(state)
  if (isSurelyShort(current, offer, limit)) return requestPart(state, current)
  const fixed = tokensOf(offer.system, limit) + tokensOf(JSON.stringify(offer.tools), limit)
  const before = fixed + sum(current.map((message) => tokensOfMessage(message, limit)))
  if (before <= limit.tokens) return requestPart(state, current)
  const shorter = shorten(state, current, before, limit)
  if (shorter === undefined) return requestPart(state, current)
  const { shown, after } = shorter
  const rounds = shown.rounds - (state.shown?.rounds ?? 0)
  state.shown = shown
  state.trajectory.push({ type: 'compacted', turn, rounds, tokens: { before, after }, note: shown.note })
  return requestPart(state, shown.messages)
}

const requestPart = ({ shown, messages: history }: RunState, messages: readonly Message[]) =>
  shown === undefined ? { messages } : { messages, compacted: { times: shown.times, note: shown.note, history } }

/** What is shown, with all that was said since. */
const caughtUp = ({ shown, messages }: RunState): Message[] => {
  if (shown === undefined) return messages
  shown.messages.push(...messages.slice(shown.taken))
  shown.taken = messages.length
  return shown.messages
}

/** A token has a character at least: where there are too few characters, nothing need be counted. */
const isSurelyShort = (messages: readonly Message[], { system }: Offer, { tokens }: ContextLimit): boolean => {
  let characters = system.length
  for (const message of messages) {
    characters += message.role === 'tool' ? sum(message.results.map(({ text }) => text.length)) : message.text.length
    if (message.role === 'assistant' && message.calls.length > 0) characters += JSON.stringify(message.calls).length
    if (characters > tokens / 2) return false
  }
  return true
}

/**
 * The stop for an input that alone is longer than the limit: nothing can be left out of it. Undefined where none is, and
 * where nobody set a limit: the default is a guess, and a model may take more.
 */
export const overLongInput = (
  inputs: readonly string[],
  { tokens: limit, places = [] }: Partial<ContextLimit> = {},
): Extract<AgentStop, { readonly kind: 'error' }> | undefined => {
  if (limit === undefined) return undefined
  for (const [i, input] of inputs.entries()) {
    const tokens = input.length <= limit ? 0 : tokensOf(input, { tokens: limit, places })
    if (tokens <= limit) continue
    const what = inputs.length === 1 ? 'the input' : `input ${i + 1} of ${inputs.length}`
    return {
      kind: 'error',
      code: 'input_too_long',
      message: `${what} has about ${formatted(tokens)} tokens, and context_tokens is ${formatted(limit)}: nothing was sent. Put it into a file and let the agent read it, or raise limits.context_tokens (agent.context_tokens of a case).`,
    }
  }
  return undefined
}

const formatted = (count: number): string => count.toLocaleString('en')

type Round = { readonly at: number; readonly messages: readonly Message[] }

const shorten = (
  state: RunState,
  messages: readonly Message[],
  before: number,
  limit: ContextLimit,
): { readonly shown: Shown; readonly after: number } | undefined => {
  const cut = new Set<Message>()
  const lines = [...(state.shown?.lines ?? [])]
  const old = state.shown && messages.find((message) => message.role === 'user' && message.text === state.shown?.note)
  let rounds = state.shown?.rounds ?? 0
  let after = before - (old ? tokensOfMessage(old, limit) : 0)
  const noteFor = () => noteOf(rounds, lines, state)
  let note = state.shown?.note ?? ''
  const total = () => after + tokensOf(note, limit)
  for (const round of roundsOf(messages).slice(0, -KEPT_ROUNDS)) {
    if (note !== '' && total() <= limit.tokens * TARGET) break
    if (round.messages.some(hasBodies)) continue
    for (const message of round.messages) cut.add(message)
    lines.push(...linesOf(round))
    rounds += 1
    after -= sum(round.messages.map((message) => tokensOfMessage(message, limit)))
    note = noteFor()
  }
  if (cut.size === 0) return undefined
  if (old) cut.add(old)
  const kept = messages.filter((message) => !cut.has(message))
  const shown: Shown = {
    // Behind what the user asked first.
    messages: [...kept.slice(0, 1), { role: 'user', text: note, isObservation: true }, ...kept.slice(1)],
    taken: state.messages.length,
    times: (state.shown?.times ?? 0) + 1,
    note,
    lines,
    rounds,
  }
  return { shown, after: total() }
}

/** An answer of the model and what came of it, up to its next answer or what the user says next. */
const roundsOf = (messages: readonly Message[]): Round[] => {
  const rounds: { at: number; messages: Message[] }[] = []
  let open: Message[] | undefined
  for (const [at, message] of messages.entries()) {
    if (message.role === 'assistant') {
      open = [message]
      rounds.push({ at, messages: open })
    } else if (message.role === 'user' && !message.isObservation) open = undefined
    else open?.push(message)
  }
  return rounds
}

const hasBodies = (message: Message): boolean => {
  if (message.role === 'tool') return message.results.some(({ bodies }) => (bodies?.length ?? 0) > 0)
  return message.role === 'user' && (message.bodies?.length ?? 0) > 0
}

const linesOf = ({ messages }: Round): string[] =>
  messages.flatMap((message) => {
    if (message.role !== 'assistant') return []
    if (message.calls.length === 0) return [oneLine(message.text)]
    return message.calls.map(callLine)
  })

/** `read_file data.csv`: the name and the main parameter. */
const callLine = ({ name, input }: RawCall): string => {
  const type = actionTypeOf(name)
  const params = type === undefined ? undefined : normalizeParams(type, input)
  const main =
    type !== undefined && typeof params === 'object' && params !== null
      ? (params as Readonly<Record<string, unknown>>)[mainParam(type)]
      : undefined
  return oneLine(`${name} ${typeof main === 'string' ? main : JSON.stringify(main ?? input ?? {})}`)
}

const oneLine = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length <= LINE ? line : `${line.slice(0, LINE - 1).toWellFormed()}…`
}

const noteOf = (rounds: number, lines: readonly string[], { plan }: RunState): string => {
  const left = lines.length - MOST_LINES
  return [
    `[To keep this conversation within its limit, ${rounds === 1 ? '1 earlier round was' : `${rounds} earlier rounds were`} left out, with all that they returned. Do again what you still need of it. It was:`,
    ...(left > 0 ? [`- ${left} more, before these`] : []),
    ...lines.slice(-MOST_LINES).map((line) => `- ${line}`),
    ...(plan ? ['The plan:', describePlan(plan)] : []),
    ']',
  ].join('\n')
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, n) => total + n, 0)

const tokensOfMessage = (message: Message, limit: ContextLimit): number => {
  switch (message.role) {
    case 'user':
      return tokensOf(message.text, limit)
    case 'assistant':
      return (
        tokensOf(message.text, limit) +
        sum(message.calls.map((call) => tokensOf(`${call.name} ${jsonOf(call.input)}`, limit)))
      )
    case 'tool':
      return sum(message.results.map(({ text }) => tokensOf(text, limit)))
  }
}

const jsonOf = (value: unknown): string => JSON.stringify(value) ?? ''

const tokensOf = (text: string, { places }: ContextLimit): number =>
  countTokens(places.reduce((rest, place) => rest.replaceAll(place, '/'), text))
