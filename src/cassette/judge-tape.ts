import { type JudgeParts, type ModelRequest, type ModelResponse, noAnswer } from '../core/model.ts'
import type { ModelAdapter } from '../core/ports.ts'
import type { RecordMode } from '../core/record-mode.ts'
import type { RecordingUse } from '../core/results.ts'
import type { Usage } from '../core/trajectory.ts'
import type { CassetteJudgeCall } from '../schema/cassette.ts'
import { explainDifference } from './explain-difference.ts'
import { fingerprint } from './fingerprint.ts'
import type { PartBook } from './part-book.ts'
import type { Placeholders } from './placeholders.ts'
import type { Canonical, Part } from './read-request.ts'
import { keptAnswer } from './record-model.ts'
import { played } from './replay-model.ts'
import { differenceList } from './stale-differences.ts'
import type { StaleMode } from './stale-policy.ts'

/** The judge of a trial, and what is done with its recordings. */
export type RecordedJudge = {
  readonly profile: string
  readonly protocol: 'native' | 'text'
  readonly mode: RecordMode
  readonly params: Readonly<Record<string, string>>
  priceOf(usage: Usage, model: string): number | null
  /** The judge itself: opened only where it is asked. */
  live(): ModelAdapter
  /** What judges where nothing is recorded; undefined: that is an error. */
  readonly fallback?: () => ModelAdapter
}

export type JudgeTapeOptions = {
  readonly judge: RecordedJudge
  readonly canonical: Canonical
  readonly placeholders: Placeholders
  readonly policy: StaleMode
  readonly book: PartBook
  readonly path: string
  /** What it is a recording of: `csv-analyzer/top-months`. */
  readonly label: string
  /** The command that records it, for a mode. */
  again(mode: RecordMode): string
  /** Why the recording that is there is no use. */
  readonly problem?: string | undefined
  /** The parts in which a recorded question is the same one, however it may have changed; none: any is. */
  readonly same?: readonly string[]
}

/** The judge of one trial with its recording. Questions are found by what they are, in whatever order they are asked. */
export type JudgeTape = {
  readonly model: ModelAdapter
  /** What was answered, in order; what was recorded and is not asked any more is left out. */
  calls(): readonly CassetteJudgeCall[]
  /** Whether something was answered anew, and is to be kept. */
  hasNews(): boolean
  /** Whether the judge itself was asked, whatever it answered. */
  wasAsked(): boolean
  /** Whether something went wrong, so that nothing may be kept. */
  isBroken(): boolean
  use(): Pick<RecordingUse, 'mode' | 'stale_parts' | 'differences'>
}

/** `unused` are the recorded calls that are still to be played; those that are taken out of it. Undefined: none was recorded. */
export const judgeTape = (unused: CassetteJudgeCall[] | undefined, options: JudgeTapeOptions): JudgeTape => {
  const { judge, book, policy, placeholders } = options
  const { mode } = judge
  const calls: CassetteJudgeCall[] = []
  const stale = new Set<string>()
  const told = differenceList()
  let opened: ModelAdapter | undefined
  let wasAsked = false
  let hasNews = false
  let isBroken = false
  let isPositional = false

  // Those that stood in for a question that has changed: they stay for the question that is still theirs.
  const lent = new Set<CassetteJudgeCall>()

  const say = (call: CassetteJudgeCall): ModelResponse => {
    calls.push(call)
    return played(call.answer, calls.length, judge, placeholders)
  }

  const play = (call: CassetteJudgeCall): ModelResponse => {
    unused?.splice(unused.indexOf(call), 1)
    lent.delete(call)
    return say(call)
  }

  const record = async (request: ModelRequest, parts: readonly Part[], signal: AbortSignal): Promise<ModelResponse> => {
    // Until there is an answer.
    isBroken = true
    opened ??= judge.live()
    wasAsked = true
    const response = await opened.generate(request, { signal })
    if (response.error !== undefined) return response
    isBroken = false
    hasNews = true
    book.add(parts)
    calls.push({
      request: Object.fromEntries(parts.map((part) => [part.name, part.fingerprint])),
      answer: keptAnswer(response, options.canonical),
    })
    return response
  }

  const noteStale = (parts: readonly Part[], call: CassetteJudgeCall): void => {
    for (const name of differences(parts, call)) {
      stale.add(name)
      told.add(name, recordedPart(name, call, book), parts.find((part) => part.name === name)?.content)
    }
  }

  const lend = (parts: readonly Part[], call: CassetteJudgeCall): ModelResponse => {
    if (policy === 'warn') noteStale(parts, call)
    isPositional ||= policy === 'warn'
    lent.add(call)
    return say(call)
  }

  const refuse = async (parts: readonly Part[], nearest: CassetteJudgeCall): Promise<ModelResponse> => {
    noteStale(parts, nearest)
    return noAnswer({ code: 'stale', message: await staleMessage(parts, nearest, options) })
  }

  return {
    model: {
      profile: judge.profile,
      protocol: judge.protocol,
      generate: async (request, { signal }) => {
        signal.throwIfAborted()
        const parts = partsOf(request.judge, judge.params, options.canonical)
        if (mode === 'all') return record(request, parts, signal)
        const left = (unused ?? []).filter((call) => !lent.has(call))
        const exact = [...left, ...lent].find((call) => differences(parts, call).length === 0)
        if (exact !== undefined) return play(exact)
        const same = options.same ?? []
        // A verdict on other criteria says nothing of these, whatever the policy.
        const standIn = nearestOf(parts, left, ['judge:criteria', ...same])
        if (standIn !== undefined && policy !== 'fail') return lend(parts, standIn)
        const nearest = standIn ?? nearestOf(parts, left, same)
        if (nearest !== undefined && mode === 'stale') return record(request, parts, signal)
        if (nearest !== undefined && (standIn !== undefined || mode !== 'missing')) return refuse(parts, nearest)
        const isUsable = options.problem === undefined
        if (isUsable && (mode === 'missing' || (mode === 'stale' && unused !== undefined))) {
          return record(request, parts, signal)
        }
        if (isUsable && unused === undefined && judge.fallback) {
          opened ??= judge.fallback()
          return opened.generate(request, { signal })
        }
        return noAnswer({ code: 'missing_cassette', message: missingMessage(unused, options) })
      },
      close: async (ok) => {
        if (!ok) isBroken = true
        await opened?.close(ok)
      },
    },
    calls: () => [...new Set(calls)],
    hasNews: () => hasNews,
    wasAsked: () => wasAsked,
    isBroken: () => isBroken,
    use: () => ({
      mode: hasNews ? 'record' : isPositional ? 'positional' : 'replay',
      stale_parts: [...stale],
      ...told.told(),
    }),
  }
}

