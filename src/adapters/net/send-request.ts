import { isIP, type LookupFunction } from 'node:net'
import { Client, type Dispatcher } from 'undici'
import type { HttpClient, HttpRequest, HttpResponse } from '../../core/ports.ts'
import { specialRange } from '../../lib/ip-range.ts'
import { describeFault } from './describe-fault.ts'
import { readBody } from './read-body.ts'
import { type Address, type Resolve, systemResolve } from './resolve-host.ts'

/** What the network looks like: how names become addresses, and what an address is that is not public. */
export type NetWorld = {
  readonly resolve: Resolve
  readonly specialRange: (address: string) => string | undefined
}

export const systemNet: NetWorld = { resolve: systemResolve, specialRange }

const maxHeaderBytes = 16 * 1024

/** Resolves, checks, connects to what was checked, reads the head of the answer, closes. See HttpClient. */
export const sendRequest = async (request: HttpRequest, world: NetWorld): ReturnType<HttpClient['send']> => {
  const { url, signal } = request
  signal.throwIfAborted()
  try {
    const addresses = await orAborted(addressesOf(url, world.resolve), signal)
    if (addresses.length === 0) return { problem: `${url.hostname} has no address` }
    const special = request.mayBePrivate ? undefined : firstSpecial(addresses, world)
    if (special !== undefined) {
      return {
        problem: `${url.hostname} is not asked: its address is not a public one (${special}), and no rule allows this host by its own name`,
      }
    }
    return await exchange(request, addresses)
  } catch (error) {
    // Whatever the abort made fail, the abort is the reason.
    signal.throwIfAborted()
    const problem = describeFault(error, url)
    if (problem === undefined) throw error
    return { problem }
  }
}

/** An address in the URL (`[::1]`, and in whatever spelling the parser has understood) is its own answer. */
const addressesOf = async ({ hostname }: URL, resolve: Resolve): Promise<readonly Address[]> => {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1')
  const family = isIP(bare)
  return family === 0 ? resolve(hostname) : [{ address: bare, family: family === 4 ? 4 : 6 }]
}

/** One address that is not public makes the whole name suspect: the next attempt might take that one. */
const firstSpecial = (addresses: readonly Address[], world: NetWorld): string | undefined => {
  for (const { address } of addresses) {
    const range = world.specialRange(address)
    if (range !== undefined) return range
  }
  return undefined
}

const exchange = async (request: HttpRequest, addresses: readonly Address[]): Promise<HttpResponse> => {
  const { url, method, headers, body, keepBytes, signal } = request
  // A client of its own for each exchange, given to nobody: proxies of the environment are not looked for.
  const client = new Client(url.origin, {
    maxHeaderSize: maxHeaderBytes,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: {
      lookup: lookupOf(addresses),
      autoSelectFamily: true,
      // The environment could turn this off (NODE_TLS_REJECT_UNAUTHORIZED).
      rejectUnauthorized: true,
      timeout: 0,
    },
  })
  try {
    const response = await client.request({
      path: `${url.pathname}${url.search}`,
      method: method as Dispatcher.HttpMethod,
      // So little is kept of an answer that packing it gains nothing, and sizes that are told are true.
      headers: { ...headers, 'accept-encoding': 'identity' },
      body: body ?? null,
      reset: true,
      signal,
    })
    const read = await readBody(response.body, headerText(response.headers['content-encoding']), keepBytes)
    return {
      status: response.statusCode,
      statusText: response.statusText,
      headers: new Map(Object.entries(response.headers).map(([name, value]) => [name, headerText(value)])),
      ...read,
    }
  } finally {
    await client.destroy()
  }
}

/** Never asks again: whatever the name has become since it was checked, only what was checked is connected to. */
const lookupOf =
  (addresses: readonly Address[]): LookupFunction =>
  (_, options, callback) => {
    if (options.all) return callback(null, [...addresses])
    const [{ address, family } = { address: '', family: 0 }] = addresses
    callback(null, address, family)
  }

const headerText = (value: string | string[] | undefined): string =>
  value === undefined ? '' : typeof value === 'string' ? value : value.join(', ')

/** A resolver can't be called back: it is left behind. */
const orAborted = <T>(promise: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    void promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
