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
      const signal = AbortSignal.any(signals)
      const place = placeOf(input)
      const response = await fetch(input, { ...init, redirect: 'manual', signal }).catch((error) => {
        signal.throwIfAborted()
        throw new Error(`${place} can't be reached (${reasonOf(error)}): is the server running, and is its url right?`)
      })
      const to = response.headers.get('location')
      if (response.status >= 300 && response.status < 400 && to !== null) {
        await response.body?.cancel()
        const led = URL.canParse(to, place) ? placeOf(new URL(to, place)) : to
        throw new Error(
          `${place} leads on to ${led}, which is not followed: if that is meant, make it the server's url`,
        )
      }
      const { status, statusText, headers } = response
      if (response.body === null) return response
      return new Response(response.body.pipeThrough(count()), { status, statusText, headers })
    },
    fault: () => fault,
    end: () => ending.abort(),
  }
}

/** What of an address holds no secret. */
const placeOf = (input: Parameters<typeof fetch>[0]): string => {
  const { origin, pathname } = new URL(input instanceof Request ? input.url : input)
  return `${origin}${pathname}`
}

/** `fetch failed` says nothing: why stands in the cause. */
const reasonOf = (error: unknown): string => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (!(cause instanceof Error)) return String(cause)
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message
}
