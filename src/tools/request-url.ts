import { visible, visibleLine } from '../lib/visible.ts'
import { toolLimits } from './limits.ts'

type Parsed = { readonly url: URL } | { readonly problem: string }

/**
 * An address that may be asked: http or https, spelled so that everybody reads the same in it. What the WHATWG parser
 * would drop or turn into something else (line ends, blanks, backslashes, invisible characters, too many or too few
 * slashes) is refused: whoever judged it by its looks may have seen another host.
 */
export const requestUrl = (written: string): Parsed => {
  const unclear = unclearPart(written)
  if (unclear !== undefined) return refused(written, unclear)
  const authority = /^https?:\/\/([^/?#]+)/i.exec(written)?.[1]
  if (authority === undefined) return refused(written, 'only http://HOST and https://HOST are')
  if (authority.includes('@')) return refused(written, 'it holds a user name or password')
  if (!URL.canParse(written)) return refused(written, 'it is not a URL')
  const url = new URL(written)
  return url.port === '0' ? refused(written, 'there is no port 0') : { url }
}

/** Where a server redirects to: as strict, and relative to where it says so. */
export const redirectUrl = (location: string, base: URL): Parsed => {
  if (/^[a-z][a-z\d+.-]*:/i.test(location)) return requestUrl(location)
  if (location.startsWith('//')) return requestUrl(`${base.protocol}${location}`)
  const unclear = unclearPart(location)
  return unclear === undefined ? requestUrl(new URL(location, base).href) : refused(location, unclear)
}

const unclearPart = (written: string): string | undefined => {
  if (written.length > toolLimits.urlChars) return `it is longer than ${toolLimits.urlChars} characters`
  if (/\s/.test(written) || visible(written) !== written) return 'it holds blanks or invisible characters'
  return written.includes('\\') ? 'it holds a backslash' : undefined
}

const refused = (written: string, why: string): Parsed => ({ problem: `${visibleLine(written)} is not asked: ${why}` })
