import type { HttpClient, HttpRequest } from '../../core/ports.ts'

export type MemoryAnswer = {
  readonly status?: number
  readonly statusText?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Never ends. */
  readonly hangs?: boolean
}

/** Answers by whole URL; every other URL is refused a connection. Remembers what has reached a server. */
export const memoryHttp = (
  answers: Readonly<Record<string, MemoryAnswer>>,
  privateHosts: readonly string[] = [],
): HttpClient & { readonly requests: readonly HttpRequest[] } => {
  const requests: HttpRequest[] = []
  return {
    requests,
    send: async (request) => {
      const { url, signal, mayBePrivate, keepBytes } = request
      signal.throwIfAborted()
      if (!mayBePrivate && privateHosts.includes(url.hostname)) return { problem: `${url.hostname} is private` }
      const answer = answers[url.href]
      if (!answer) return { problem: `${url.host} refused the connection` }
      requests.push(request)
      if (answer.hangs) await untilAborted(signal)
      const whole = typeof answer.body === 'string' ? new TextEncoder().encode(answer.body) : answer.body
      const body = request.method === 'HEAD' || whole === undefined ? new Uint8Array() : whole
      const headers = Object.entries(answer.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value] as const)
      return {
        status: answer.status ?? 200,
        statusText: answer.statusText ?? 'OK',
        headers: new Map(headers),
        body: body.slice(0, keepBytes),
        isCut: body.length > keepBytes,
      }
    },
  }
}

const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
