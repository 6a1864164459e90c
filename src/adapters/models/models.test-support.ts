import type { Message, ModelRequest, ToolSpec } from '../../core/model.ts'
import { type LiveProfile, profileSchema } from '../../schema/config.ts'

export const readFile: ToolSpec = {
  name: 'read_file',
  description: 'Read a file.',
  parameters: { type: 'object', properties: { path: { type: 'string' } } },
}

export const request = (messages: readonly Message[], change: Partial<ModelRequest> = {}): ModelRequest => ({
  system: 'Be brief.',
  parts: { system: 'Be brief.', index: '', descriptions: {}, tools: [readFile] },
  messages,
  tools: [readFile],
  view: { turn: 2, input: '', observation: '', skillsLoaded: [], skillsAvailable: [] },
  ...change,
})

/** A profile as the configuration would give it. */
export const profile = <P extends LiveProfile['provider']>(
  provider: P,
  more: Readonly<Record<string, unknown>> = {},
): Extract<LiveProfile, { readonly provider: P }> =>
  profileSchema.parse({ provider, model: 'some-model', ...more }) as Extract<LiveProfile, { readonly provider: P }>

/** A conversation with everything in it: two calls in one answer, an error, a second request. */
export const conversation: readonly Message[] = [
  { role: 'user', text: 'Compare a and b.' },
  {
    role: 'assistant',
    text: 'I read both.',
    calls: [
      { id: 'c1', name: 'read_file', input: { path: 'a' } },
      { id: 'c2', name: 'read_file', input: { path: 'b' } },
    ],
  },
  {
    role: 'tool',
    results: [
      { callId: 'c1', name: 'read_file', text: 'A', isError: false },
      { callId: 'c2', name: 'read_file', text: 'there is no b', isError: true },
    ],
  },
  { role: 'user', text: 'And now?' },
]