/** What the judge is asked, part by part, as it is compared. Authors' rules hold for the material: a script may have written it. */
const partsOf = (
  asked: JudgeParts | undefined,
  params: Readonly<Record<string, string>>,
  { text, observation }: Canonical,
): readonly Part[] => {
  if (asked === undefined) throw new Error('a judge was asked something else than to judge')
  const { prompt, criteria, request, what, material, repair } = asked
  const contents: Readonly<Record<string, string>> = {
    prompt: text(prompt),
    params: text(
      Object.entries(params)
        .map(([name, value]) => `${name}: ${value}`)
        .join('\n'),
    ),
    criteria: text(criteria.map((one, i) => `${i + 1}. ${one}`).join('\n')),
    request: text(request),
    material: `${text(what)}:\n${observation(material)}`,
    ...(repair === undefined ? {} : { repair: text(repair) }),
  }
  return Object.entries(contents).map(([name, content]) => ({
    name: `judge:${name}`,
    kind: 'judge',
    fingerprint: fingerprint(content),
    content,
  }))
}

/** The names of the parts that are not what was recorded. */
const differences = (parts: readonly Part[], { request }: CassetteJudgeCall): string[] => {
  const now = new Map(parts.map(({ name, fingerprint: print }) => [name, print]))
  const names = new Set([...Object.keys(request), ...now.keys()])
  return [...names].filter((name) => now.get(name) !== (Object.hasOwn(request, name) ? request[name] : undefined))
}

const recordedPart = (name: string, { request }: CassetteJudgeCall, book: PartBook): Part['content'] | undefined => {
  const was = Object.hasOwn(request, name) ? request[name] : undefined
  return was === undefined ? undefined : book.find('judge', was)
}

/** The first of those that differ least. */
const nearestOf = (
  parts: readonly Part[],
  calls: readonly CassetteJudgeCall[],
  same: readonly string[],
): CassetteJudgeCall | undefined => {
  let nearest: { readonly call: CassetteJudgeCall; readonly count: number } | undefined
  for (const call of calls) {
    const differing = differences(parts, call)
    if (differing.some((name) => same.includes(name))) continue
    const count = differing.length
    if (nearest === undefined || count < nearest.count) nearest = { call, count }
    if (count === 0) break
  }
  return nearest?.call
}

const staleMessage = async (
  parts: readonly Part[],
  nearest: CassetteJudgeCall,
  { path, label, book, again }: JudgeTapeOptions,
): Promise<string> => {
  const reasons = await Promise.all(
    differences(parts, nearest).map((name) =>
      explainDifference(
        name,
        recordedPart(name, nearest, book),
        parts.find((part) => part.name === name),
      ),
    ),
  )
  return [
    `No recording matches what the judge of ${label} is asked (${path}).`,
    ...reasons.map((reason, i) => `  ${i === 0 ? 'Nearest differs' : 'and'} at ${reason}`),
    `  Re-record: ${again('stale')}`,
  ].join('\n')
}

const missingMessage = (
  unused: readonly CassetteJudgeCall[] | undefined,
  { path, label, again, judge, problem }: JudgeTapeOptions,
): string => {
  if (problem !== undefined) {
    return `The recording of ${label} (${path}) can't be used: ${problem}.\n  Record it anew: ${again('all')}`
  }
  const what =
    unused === undefined
      ? `No verdict of the judge ${judge.profile} is recorded for ${label} (${path}).`
      : `The judge ${judge.profile} is asked more of ${label} than is recorded (${path}).`
  return `${what}\n  Record: ${again('missing')}`
}
