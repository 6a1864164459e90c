import { type ModelResponse, noAnswer } from '../core/model.ts'
import type { ModelAdapter, ProvidedTool, Tool, ToolResult } from '../core/ports.ts'
import type { RecordingUse } from '../core/results.ts'
import type { Usage } from '../core/trajectory.ts'
import type { CassetteAnswer, CassetteTrial, CassetteTurn } from '../schema/cassette.ts'
import { explainDifference } from './explain-difference.ts'
import type { PartBook } from './part-book.ts'
import type { Placeholders } from './placeholders.ts'
import { type Canonical, type FixedParts, type Part, requestReader } from './read-request.ts'
import { differenceList } from './stale-differences.ts'
import type { StalePolicy } from './stale-policy.ts'

export type ReplayOptions = {
  readonly profile: string
  readonly protocol: 'native' | 'text'
  readonly params: Readonly<Record<string, string>>
  readonly canonical: Canonical
  /** Shared by the trials of a run. */
  readonly fixed?: FixedParts
  readonly placeholders: Placeholders
  readonly policy: StalePolicy
  readonly book: PartBook
  /** Relative to the project. */
  readonly path: string
  /** What it is a recording of: `csv-analyzer/top-months`. */
  readonly label: string
  /** The command that records it anew. */
  readonly again: string
  priceOf(usage: Usage, model: string): number | null
}

export type ReplayModel = ModelAdapter & {
  /** Whether a request was refused because it is not the one that was recorded. */
  isStale(): boolean
}

/**
 * A model that gives the answers of one recorded trial, in their order. Where a part of a request is not what it was,
 * the old answer proves nothing about the new request: it is stale, unless the policy says to go on.
 */
export const replayModel = (trial: CassetteTrial, options: ReplayOptions): ReplayModel => {
  const { canonical, placeholders, policy } = options
  const reader = requestReader(options.params, canonical, options.fixed)
  const stale = new Set<string>()
  const told = differenceList()
  let isPositional = false
  let isStale = false
  let otherServers: string | undefined
  let at = 0
  const outside = [...trial.outside]
  const use = (): RecordingUse => ({
    path: options.path,
    mode: isPositional ? 'positional' : 'replay',
    stale_parts: [...stale],
    ...told.told(),
  })

  const staleAt = async (turn: number, reasons: readonly string[]): Promise<ModelResponse> => {
    isStale = true
    const [first, ...more] = reasons
    const lines = [
      `No recording matches request ${turn} of ${options.label} (${options.path}).`,
      `  Nearest differs at ${first}`,
      ...more.map((reason) => `  and at ${reason}`),
      `  Re-record: ${options.again}`,
    ]
    return noAnswer({ code: 'stale', message: lines.join('\n') })
  }

  return {
    profile: options.profile,
    protocol: options.protocol,
    generate: async (request, { signal }) => {
      signal.throwIfAborted()
      const news = reader.next(request)
      const turn = trial.turns[at]
      at += 1
      if (turn === undefined) {
        stale.add('turns')
        const count = at === 2 ? '1 turn was' : `${at - 1} turns were`
        return staleAt(at, [`its end: ${count} recorded, and the agent goes on`])
      }
      if (turn.agent !== request.conversation) {
        stale.add('turns')
        return staleAt(at, [`who asks: ${agentName(turn.agent)} did, and now ${agentName(request.conversation)} does`])
      }
      if (otherServers !== undefined && policy.tools === 'fail') {
        stale.add('tools')
        return staleAt(at, [otherServers])
      }
      const differing = differences(news.parts, turn)
      for (const { name, kind, part } of differing) {
        if (policy[kind] === 'ignore') continue
        stale.add(name)
        told.add(name, recordedContent(name, kind, turn, options.book), part?.content)
      }
      const failing = differing.filter(({ kind }) => policy[kind] === 'fail')
      if (failing.length > 0) {
        const reasons = await Promise.all(
          failing.map(({ name, kind, part }) =>
            explainDifference(name, recordedContent(name, kind, turn, options.book), part),
          ),
        )
        return staleAt(at, reasons)
      }
      if (differing.some(({ kind }) => policy[kind] === 'warn')) isPositional = true
      return played(turn.answer, at, options, placeholders)
    },
    close: async () => undefined,
    isStale: () => isStale,
    provided: async ({ names, atHand }) => {
      const { servers = [], tools = [] } = trial.provided ?? {}
      const asked = [...names].sort()
      if (JSON.stringify(asked) !== JSON.stringify(servers)) {
        otherServers = `tools: recorded with ${listOf(servers)}, and the case names ${listOf(asked)}`
      }
      const recorded = tools.map(({ name, description, parameters }) => ({
        name,
        description: placeholders.show(description),
        parameters: placeholders.showValue(parameters) as ProvidedTool['parameters'],
        checksInput: true as const,
      }))
      return [...atHand, ...recorded].map((tool) => replayedProvided(tool, outside, placeholders))
    },
    recording: { use, tool: (tool) => (tool.isOutside ? replayedTool(tool, outside, placeholders) : tool) },
  }
}

