import { type Faulty, mostBytes } from './stdio-transport.ts'

/**
 * `fetch` for one server: no redirect is followed (headers could go where nobody sent them), and beyond a bound on what
 * came since the last request the connection is of no more use. `end` breaks off whatever is under way.
 */
export const boundedFetch = (): Faulty & { readonly fetch: typeof fetch; end(): void } => {
  const ending = new AbortController()
  let fault: string | undefined
  let received = 0
  const count = () =>
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        received += chunk.length
        if (received <= mostBytes) return controller.enqueue(chunk)
        fault ??= `it sent more than ${mostBytes / 1024 / 1024} MiB for one request`
        controller.error(new Error(fault))
        ending.abort()
      },
    })
  return {
    fetch: async (input, init) => {
      if (init?.method === 'POST') received = 0
      const signals = [ending.signal, ...(init?.signal ? [init.signal] : [])]
      const response = await fetch(input, { ...init, redirect: 'error', signal: AbortSignal.any(signals) })
      const { status, statusText, headers } = response
      if (response.body === null) return response
      return new Response(response.body.pipeThrough(count()), { status, statusText, headers })
    },
    fault: () => fault,
    end: () => ending.abort(),
  }
}
