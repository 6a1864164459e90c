/** The longest that a server may make us wait for one more attempt. */
const longestWaitMs = 60_000
const firstWaitMs = 500
const longestOwnWaitMs = 8_000

export type RetryWait = { readonly waitMs: number } | { readonly tooLongMs: number }

/**
 * How long to wait before attempt `attempt` + 1 (from 0): as the server says in `retry-after-ms` or `retry-after` (seconds, or a
 * date: RFC 9110, 10.2.3), else 0.5 s and twice as much each time up to 8 s, less up to a quarter by chance. A server that wants
 * more than a minute is not waited for.
 */
export const retryWait = (
  headers: Headers | undefined,
  attempt: number,
  { now, random }: { readonly now: number; readonly random: () => number },
): RetryWait => {
  const asked = askedFor(headers, now)
  if (asked !== undefined) return asked > longestWaitMs ? { tooLongMs: asked } : { waitMs: Math.max(0, asked) }
  const own = Math.min(longestOwnWaitMs, firstWaitMs * 2 ** attempt)
  return { waitMs: Math.round(own * (1 - random() / 4)) }
}

const askedFor = (headers: Headers | undefined, now: number): number | undefined => {
  const inMs = numberIn(headers?.get('retry-after-ms'))
  if (inMs !== undefined) return inMs
  const header = headers?.get('retry-after')
  const inSeconds = numberIn(header)
  if (inSeconds !== undefined) return inSeconds * 1000
  // Date.parse finds a date in almost anything.
  const date = header && /^[A-Z][a-z]{2}, .* GMT$/.test(header) ? Date.parse(header) : Number.NaN
  return Number.isNaN(date) ? undefined : date - now
}

const numberIn = (text: string | null | undefined): number | undefined =>
  text && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined
