import type { RawCall } from '../../core/actions.ts'
import type { ModelRequest, ToolSpec } from '../../core/model.ts'
import { parseJson } from '../../lib/json.ts'
import { isRecord, textOf } from './wire.ts'

/** The names of tools as providers allow them (letters, digits, `_`, `-`), there and back. */
export type WireNames = { readonly toWire: (name: string) => string; readonly fromWire: (name: string) => string }

export const wireNames = (tools: readonly ToolSpec[]): WireNames => {
  const allowed = /^[A-Za-z0-9_-]{1,64}$/
  const taken = new Set(tools.map(({ name }) => name).filter((name) => allowed.test(name)))
  const there = new Map<string, string>()
  const back = new Map<string, string>()
  for (const { name } of tools) {
    if (allowed.test(name)) continue
    const plain = name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 60) || 'tool'
    let wire = plain
    for (let n = 2; taken.has(wire); n += 1) wire = `${plain}_${n}`
    taken.add(wire)
    there.set(name, wire)
    back.set(wire, name)
  }
  return { toWire: (name) => there.get(name) ?? name, fromWire: (name) => back.get(name) ?? name }
}

/** A call as it came: arguments are a text that should be JSON, or a value already. */
export type WireCall = { readonly id: unknown; readonly name: unknown; readonly args: unknown }

/**
 * Calls with one id each and their arguments read strictly: half a text is never made whole. Ids that are missing or
 * not unique are replaced; a call keeps its place in the conversation by them.
 */
export const toRawCalls = (calls: readonly WireCall[], names: WireNames, request: ModelRequest): readonly RawCall[] => {
  const taken = new Set<string>()
  return calls.map(({ id, name, args }, i) => {
    const given = textOf(id)
    const unique = given === '' || taken.has(given) ? `call_${request.view.turn}_${i + 1}` : given
    taken.add(unique)
    return { id: unique, name: names.fromWire(textOf(name)), ...readArguments(args) }
  })
}

const readArguments = (args: unknown): Pick<RawCall, 'input' | 'problem'> => {
  if (isRecord(args)) return { input: args }
  if (typeof args !== 'string') return { input: {}, problem: 'its arguments are missing' }
  const json = parseJson(args)
  if (json.ok) {
    return isRecord(json.value) ? { input: json.value } : { input: {}, problem: 'its arguments are not a JSON object' }
  }
  const at = json.line === undefined ? '' : ` (line ${json.line}, column ${json.column})`
  return { input: {}, problem: `its arguments are not JSON: ${json.message}${at}` }
}

/** Call arguments as the text that OpenAI's formats carry; what is no map was never valid. */
export const argumentsText = ({ input }: RawCall): string => (isRecord(input) ? JSON.stringify(input) : '{}')
