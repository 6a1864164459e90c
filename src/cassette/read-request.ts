import { type ActionType, actionTypeOf, mainParam, normalizeParams, type RawCall } from '../core/actions.ts'
import type { BodyText, Message, ModelRequest } from '../core/model.ts'
import type { StaleKind } from '../schema/cassette.ts'
import { fingerprint, fingerprintOf } from './fingerprint.ts'

/** A part of a request as it is compared: its name (`body:csv-analyzer`, `observation:2`) and its fingerprint. */
export type Part = {
  readonly name: string
  readonly kind: StaleKind
  readonly fingerprint: string
  /** What it is, for the explanation of a difference: a text, or texts by their names. */
  readonly content: string | Readonly<Record<string, string>>
  /** What a person knows an observation by: the file or the tool that it is of. */
  readonly label?: string
}

export type RequestNews = {
  readonly parts: readonly Part[]
  readonly messages: readonly { readonly part: string; readonly label?: string; readonly text: string }[]
}

/** Brings a text to the form in which it is kept and compared; observations also by the author's own rules. */
export type Canonical = {
  text(text: string): string
  observation(text: string): string
  value(value: unknown): unknown
}

/** The parts that are the same in trial after trial of a suite, put into their form once. */
export type FixedParts = { find(request: FixedRequest): readonly Part[] | undefined; keep(known: KnownParts): void }
type FixedRequest = ModelRequest['parts'] & { readonly params: Readonly<Record<string, string>> }
type KnownParts = { readonly request: FixedRequest; readonly parts: readonly Part[] }

/** Remembers the last few; what speaks of a place of this machine is made anew, since places differ from trial to trial. */
export const fixedParts = (): FixedParts => {
  const known: KnownParts[] = []
  return {
    find: (request) => known.find((one) => isSameRequest(one.request, request))?.parts,
    keep: (one) => {
      if (one.parts.some(({ content }) => JSON.stringify(content).includes('[path:'))) return
      known.unshift(one)
      known.length = Math.min(known.length, MAX_KNOWN)
    },
  }
}

const MAX_KNOWN = 8

/** Own tools are the same objects in every trial; those that a case provides are not, and are read anew. */
const isSameRequest = (a: FixedRequest, b: FixedRequest): boolean =>
  a.index === b.index &&
  a.system === b.system &&
  a.tools.length === b.tools.length &&
  a.tools.every((tool, i) => tool === b.tools[i]) &&
  isSameMap(a.params, b.params) &&
  isSameMap(a.descriptions, b.descriptions)

const isSameMap = (a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean => {
  const names = Object.keys(a)
  return names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && a[name] === b[name])
}

/** The start of a conversation, as it was recorded. */
export type RecordedStart = {
  readonly turns: readonly { readonly request: Readonly<Record<string, string>> }[]
  readonly messages: readonly Message[]
  /** How often the model was shown less than all. */
  readonly shortened: number
}

/**
 * Reads the requests of one trial in order: what is new in each, part by part. `params` is what the profile sets. The
 * parts that stay the same for a run are told when they are new, which is in the first turn.
 */
