import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { redirectUrl, requestUrl } from './request-url.ts'

const told = (parsed: ReturnType<typeof requestUrl>) => ('problem' in parsed ? parsed.problem : parsed.url.href)

test.each([
  ['https://a.example', 'https://a.example/'],
  ['HTTP://A.Example:80/x?y=1#z', 'http://a.example/x?y=1#z'],
  ['http://[::1]:8080/', 'http://[::1]:8080/'],
  ['https://münchen.example/ä', 'https://xn--mnchen-3ya.example/%C3%A4'],
  ['https://a.example/@user?mail=a@b', 'https://a.example/@user?mail=a@b'],
])('%s may be asked', (written, href) => {
  expect(told(requestUrl(written))).toBe(href)
})

test.each([
  ['', ' is not asked: only http://HOST and https://HOST are'],
  ['a.example', 'a.example is not asked: only http://HOST and https://HOST are'],
  ['//a.example/', '//a.example/ is not asked: only http://HOST and https://HOST are'],
  ['http:a.example', 'http:a.example is not asked: only http://HOST and https://HOST are'],
  ['http:/a.example', 'http:/a.example is not asked: only http://HOST and https://HOST are'],
  ['http:///a.example', 'http:///a.example is not asked: only http://HOST and https://HOST are'],
  ['http://', 'http:// is not asked: only http://HOST and https://HOST are'],
  ['file:///etc/passwd', 'file:///etc/passwd is not asked: only http://HOST and https://HOST are'],
  ['ftp://a.example/', 'ftp://a.example/ is not asked: only http://HOST and https://HOST are'],
  ['gopher://a.example/', 'gopher://a.example/ is not asked: only http://HOST and https://HOST are'],
  ['data:text/plain,x', 'data:text/plain,x is not asked: only http://HOST and https://HOST are'],
  ['javascript:1', 'javascript:1 is not asked: only http://HOST and https://HOST are'],
  ['ws://a.example/', 'ws://a.example/ is not asked: only http://HOST and https://HOST are'],
  ['http://user@a.example/', 'http://user@a.example/ is not asked: it holds a user name or password'],
  ['http://a.example:x@b.example/', 'http://a.example:x@b.example/ is not asked: it holds a user name or password'],
  ['http://@a.example/', 'http://@a.example/ is not asked: it holds a user name or password'],
  ['http://a.example\\@b.example/', 'http://a.example\\@b.example/ is not asked: it holds a backslash'],
  ['http:\\\\a.example/', 'http:\\\\a.example/ is not asked: it holds a backslash'],
  [' http://a.example/', ' http://a.example/ is not asked: it holds blanks or invisible characters'],
  ['http://a.example/ ', 'http://a.example/  is not asked: it holds blanks or invisible characters'],
  ['http://a.exa\nmple/', 'http://a.exa\\nmple/ is not asked: it holds blanks or invisible characters'],
  ['ht\ttp://a.example/', 'ht\\ttp://a.example/ is not asked: it holds blanks or invisible characters'],
  [
    'http://a.example\0.b.example/',
    'http://a.example\\x00.b.example/ is not asked: it holds blanks or invisible characters',
  ],
  ['http://a.exa\u00admple/', 'http://a.exa\\xadmple/ is not asked: it holds blanks or invisible characters'],
  ['http://a.exa\u200bmple/', 'http://a.exa\\u200bmple/ is not asked: it holds blanks or invisible characters'],
  ['http://a.example/\u202e', 'http://a.example/\\u202e is not asked: it holds blanks or invisible characters'],
  [
    'http://a.example/x HTTP/1.1\r\nHost: b',
    'http://a.example/x HTTP/1.1\\r\\nHost: b is not asked: it holds blanks or invisible characters',
  ],
  ['http://a.example:0/', 'http://a.example:0/ is not asked: there is no port 0'],
  ['http://a.example:99999/', 'http://a.example:99999/ is not asked: it is not a URL'],
  ['http://a%00b/', 'http://a%00b/ is not asked: it is not a URL'],
  ['http://1.2.3.256/', 'http://1.2.3.256/ is not asked: it is not a URL'],
  ['http://[fe80::1%25eth0]/', 'http://[fe80::1%25eth0]/ is not asked: it is not a URL'],
])('%j is refused', (written, problem) => {
  expect(told(requestUrl(written))).toBe(problem)
})

test('what is very long is refused, and not repeated at length', () => {
  expect(told(requestUrl(`http://a.example/${'a'.repeat(9000)}`))).toMatch(
    /^.{200} is not asked: it is longer than 8192 /,
  )
})

describe('a redirect', () => {
  const base = new URL('https://a.example/dir/x?y')

  test.each([
    ['z', 'https://a.example/dir/z'],
    ['/@user', 'https://a.example/@user'],
    ['?q=1', 'https://a.example/dir/x?q=1'],
    ['//b.example/', 'https://b.example/'],
    ['http://b.example/', 'http://b.example/'],
    ['../../../z', 'https://a.example/z'],
  ])('to %s leads to %s', (location, href) => {
    expect(told(redirectUrl(location, base))).toBe(href)
  })

  test.each([
    'file:///etc/passwd',
    'ftp://b.example/',
    'javascript:alert(1)',
    'https:b.example',
    '///b.example/',
    '/\\b.example/',
    '\\\\b.example/',
    '//user@b.example/',
    'http://user:word@b.example/',
    '/\t/b.example/',
    ' http://b.example/',
    'http://a.example/, http://b.example/',
    'http://b.example:0/',
    `/${'a'.repeat(9000)}`,
  ])('to %j is refused', (location) => {
    expect(redirectUrl(location, base)).toEqual({ problem: expect.stringContaining(' is not asked: ') })
  })
})

test('whatever is written, the host that is asked stands in it as it is, but for its case and spelling as an address', () => {
  const piece = fc.constantFrom(
    'http:',
    'https:',
    '/',
    '//',
    '\\',
    '@',
    ':',
    '#',
    '?',
    '.',
    'a',
    'B',
    '%61',
    '[::1]',
    '80',
    '\t',
    '\0',
    '1',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const written = `http://${pieces.join('')}`
      const parsed = requestUrl(written)
      if ('problem' in parsed) return
      const { url } = parsed
      expect([url.username, url.password, /^https?:$/.test(url.protocol)]).toEqual(['', '', true])
      const before = /^http:\/\/([^/?#]*)/.exec(written)?.[1] ?? ''
      const isAddress = /^[\d.[]/.test(url.hostname)
      if (!isAddress) expect(decodeURIComponent(before).toLowerCase().startsWith(url.hostname)).toBe(true)
    }),
    { numRuns: 3000 },
  )
})
