import { SkillsEvalError, UsageError } from '../core/errors.ts'
import type { HttpClient, HttpResponse } from '../core/ports.ts'
import { packLimits } from '../distribution/limits.ts'
import { badPack } from './bad-pack.ts'

const MAX_REDIRECTS = 5
const TIMEOUT_MS = 60_000

/** What is fetched: at most so much of it, and what is told where it is more. */
export type Fetched = { readonly accept: string; readonly maxBytes: number; readonly tooLarge: () => SkillsEvalError }

const aPack: Fetched = {
  accept: 'application/zip, application/octet-stream',
  maxBytes: packLimits.zipBytes,
  tooLarge: () => badPack(`it is larger than ${packLimits.zipBytes / 1024 / 1024} MiB`),
}

/**
 * Gets a zip over http or https: so large, for so long, and through so many redirects at most; never from https to http,
 * and on to another host only where that has a public address. The origin has no query, which may hold a token.
 */
export const fetchPack = async (
  written: string,
  http: HttpClient,
  signal: AbortSignal,
  timeoutMs = TIMEOUT_MS,
  what: Fetched = aPack,
): Promise<{ readonly bytes: Uint8Array; readonly origin: string }> => {
  const first = packUrl(written)
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  let url = first
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const response = await sent(url, first, what, http, deadline, signal)
    const next = redirectOf(response, url)
    if (next === undefined) {
      if (response.status !== 200)
        throw notFetched(url, `the server says ${response.status} ${response.statusText}`, response.status)
      if (response.isCut) throw what.tooLarge()
      return { bytes: response.body, origin: `${first.origin}${first.pathname}` }
    }
    if (!/^https?:$/.test(next.protocol))
      throw notFetched(url, `it leads on to a ${next.protocol} URL, and only http and https are followed`)
    if (next.protocol !== 'https:' && url.protocol === 'https:')
      throw notFetched(url, `it leads on to ${next.protocol}//${next.host}, which is not encrypted`)
    url = next
  }
  throw notFetched(first, `it leads on more than ${MAX_REDIRECTS} times`)
}

const packUrl = (written: string): URL => {
  const url = URL.canParse(written) ? new URL(written) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new UsageError('bad_url', 'a pack comes from an http or https URL')
  if (url.username !== '' || url.password !== '')
    throw new UsageError('bad_url', 'the URL has a user name or password, which would be kept and shown')
  return url
}

const sent = async (
  url: URL,
  first: URL,
  { accept, maxBytes }: Fetched,
  http: HttpClient,
  deadline: AbortSignal,
  signal: AbortSignal,
): Promise<HttpResponse> => {
  try {
    const response = await http.send({
      url,
      method: 'GET',
      headers: { accept },
      // Whoever asks has named this host; no server may send us on to one inside.
      mayBePrivate: url.host === first.host,
      keepBytes: maxBytes,
      signal: deadline,
    })
    if ('problem' in response) throw notFetched(url, response.problem)
    return response
  } catch (error) {
    if (!deadline.aborted || signal.aborted) throw error
    throw notFetched(url, 'the server takes too long')
  }
}

const redirectOf = ({ status, headers }: HttpResponse, url: URL): URL | undefined => {
  const location = headers.get('location')
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined) return undefined
  if (!URL.canParse(location, url.href)) throw notFetched(url, 'it leads on to what is no URL')
  const next = new URL(location, url)
  if (next.username !== '' || next.password !== '') throw notFetched(url, 'it leads on to a URL with a password')
  return next
}

const notFetched = (url: URL, why: string, status?: number): SkillsEvalError =>
  new SkillsEvalError(status === 404 ? 'not_found' : 'not_fetched', `${url.origin}${url.pathname} can't be had: ${why}`)