export const requestReader = (
  params: Readonly<Record<string, string>>,
  canonical: Canonical,
  remembered: FixedParts = fixedParts(),
) => {
  const conversations = new Map<string, { seen: number; observations: number; shortened: number }>()
  const fixed = new Map<string, string>()
  const read: { last?: ModelRequest['parts'] } = {}

  const ifNew = (part: Part): Part[] => {
    if (fixed.get(part.name) === part.fingerprint) return []
    fixed.set(part.name, part.fingerprint)
    return [part]
  }

  const newFixed = ({ parts }: ModelRequest): Part[] => {
    // The agent hands over the same object in every turn.
    if (read.last === parts) return []
    read.last = parts
    const request = { ...parts, params }
    const known = remembered.find(request)
    if (known) return known.flatMap(ifNew)
    const made = partsOf(request)
    remembered.keep({ request, parts: made })
    return made.flatMap(ifNew)
  }

  const partsOf = (parts: FixedRequest): Part[] => {
    const descriptions = Object.fromEntries(
      Object.entries(parts.descriptions).map(([name, text]) => [canonical.text(name), canonical.text(text)]),
    )
    const specs = parts.tools.map(canonical.value)
    const tools = Object.fromEntries(parts.tools.map(({ name }, i) => [canonical.text(name), fingerprintOf(specs[i])]))
    const told = canonical.value(params) as Readonly<Record<string, string>>
    const system = canonical.text(parts.system)
    return [
      { name: 'system', kind: 'system', fingerprint: fingerprint(system), content: system } as const,
      {
        name: 'index',
        kind: 'index',
        fingerprint: fingerprint(canonical.text(parts.index)),
        content: descriptions,
      } as const,
      { name: 'tools', kind: 'tools', fingerprint: fingerprintOf(specs), content: tools } as const,
      { name: 'params', kind: 'params', fingerprint: fingerprintOf(told), content: told } as const,
    ]
  }

  return {
    /** Takes a conversation for read that was recorded another time: its turns, and what was said until the last of them. */
    goOn: ({ turns, messages, shortened }: RecordedStart): void => {
      for (const { request } of turns)
        for (const name of ['system', 'index', 'tools', 'params'])
          if (request[name] !== undefined) fixed.set(name, request[name])
      const observations = messages.reduce((sum, message) => {
        if (message.role === 'tool') return sum + message.results.length
        return message.role === 'user' && message.isObservation ? sum + 1 : sum
      }, 0)
      conversations.set('', { seen: messages.length, observations, shortened })
    },
    next: (request: ModelRequest): RequestNews => {
      const parts = newFixed(request)
      const who = request.conversation ?? ''
      const at = conversations.get(who) ?? { seen: 0, observations: 0, shortened: 0 }
      conversations.set(who, at)
      const messages: { part: string; label?: string; text: string }[] = []
      const add = (kind: 'input' | 'observation', text: string, bodies: readonly BodyText[], label?: string) => {
        let rest = text
        for (const body of bodies) {
          const content = canonical.text(body.text)
          parts.push({ name: `body:${body.skill}`, kind: 'body', fingerprint: fingerprint(content), content })
          rest = rest.replace(body.text, () => `[body:${body.skill}]`)
        }
        if (kind === 'observation') at.observations += 1
        const content = kind === 'observation' ? canonical.observation(rest) : canonical.text(rest)
        const part = partName(kind, at.observations, who)
        const named = label === undefined ? {} : { label: canonical.text(label) }
        parts.push({ name: part, kind, fingerprint: fingerprint(content), content, ...named })
        messages.push({ part, ...named, text: content })
      }
      // What is left out of a long conversation was compared when it was new.
      const history = request.compacted?.history ?? request.messages
      const added = history.slice(at.seen)
      for (const [i, message] of added.entries()) {
        if (message.role === 'user') {
          add(message.isObservation ? 'observation' : 'input', message.text, message.bodies ?? [])
        }
        if (message.role !== 'tool') continue
        const calls = callsBefore(history, at.seen + i)
        for (const result of message.results) {
          const call = calls.find(({ id }) => id === result.callId)
          add('observation', result.text, result.bodies ?? [], labelOf(result.name, call))
        }
      }
      at.seen = history.length
      if (request.compacted !== undefined && request.compacted.times > at.shortened) {
        at.shortened = request.compacted.times
        const text = canonical.text(request.compacted.note)
        const name = partName('context', at.shortened, who)
        parts.push({ name, kind: 'context', fingerprint: fingerprint(text), content: text })
        messages.push({ part: name, text })
      }
      return { parts, messages }
    },
  }
}

/** `observation:2`, `input`; of a sub-agent `observation:researcher/2`, `input:researcher`. */
const partName = (kind: 'input' | 'observation' | 'context', n: number, conversation: string): string => {
  if (conversation === '') return kind === 'input' ? kind : `${kind}:${n}`
  return kind === 'input' ? `${kind}:${conversation}` : `${kind}:${conversation}/${n}`
}

const callsBefore = (messages: readonly Message[], at: number): readonly RawCall[] => {
  const before = messages[at - 1]
  return before?.role === 'assistant' ? before.calls : []
}

/** `scripts/top.py`, `data.csv`, the name of a provided tool: the main parameter of the call, else its name. */
const labelOf = (name: string, call: RawCall | undefined): string => {
  const type: ActionType | undefined = actionTypeOf(name)
  if (type === undefined || call === undefined) return name
  const params = normalizeParams(type, call.input)
  const value =
    typeof params === 'object' && params !== null ? (params as Record<string, unknown>)[mainParam(type)] : undefined
  return typeof value === 'string' && value !== '' && value.length <= 200 ? value : name
}
