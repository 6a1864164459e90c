import { noAnswer } from '../core/model.ts'
import type { ModelAdapter } from '../core/ports.ts'

/** Stands where a recording should be: contacts nobody and says what is missing. */
export const missingModel = (profile: string, protocol: 'native' | 'text', message: string): ModelAdapter => ({
  profile,
  protocol,
  generate: async () => noAnswer({ code: 'missing_cassette', message }),
  close: async () => undefined,
  provided: async () => [],
})
