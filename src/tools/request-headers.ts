import { toolLimits } from './limits.ts'

export type Headers = Readonly<Record<string, string>>

/** What holds secrets, or what the connection is made of: never a model's to say. */
const secret = /^(authorization|cookie2?|proxy-.*)$/
const framing =
  /^(host|connection|content-length|transfer-encoding|keep-alive|upgrade|http2-settings|te|trailer|expect|accept-encoding)$/

/** The headers of a request, names in lower case; or why they are none. A name that is given twice counts once. */
export const requestHeaders = (
  given: Readonly<Record<string, unknown>>,
): { readonly headers: Headers } | { readonly problem: string } => {
  const headers = new Map<string, string>()
  let bytes = 0
  for (const [written, value] of Object.entries(given)) {
    const name = written.toLowerCase()
    const shown = JSON.stringify(written.slice(0, 100))
    if (!/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name)) return { problem: `${shown} is no name of a header` }
    if (secret.test(name)) return { problem: `the header ${shown} may not be set: secrets are never sent for a model` }
    if (framing.test(name)) return { problem: `the header ${shown} may not be set: it belongs to the connection` }
    if (typeof value !== 'string' || !/^[\t\x20-\x7e]*$/.test(value)) {
      return { problem: `the value of the header ${shown} may hold printable ASCII characters only` }
    }
    bytes += name.length + value.length
    headers.set(name, value)
  }
  if (bytes > toolLimits.requestHeaderBytes) {
    return { problem: `the headers are longer than ${toolLimits.requestHeaderBytes} bytes` }
  }
  return { headers: Object.fromEntries(headers) }
}

/** What says nothing of who asks: all that goes along when another server is asked than the one that was meant. */
const harmless = /^(accept|accept-language|content-type|content-language|content-encoding|user-agent)$/

export const harmlessHeaders = (headers: Headers): Headers => only(headers, (name) => harmless.test(name))

export const withoutBodyHeaders = (headers: Headers): Headers => only(headers, (name) => !name.startsWith('content-'))

const only = (headers: Headers, keep: (name: string) => boolean): Headers =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => keep(name)))
