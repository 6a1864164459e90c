import type { RawCall } from '../core/actions.ts'
import type { ModelResponse } from '../core/model.ts'
import { extractJson } from '../lib/json.ts'

/** What an answer asks for: calls to validate and do, or the reason why it can't be read. */
export type Reading = { readonly calls: readonly RawCall[] } | { readonly problem: string }

/** Reads a model's answer in its protocol. Plain text without an action is a final answer only with native tools. */
export const readAnswer = (response: ModelResponse, protocol: 'native' | 'text', turn: number): Reading => {
  if (protocol === 'text') return readText(response.text, turn)
  if (response.calls.length > 0) return { calls: response.calls }
  return { calls: [{ id: `text_${turn}`, name: 'final_answer', input: { text: response.text } }] }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const readText = (text: string, turn: number): Reading => {
  const json = extractJson(text)
  if (!json.ok) {
    const where = json.line === undefined ? '' : ` (line ${json.line}, column ${json.column})`
    return { problem: `the answer is not one JSON object {"action": …, "params": {…}}: ${json.message}${where}` }
  }
  const listed = isRecord(json.value) && Array.isArray(json.value.actions) ? json.value.actions : json.value
  const objects = Array.isArray(listed) ? listed : [listed]
  const calls: RawCall[] = []
  for (const object of objects) {
    if (!isRecord(object) || typeof object.action !== 'string') {
      return { problem: 'the answer has no "action", a string that names one of the actions' }
    }
    const id = `text_${turn}_${calls.length + 1}`
    if (object.plan_update !== undefined)
      calls.push({ id: `${id}_plan`, name: 'update_plan', input: object.plan_update })
    calls.push({ id, name: object.action, input: object.params })
  }
  return calls.length === 0 ? { problem: 'the answer has no action' } : { calls }
}
