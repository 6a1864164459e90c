import { errors } from 'undici'
import { visibleLine } from '../../lib/visible.ts'
import { BodyError } from './read-body.ts'

const words: Readonly<Record<string, string>> = {
  ENOTFOUND: 'could not be found: no such host',
  ENODATA: 'could not be found: it has no address',
  EAI_AGAIN: 'could not be found: no name server answers',
  EAI_FAIL: 'could not be found: the name server failed',
  ECONNREFUSED: 'refused the connection',
  ECONNRESET: 'closed the connection before its answer was complete',
  EPIPE: 'closed the connection before its answer was complete',
  UND_ERR_SOCKET: 'closed the connection before its answer was complete',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'sent a body of another length than it said',
  UND_ERR_HEADERS_OVERFLOW: 'sent more headers than are read',
  ETIMEDOUT: 'did not answer',
  EHOSTUNREACH: 'cannot be reached from here',
  ENETUNREACH: 'cannot be reached from here',
  EADDRNOTAVAIL: 'cannot be reached from here',
  EACCES: 'cannot be reached: this machine forbids it',
  EPERM: 'cannot be reached: this machine forbids it',
  Z_DATA_ERROR: 'sent a body that is not encoded as it says',
  Z_BUF_ERROR: 'sent an encoded body that ends too early',
}

const certificate = /^(CERT_|ERR_TLS_CERT|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH$)/
const tls = /^(ERR_TLS_|ERR_SSL_|EPROTO$)/

const brotli = /^ERR_\w*ERROR_FORMAT/

/** What went wrong between us and the server, in words; undefined for what did not: that is a bug. */
export const describeFault = (error: unknown, url: URL): string | undefined => {
  // Some of these come without a code.
  if (error instanceof errors.HTTPParserError) return notHttp(url, error.message)
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined
  const { code, message } = error
  if (error instanceof BodyError) return `the answer of ${url.host} can't be used: ${visibleLine(message)}`
  if (Object.hasOwn(words, code)) return `${url.host} ${words[code]}`
  if (certificate.test(code)) return `${url.host} is not to be trusted: ${visibleLine(message)} (${code})`
  // The rest of OpenSSL's messages name its own source files.
  if (tls.test(code)) return `no secure connection to ${url.host} (${code})`
  if (brotli.test(code)) return `${url.host} ${words.Z_DATA_ERROR}`
  return `the request to ${url.host} failed: ${visibleLine(message)} (${code})`
}

const notHttp = (url: URL, message: string): string => `${url.host} did not answer in HTTP: ${visibleLine(message)}`
