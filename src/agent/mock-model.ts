import { actionTypeOf, normalizeParams, type RawCall } from '../core/actions.ts'
import {
  type Message,
  type ModelErrorCode,
  type ModelRequest,
  type ModelResponse,
  type ModelView,
  noAnswer,
  type ToolSpec,
} from '../core/model.ts'
import type { Clock, ModelAdapter } from '../core/ports.ts'
import { looselyMatches } from '../lib/loose-match.ts'
import { RegexTimeout } from '../lib/regex.ts'
import { countTokens } from '../lib/tokens.ts'
import type { Price } from '../schema/config.ts'
import type { MockAction, MockRule, MockScript, MockTurn } from '../schema/mock.ts'

export type MockOptions = {
  readonly profile: string
  readonly protocol: 'native' | 'text'
  readonly latencyMs: number
  /** A mock without a price costs nothing. */
  readonly price: Price
  readonly clock: Clock
}

type Turn = { readonly turn: MockTurn } | { readonly problem: string }

/**
 * A model whose answers the case wrote: a list of turns, or rules that choose by what they see. For one trial. Its
 * usage is counted with the offline tokenizer: all that a provider would bill as input, and the answer as output.
 */
export const mockModel = (script: MockScript | undefined, options: MockOptions): ModelAdapter => {
  const next = scripted(script)
  const counter = inputCounter()
  return {
    profile: options.profile,
    protocol: options.protocol,
    generate: async (request, { signal }) => {
      if (options.latencyMs > 0) await options.clock.sleep(options.latencyMs, signal)
      signal.throwIfAborted()
      const input = counter(request)
      try {
        const chosen = await next(request.view)
        if ('problem' in chosen) return failed('mock_exhausted', chosen.problem, options)
        return respond(chosen.turn, request.view.turn, input, options)
      } catch (error) {
        if (error instanceof RegexTimeout) return failed('model_error', `a rule of the mock: ${error.message}`, options)
        throw error
      }
    },
    close: async () => undefined,
  }
}

/** Sub-agents that have no script of their own draw from the agent's. */
const scripted = (script: MockScript | undefined): ((view: ModelView) => Promise<Turn>) => {
  if (script === undefined) return unscripted
  if (Array.isArray(script)) return fromTurns(script)
  const own = 'turns' in script ? fromTurns(script.turns) : fromRules(script)
  const subagents = new Map(Object.entries(script.subagents ?? {}).map(([name, part]) => [name, scripted(part)]))
  return (view) => (subagents.get(view.subagent ?? '') ?? own)(view)
}

const unscripted = async (): Promise<Turn> => ({
  problem: 'the case has no mock: write its turns under mock, or choose another model',
})

const fromTurns = (turns: readonly MockTurn[]) => {
  let at = 0
  return async (view: ModelView): Promise<Turn> => {
    const turn = turns[at]
    at += 1
    if (turn !== undefined) return { turn }
    const count = turns.length === 1 ? '1 turn' : `${turns.length} turns`
    const who = view.subagent === undefined ? 'the agent' : `the sub-agent ${view.subagent}`
    return { problem: `the mock has ${count} and ${who} asked for turn ${view.turn}` }
  }
}

const fromRules = (script: { readonly rules: readonly MockRule[]; readonly otherwise?: MockTurn | undefined }) => {
  const taken = new Map<MockRule, number>()
  return async (view: ModelView): Promise<Turn> => {
    for (const rule of script.rules) {
      const times = taken.get(rule) ?? 0
      if (times >= (rule.times ?? Number.POSITIVE_INFINITY) || !(await matches(rule.when, view))) continue
      taken.set(rule, times + 1)
      return { turn: rule.do }
    }
    if (script.otherwise) return { turn: script.otherwise }
    const whose = view.subagent === undefined ? '' : ` of the sub-agent ${view.subagent}`
    return { problem: `no rule of the mock matches turn ${view.turn}${whose} and there is no "otherwise"` }
  }
}

const matches = async (when: MockRule['when'], view: ModelView): Promise<boolean> =>
  (when.turn === undefined || when.turn === view.turn) &&
  (when.subagent === undefined || when.subagent === view.subagent) &&
  (when.skill_loaded === undefined || view.skillsLoaded.includes(when.skill_loaded)) &&
  (when.skill_available === undefined || view.skillsAvailable.includes(when.skill_available)) &&
  (when.input === undefined || (await looselyMatches(when.input, view.input))) &&
  (when.observation === undefined || (await looselyMatches(when.observation, view.observation)))