const listOf = (servers: readonly string[]): string =>
  servers.length === 0 ? 'no MCP server' : `the MCP servers ${servers.join(', ')}`
const agentName = (conversation: string | undefined): string =>
  conversation === undefined ? 'the agent' : `the sub-agent ${conversation}`

type Difference = { readonly name: string; readonly kind: Part['kind']; readonly part: Part | undefined }

const differences = (parts: readonly Part[], turn: CassetteTurn): Difference[] => {
  const now = new Map(parts.map((part) => [part.name, part]))
  const names = new Set([...Object.keys(turn.request), ...now.keys()])
  return [...names].flatMap((name) => {
    const part = now.get(name)
    const recorded = Object.hasOwn(turn.request, name) ? turn.request[name] : undefined
    if (part?.fingerprint === recorded) return []
    return [{ name, kind: part?.kind ?? (name.split(':', 1)[0] as Part['kind']), part }]
  })
}

const recordedContent = (
  name: string,
  kind: Part['kind'],
  turn: CassetteTurn,
  book: PartBook,
): Part['content'] | undefined => {
  const message = turn.messages.find(({ part }) => part === name)
  if (message) return message.text
  const fingerprint = Object.hasOwn(turn.request, name) ? turn.request[name] : undefined
  return fingerprint === undefined ? undefined : book.find(kind, fingerprint)
}

/** A kept answer as the model gave it; `turn` makes the ids of its calls. */
export const played = (
  answer: CassetteAnswer,
  turn: number,
  options: Pick<ReplayOptions, 'priceOf'>,
  placeholders: Placeholders,
): ModelResponse => ({
  text: placeholders.show(answer.text),
  calls: answer.actions.map(({ name, input, problem }, i) => ({
    id: `call_${turn}_${i + 1}`,
    name,
    input: placeholders.showValue(input),
    ...(problem === undefined ? {} : { problem }),
  })),
  stop: answer.stop,
  usage: answer.usage,
  costUsd: options.priceOf(answer.usage, answer.model),
  latencyMs: answer.latency_ms,
  model: answer.model,
})

const replayedTool = (tool: Tool, outside: CassetteTrial['outside'], placeholders: Placeholders): Tool => ({
  ...tool,
  run: async (): Promise<ToolResult> => {
    const at = outside.findIndex(({ action }) => action === tool.type)
    const [result] = at < 0 ? [] : outside.splice(at, 1)
    if (result === undefined) return { status: 'error', text: `no result of ${tool.type} is recorded for this` }
    return { status: result.status, text: placeholders.show(result.text) }
  },
})

const replayedProvided = (
  tool: Omit<ProvidedTool, 'call'>,
  outside: CassetteTrial['outside'],
  placeholders: Placeholders,
): ProvidedTool => ({
  ...tool,
  call: async () => {
    const at = outside.findIndex(({ action, target }) => action === 'call_tool' && target === tool.name)
    const [result] = at < 0 ? [] : outside.splice(at, 1)
    if (result === undefined) return { status: 'error', text: `no result of ${tool.name} is recorded for this` }
    return { status: result.status, text: placeholders.show(result.text) }
  },
})
