import type { HttpClient } from '../../core/ports.ts'
import type { NetWorld } from './send-request.ts'

/** Speaks HTTP/1.1 to the world. What it takes to do so is loaded at the first request: most runs make none. */
export const httpClient = (world: Partial<NetWorld> = {}): HttpClient => ({
  send: async (request) => {
    const { sendRequest, systemNet } = await import('./send-request.ts')
    return sendRequest(request, { ...systemNet, ...world })
  },
})
