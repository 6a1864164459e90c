import type { ModelAdapter } from '../core/ports.ts'

/** Stands where a recording should be: contacts nobody and says what is missing. */
export const missingModel = (profile: string, protocol: 'native' | 'text', message: string): ModelAdapter => ({
  profile,
  protocol,
  generate: async () => ({
    text: '',
    calls: [],
    stop: 'error',
    usage: { input_tokens: 0, output_tokens: 0, cached_input_tokens: 0, reasoning_tokens: 0 },
    costUsd: 0,
    latencyMs: 0,
    model: '',
    error: { code: 'missing_cassette', message },
  }),
  close: async () => undefined,
})