/** Counts what was added since the turn before; system prompt and tools are counted once and billed each turn. */
const inputCounter = () => {
  // By the list itself: it is another one where tools come with skills.
  const fixed = new WeakMap<readonly ToolSpec[], { system: string; tokens: number }>()
  // By the list itself: each agent has its own, and one that was cut short is another one.
  const counted = new WeakMap<readonly Message[], { upTo: number; tokens: number }>()
  return (request: ModelRequest): number => {
    const { system, tools } = request
    const known = fixed.get(tools)
    const stays = known?.system === system ? known : { system, tokens: countTokens(system) + sumOfTools(tools) }
    fixed.set(tools, stays)
    const count = counted.get(request.messages) ?? { upTo: 0, tokens: 0 }
    counted.set(request.messages, count)
    for (; count.upTo < request.messages.length; count.upTo += 1) {
      count.tokens += tokensOf(request.messages[count.upTo])
    }
    return stays.tokens + count.tokens
  }
}

// The same few specs are offered in every trial: each is put into JSON once.
const toolTokens = new WeakMap<ToolSpec, number>()

const tokensOfTool = (tool: ToolSpec): number => {
  const known = toolTokens.get(tool) ?? countTokens(JSON.stringify(tool))
  toolTokens.set(tool, known)
  return known
}

const sumOfTools = (tools: readonly ToolSpec[]): number => tools.reduce((sum, tool) => sum + tokensOfTool(tool), 0)

const tokensOf = (message: Message | undefined): number => {
  switch (message?.role) {
    case undefined:
      return 0
    case 'user':
      return countTokens(message.text)
    case 'assistant':
      return countTokens(message.text) + tokensOfCalls(message.calls)
    case 'tool':
      return message.results.reduce((sum, result) => sum + countTokens(result.text), 0)
  }
}

// What the model answered is the next turn's input: it is counted once.
const callTokens = new WeakMap<readonly RawCall[], number>()

const tokensOfCalls = (calls: readonly RawCall[]): number => {
  const known = callTokens.get(calls)
  if (known !== undefined) return known
  const count = calls.reduce((sum, call) => sum + countTokens(call.name) + countTokens(jsonOf(call.input)), 0)
  callTokens.set(calls, count)
  return count
}

const jsonOf = (value: unknown): string => JSON.stringify(value) ?? ''

const respond = (turn: MockTurn, n: number, input: number, options: MockOptions): ModelResponse => {
  const raw =
    typeof turn === 'string' ? [] : (Array.isArray(turn) ? turn : [turn]).map((action, i) => toCall(action, n, i))
  const isText = options.protocol === 'text'
  const text = typeof turn === 'string' ? turn : isText ? asText(raw) : ''
  const calls = isText ? [] : raw
  const output = countTokens(text) + tokensOfCalls(calls)
  return {
    text,
    calls,
    stop: calls.length > 0 ? 'tool_use' : 'end',
    usage: { input_tokens: input, output_tokens: output, cached_input_tokens: 0, reasoning_tokens: 0 },
    costUsd: (input * options.price.input + output * options.price.output) / 1_000_000,
    latencyMs: options.latencyMs,
    model: 'mock',
  }
}

const toCall = (action: MockAction, turn: number, i: number): RawCall => {
  const id = `mock_${turn}_${i + 1}`
  if (action.raw) return { id, name: action.raw.name, input: action.raw.input ?? {} }
  const [name = '', input] = Object.entries(action)[0] ?? []
  return { id, name, input }
}

const asText = (calls: readonly RawCall[]): string => {
  const actions = calls.map(({ name, input }) => ({ action: name, params: fullParams(name, input) }))
  return JSON.stringify(actions.length === 1 ? actions[0] : { actions })
}

/** Short forms are the author's; in text they travel as a model would write them. */
const fullParams = (name: string, input: unknown): unknown => {
  const type = actionTypeOf(name)
  return type === undefined ? input : normalizeParams(type, input)
}

const failed = (code: ModelErrorCode, message: string, options: MockOptions): ModelResponse =>
  noAnswer({ code, message }, { latencyMs: options.latencyMs, model: 'mock' })
