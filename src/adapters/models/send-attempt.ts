import type { Clock } from '../../core/ports.ts'
import { parseJson } from '../../lib/json.ts'
import { visibleLine } from '../../lib/visible.ts'
import { type Failure, type Hide, statusFailure } from './provider-failure.ts'

export type Attempt = {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly keyName: string | undefined
  readonly hide: Hide
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

const mostBytes = 32 * 1024 * 1024
const mostErrorBytes = 64 * 1024

/**
 * One request and its answer's JSON, or the reason why there is none. Follows no redirect, reads no more than is of use,
 * gives up after `timeoutMs`. Rejects only when `signal` is aborted.
 */
export const sendAttempt = async (
  attempt: Attempt,
  clock: Clock,
): Promise<{ readonly json: unknown } | { readonly failure: Failure }> => {
  const { url, timeoutMs, signal } = attempt
  // Not AbortSignal.any: it leaves something behind on `signal`, which outlives thousands of requests.
  const ending = new AbortController()
  const abort = () => ending.abort()
  let isLate = false
  const cancelTimer = clock.timer(timeoutMs, () => {
    isLate = true
    abort()
  })
  signal.addEventListener('abort', abort, { once: true })
  try {
    signal.throwIfAborted()
    return await exchange(attempt, ending.signal)
  } catch (error) {
    signal.throwIfAborted()
    return { failure: isLate ? lateFailure(url, timeoutMs) : await transportFailure(error, url) }
  } finally {
    cancelTimer()
    signal.removeEventListener('abort', abort)
  }
}

const exchange = async (
  { url, headers, body, keyName, hide }: Attempt,
  signal: AbortSignal,
): Promise<{ readonly json: unknown } | { readonly failure: Failure }> => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
    body,
    redirect: 'manual',
    signal,
  })
  const isAnswer = response.status >= 200 && response.status < 300
  const read = await readText(response, isAnswer ? mostBytes : mostErrorBytes)
  if (!isAnswer) {
    return { failure: statusFailure(response.status, response.headers, read.text, { host: url.host, keyName, hide }) }
  }
  const failed = (what: string) => ({
    failure: { code: 'model_error', message: `${url.host} ${what}`, mayRetry: false, mayBeBilled: true } as const,
  })
  if (read.isCut) return failed(`sent an answer of more than ${mostBytes / 1024 / 1024} MiB`)
  const json = parseJson(read.text)
  if (json.ok) return { json: json.value }
  return failed(`sent an answer that is not JSON (${json.message}): ${visibleLine(hide(read.text).trim(), 200)}`)
}

/** Leaving the loop early closes the connection: what lies beyond is not read. */
const readText = async (
  response: Response,
  limit: number,
): Promise<{ readonly text: string; readonly isCut: boolean }> => {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of response.body ?? []) {
    pieces.push(piece)
    bytes += piece.length
    if (bytes > limit) break
  }
  const text = new TextDecoder().decode(Buffer.concat(pieces).subarray(0, limit))
  return { text, isCut: bytes > limit }
}

const lateFailure = (url: URL, timeoutMs: number): Failure => ({
  code: 'provider_timeout',
  message: `${url.host} did not answer in ${timeoutMs / 1000} s; raise timeout_seconds of the profile`,
  mayRetry: true,
  mayBeBilled: true,
})

const transportFailure = async (error: unknown, url: URL): Promise<Failure> => {
  // What fetch throws says nothing; its cause does.
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
  const { describeFault } = await import('../net/describe-fault.ts')
  const told = messageOf(cause) || messageOf(error)
  const words = describeFault(cause, url) ?? `the request to ${url.host} failed: ${visibleLine(told)}`
  return { code: 'model_error', message: words, mayRetry: true, mayBeBilled: !isNeverSent(cause) }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Nobody was there: there is nothing to bill. */
const isNeverSent = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  /^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH)$/.test(`${error.code}`)
