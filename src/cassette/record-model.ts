import type { ModelResponse } from '../core/model.ts'
import type { ModelAdapter, ProvidedTool, Tool } from '../core/ports.ts'
import type { RecordingUse } from '../core/results.ts'
import type { CassetteAnswer, CassetteTrial, CassetteTurn, OutsideResult } from '../schema/cassette.ts'
import type { PartBook } from './part-book.ts'
import { type Canonical, type FixedParts, type RecordedStart, requestReader } from './read-request.ts'

export type RecordOptions = {
  /** What the profile sets, as texts. */
  readonly params: Readonly<Record<string, string>>
  readonly canonical: Canonical
  /** Shared by the trials of a run. */
  readonly fixed?: FixedParts
  readonly path: string
  /** Takes what the fingerprints stand for. */
  readonly book: PartBook
  /** At the end of the trial; undefined where it did not end in order and nothing of it may be kept. */
  ended(trial: CassetteTrial | undefined): void
}

export type RecordingModel = ModelAdapter & {
  /** What was recorded so far; undefined before the first answer, and where the last request has none. */
  soFar(): CassetteTrial | undefined
  /** Records what comes behind this, which was recorded another time. */
  goOn(earlier: CassetteTrial, start: Pick<RecordedStart, 'messages' | 'shortened'>): void
}

/** A model whose answers in one trial are kept, with the parts of the requests that they answer. */
export const recordModel = (inner: ModelAdapter, options: RecordOptions): RecordingModel => {
  const { canonical } = options
  const reader = requestReader(options.params, canonical, options.fixed)
  const turns: CassetteTurn[] = []
  const outside: OutsideResult[] = []
  let listed: CassetteTrial['provided']
  let isBroken = false
  const use: RecordingUse = { path: options.path, mode: 'record', stale_parts: [] }
  const soFar = (): CassetteTrial | undefined =>
    isBroken || turns.length === 0
      ? undefined
      : { turns: [...turns], outside: [...outside], ...(listed === undefined ? {} : { provided: listed }) }
  return {
    soFar,
    goOn: (earlier, start) => {
      turns.unshift(...earlier.turns)
      outside.unshift(...earlier.outside)
      reader.goOn({ turns: earlier.turns, ...start })
    },
    profile: inner.profile,
    protocol: inner.protocol,
    generate: async (request, context) => {
      // Until there is an answer: a request that was cut off can't be played back.
      isBroken = true
      const { parts, messages } = reader.next(request)
      const response = await inner.generate(request, context)
      if (response.error !== undefined) return response
      isBroken = false
      options.book.add(parts)
      turns.push({
        ...(request.conversation === undefined ? {} : { agent: request.conversation }),
        request: Object.fromEntries(parts.map((part) => [part.name, part.fingerprint])),
        messages: messages.map((message) => ({ ...message })),
        answer: keptAnswer(response, canonical),
      })
      return response
    },
    close: async (ok) => {
      try {
        await inner.close(ok)
      } finally {
        options.ended(ok ? soFar() : undefined)
      }
    },
    provided: async ({ names, atHand, open }) => {
      const tools = names.length === 0 ? [] : await open()
      if (names.length > 0)
        listed = { servers: [...names].sort(), tools: tools.map((tool) => keptTool(tool, canonical)) }
      return [...atHand, ...tools].map((tool) => recordedProvided(tool, outside, canonical))
    },
    recording: {
      use: () => use,
      tool: (tool) => (tool.isOutside ? recordedTool(tool, outside, canonical) : tool),
    },
  }
}

/** An answer as a cassette keeps it. */
export const keptAnswer = (response: ModelResponse, canonical: Canonical): CassetteAnswer => ({
  text: canonical.text(response.text),
  // Ids are the provider's and new each time; in a replay they are made from the turn.
  actions: response.calls.map(({ name, input, problem }) => ({
    name: canonical.text(name),
    input: canonical.value(input ?? null),
    ...(problem === undefined ? {} : { problem: canonical.text(problem) }),
  })),
  stop: response.stop,
  usage: response.usage,
  model: canonical.text(response.model),
  // Finer would be noise in every review of a recording that was made anew.
  latency_ms: Math.round(response.latencyMs / 100) * 100,
})

const recordedTool = (tool: Tool, outside: OutsideResult[], canonical: Canonical): Tool => ({
  ...tool,
  run: async (params, context) => {
    const result = await tool.run(params, context)
    outside.push({
      action: tool.type,
      target: canonical.text(targetOf(params)),
      status: result.status,
      text: canonical.text(result.text),
    })
    return result
  },
})

const keptTool = ({ name, description, parameters }: ProvidedTool, canonical: Canonical) => ({
  name,
  description: canonical.text(description),
  parameters: canonical.value(parameters) as Record<string, unknown>,
})

const recordedProvided = (tool: ProvidedTool, outside: OutsideResult[], canonical: Canonical): ProvidedTool => ({
  ...tool,
  call: async (input, options) => {
    const result = await tool.call(input, options)
    outside.push({
      action: 'call_tool',
      target: tool.name,
      status: result.status,
      text: canonical.text(result.text),
    })
    return result
  },
})

const targetOf = ({ url, tool }: Readonly<Record<string, unknown>>): string => {
  const target = url ?? tool
  return typeof target === 'string' ? target : ''
}
