import type { RawCall } from '../core/actions.ts'
import type { Message, ModelRequest, ModelResponse, RequestParts, ToolMessage } from '../core/model.ts'
import type { ModelAdapter } from '../core/ports.ts'
import { canonicalForm } from './canonical.ts'
import { type Place, placeholders } from './placeholders.ts'
import { redactor } from './redactor.ts'

export const someParts = (change: Partial<RequestParts> = {}): RequestParts => ({
  system: 'You do tasks.',
  index: '- csv: about csv\n- pdf: about pdf',
  descriptions: { csv: 'about csv', pdf: 'about pdf' },
  tools: [{ name: 'read_file', description: 'Reads.', parameters: { type: 'object' } }],
  ...change,
})

export const requestOf = (messages: readonly Message[], parts = someParts()): ModelRequest => ({
  system: parts.system,
  parts,
  messages,
  tools: parts.tools,
  view: { turn: 1, input: '', observation: '', skillsLoaded: [], skillsAvailable: [] },
})

export const user = (text: string): Message => ({ role: 'user', text })
export const call = (id: string, name: string, input: unknown = {}): RawCall => ({ id, name, input })
export const answered = (...calls: readonly RawCall[]): Message => ({ role: 'assistant', text: '', calls })
export const results = (...list: readonly (Partial<ToolMessage> & { readonly text: string })[]): Message => ({
  role: 'tool',
  results: list.map((one, i) => ({ callId: `${i}`, name: 'read_file', isError: false, ...one })),
})

export const response = (change: Partial<ModelResponse> = {}): ModelResponse => ({
  text: '',
  calls: [],
  stop: 'end',
  usage: { input_tokens: 1, output_tokens: 1, cached_input_tokens: 0, reasoning_tokens: 0 },
  costUsd: 0,
  latencyMs: 0,
  model: 'm-1',
  ...change,
})

/** Gives these answers in order; `asked` counts how often it was. */
export const answering = (answers: readonly ModelResponse[]): ModelAdapter & { asked(): number } => {
  let at = 0
  return {
    profile: 'p',
    protocol: 'native',
    generate: async () => {
      const answer = answers[at]
      at += 1
      return answer ?? response({ stop: 'error', error: { code: 'model_error', message: 'no answer left' } })
    },
    close: async () => undefined,
    asked: () => at,
  }
}

export const someSecrets = redactor({ env: { MY_TOKEN: 'correcthorsebattery' }, key: 'k' })

export const canonicalOf = (places: readonly Place[] = [], rules: readonly { match: string; replace: string }[] = []) =>
  canonicalForm(placeholders(places), someSecrets, rules)

export const signal = new AbortController().signal
