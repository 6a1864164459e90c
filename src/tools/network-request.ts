import type { Clock, Decision, HttpClient, HttpRequest, HttpResponse, Tool, ToolContext } from '../core/ports.ts'
import { visibleLine } from '../lib/visible.ts'
import { describeResponse } from './describe-response.ts'
import { toolLimits } from './limits.ts'
import { type Headers, harmlessHeaders, requestHeaders, withoutBodyHeaders } from './request-headers.ts'
import { redirectUrl, requestUrl } from './request-url.ts'

export type NetworkWorld = {
  readonly http: HttpClient
  readonly clock: Clock
  /** For everything: names, connections, redirects, bodies. */
  readonly timeoutMs?: number
}

/**
 * Asks an HTTP server. The policy decided on the host that the model named; it is asked again for each place that
 * a server redirects to. An answer of any status is an answer: `ok` with its status in the text.
 */
export const networkRequestTool = (world: NetworkWorld): Tool => ({
  type: 'network_request',
  risk: 'high',
  isOutside: true,
  run: async (params, context) => {
    const asked = await firstHop(params, context)
    if ('problem' in asked) return { status: 'error', text: asked.problem }
    const timeoutMs = world.timeoutMs ?? toolLimits.requestSeconds * 1000
    const deadline = new AbortController()
    const takeBack = world.clock.timer(timeoutMs, () => deadline.abort())
    try {
      const signal = AbortSignal.any([context.signal, deadline.signal])
      const result = await follow(asked, world.http, context, signal)
      if ('problem' in result) return { status: 'error', text: result.problem }
      return { status: 'ok', text: describeResponse(result.response, result.redirectedTo) }
    } catch (error) {
      if (!deadline.signal.aborted || error !== deadline.signal.reason) throw error
      return {
        status: 'error',
        text: `${asked.url.host} took longer than ${timeoutMs / 1000} s, the limit of a request`,
      }
    } finally {
      takeBack()
    }
  },
})

type Problem = { readonly problem: string }
type Hop = Pick<HttpRequest, 'url' | 'method' | 'mayBePrivate'> & { readonly headers: Headers; readonly body?: string }

const firstHop = async (params: Readonly<Record<string, unknown>>, context: ToolContext): Promise<Hop | Problem> => {
  const written = String(params.url)
  const parsed = requestUrl(written)
  if ('problem' in parsed) return parsed
  const { url } = parsed
  const checked = requestHeaders((params.headers ?? {}) as Readonly<Record<string, unknown>>)
  if ('problem' in checked) return checked
  const method = String(params.method ?? 'GET')
  const body = params.body === undefined ? undefined : String(params.body)
  if (body !== undefined && (method === 'GET' || method === 'HEAD')) {
    return { problem: `a ${method} request has no body: name another method, or leave the body out` }
  }
  if (body !== undefined && new TextEncoder().encode(body).length > toolLimits.requestBytes) {
    return { problem: `the body is longer than ${toolLimits.requestBytes} bytes` }
  }
  const exact = await exactness(written, url, context)
  if (typeof exact !== 'boolean') return exact
  const defaults = {
    accept: '*/*',
    'user-agent': 'skills-agent',
    ...(body === undefined ? {} : { 'content-type': 'text/plain; charset=utf-8' }),
  }
  const headers = { ...defaults, ...checked.headers }
  return { url, method, headers, mayBePrivate: exact, ...(body === undefined ? {} : { body }) }
}

/**
 * Whether the policy names this host. It judged what was written: where the parser reads that otherwise (`a/../b`,
 * `0x7f.1`), it is asked for what will be fetched too, and may not be stricter there.
 */
const exactness = async (written: string, url: URL, context: ToolContext): Promise<boolean | Problem> => {
  const isExact = context.decision.isExact === true
  if (url.href === written || url.href === `${written}/`) return isExact
  const decision = await context.permit(url.href)
  const isStricter = decision.verdict !== 'allow' && decision.verdict !== context.decision.verdict
  if (isStricter) return { problem: `${shown(url)}, which this means, is not permitted${because(decision)}` }
  return isExact && decision.isExact === true
}

const follow = async (
  first: Hop,
  http: HttpClient,
  { permit }: ToolContext,
  signal: AbortSignal,
): Promise<{ readonly response: HttpResponse; readonly redirectedTo: URL | undefined } | Problem> => {
  let hop = first
  for (let redirects = 0; ; redirects += 1) {
    const response = await http.send({ ...hop, keepBytes: toolLimits.outputBytes, signal })
    if ('problem' in response) {
      return redirects === 0 ? response : { problem: `after a redirect to ${shown(hop.url)}: ${response.problem}` }
    }
    const location = redirectOf(response)
    if (location === undefined) return { response, redirectedTo: redirects === 0 ? undefined : hop.url }
    if (redirects === toolLimits.redirects) {
      return { problem: `${first.url.host} redirects more than ${toolLimits.redirects} times` }
    }
    const next = await nextHop(hop, response.status, location, permit)
    if ('problem' in next) return { problem: `redirected by ${hop.url.host} (${response.status}): ${next.problem}` }
    hop = next
  }
}

const redirectOf = ({ status, headers }: HttpResponse): string | undefined =>
  [301, 302, 303, 307, 308].includes(status) ? headers.get('location') : undefined

/** What a browser would ask next (WHATWG Fetch, HTTP-redirect fetch), where the policy allows it. */
const nextHop = async (
  { url, method, headers, body }: Hop,
  status: number,
  location: string,
  permit: ToolContext['permit'],
): Promise<Hop | Problem> => {
  const parsed = redirectUrl(location, url)
  if ('problem' in parsed) return parsed
  const decision = await permit(parsed.url.href)
  // A person who is asked would see another question than the one that was answered.
  if (decision.verdict !== 'allow') return { problem: `${shown(parsed.url)} is not permitted${because(decision)}` }
  const kept = parsed.url.origin === url.origin ? headers : harmlessHeaders(headers)
  const target = { url: parsed.url, mayBePrivate: decision.isExact === true }
  const becomesGet = status === 303 ? method !== 'HEAD' : status <= 302 && method === 'POST'
  if (becomesGet) return { ...target, method: 'GET', headers: withoutBodyHeaders(kept) }
  return { ...target, method, headers: kept, ...(body === undefined ? {} : { body }) }
}

const because = ({ rule, reason }: Decision): string => ` (${rule}).${reason === undefined ? '' : ` ${reason}`}`

const shown = (url: URL): string => visibleLine(url.href)
