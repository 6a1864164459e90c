import type { ModelErrorCode } from '../../core/model.ts'
import { parseJson } from '../../lib/json.ts'
import { visibleLine } from '../../lib/visible.ts'
import { recordOf, textOf } from './wire.ts'

/** An attempt that gave no answer. */
export type Failure = {
  readonly code: ModelErrorCode
  /** One line, from who failed on. */
  readonly message: string
  readonly mayRetry: boolean
  /** The conversation does not fit into the model. */
  readonly isOverflow?: boolean
  /** What it used is not known: the provider may have worked, and may bill it. */
  readonly mayBeBilled?: boolean
  readonly headers?: Headers
}

/** Takes the key out of a text, before the text is cut: half a key would not be found. */
export type Hide = (text: string) => string

type Refused = { readonly host: string; readonly keyName: string | undefined; readonly hide: Hide }

const mostWords = 300

/** What an HTTP status other than 2xx means; decided by status and the error's own type and code, never by its words. */
export const statusFailure = (
  status: number,
  headers: Headers,
  body: string,
  { host, keyName, hide }: Refused,
): Failure => {
  if (status >= 300 && status < 400) {
    return {
      code: 'model_error',
      message: `${host} answered ${status}, a redirect, which is not followed: the key would go with it; name the right place in base_url`,
      mayRetry: false,
    }
  }
  const { kinds, words } = errorIn(hide(body))
  const kind = kinds[0] === undefined ? '' : ` (${visibleLine(kinds[0], 60)})`
  const isQuota = kinds.includes('insufficient_quota')
  const isKey = status === 401 || status === 403
  const advice = isQuota ? '; the quota of this account is used up' : isKey ? keyAdvice(status, keyName) : ''
  return {
    code:
      status === 429 && !isQuota
        ? 'rate_limited'
        : status === 408 || status === 504
          ? 'provider_timeout'
          : 'model_error',
    message: `${host} answered ${status}${kind}${words === '' ? '' : `: ${words}`}${advice}`,
    mayRetry: !isQuota && !isKey && isPassing(status, headers),
    isOverflow: kinds.includes('context_length_exceeded'),
    headers,
  }
}

const isPassing = (status: number, headers: Headers): boolean => {
  const told = headers.get('x-should-retry')
  if (told === 'true' || told === 'false') return told === 'true'
  return status === 408 || status === 409 || status === 429 || status >= 500
}

const keyAdvice = (status: number, keyName: string | undefined): string => {
  if (keyName === undefined) return '; no key was sent: name its variable in api_key_env'
  return status === 401 ? `; check the key in ${keyName}` : `; the key in ${keyName} may not use this`
}

/** The error's code and type, and its words; of a page that is no JSON, its beginning. */
const errorIn = (body: string): { readonly kinds: readonly string[]; readonly words: string } => {
  const json = parseJson(body)
  if (!json.ok) return { kinds: [], words: body.trim() === '' ? '' : `no JSON: ${visibleLine(body.trim(), mostWords)}` }
  return errorOf(json.value)
}

/** `{error: {type, code, message}}`, as all three formats have it; some servers give the message alone. */
export const errorOf = (
  value: unknown,
  hide: Hide = (text) => text,
): { readonly kinds: readonly string[]; readonly words: string } => {
  const root = recordOf(value)
  const error = recordOf(root.error)
  const kinds = [error.code, error.type].map(textOf).filter((kind) => kind !== '')
  const words = [error.message, root.error, root.message, root.detail].map(textOf).find((text) => text !== '') ?? ''
  return { kinds, words: visibleLine(hide(words).trim(), mostWords) }
}
