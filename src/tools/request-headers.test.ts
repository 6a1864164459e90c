import fc from 'fast-check'
import { expect, test } from 'vitest'
import { harmlessHeaders, requestHeaders, withoutBodyHeaders } from './request-headers.ts'

test('takes headers as they are, names in lower case, the last of a name', () => {
  expect(requestHeaders({ Accept: 'text/html', 'X-Trace': 'a\tb c', accept: '*/*', 'x-empty': '' })).toEqual({
    headers: { accept: '*/*', 'x-trace': 'a\tb c', 'x-empty': '' },
  })
})

test.each(['Authorization', 'cookie', 'COOKIE2', 'Proxy-Authorization', 'proxy-connection'])(
  'takes no secret: %s',
  (name) => {
    expect(requestHeaders({ [name]: 'x' })).toEqual({
      problem: `the header "${name}" may not be set: secrets are never sent for a model`,
    })
  },
)

test.each([
  'Host',
  'connection',
  'Content-Length',
  'transfer-encoding',
  'keep-alive',
  'upgrade',
  'te',
  'trailer',
  'expect',
  'accept-encoding',
])('takes nothing that the connection is made of: %s', (name) => {
  expect(requestHeaders({ [name]: 'x' })).toEqual({
    problem: `the header "${name}" may not be set: it belongs to the connection`,
  })
})

test.each(['', ' ', 'a b', 'a:b', 'host ', ' host', 'a\r\nhost', 'größe', 'x\0', '__proto__:'])(
  'takes no name that is none: %j',
  (name) => {
    expect(requestHeaders({ [name]: 'x' })).toEqual({ problem: `${JSON.stringify(name)} is no name of a header` })
  },
)

test.each(['a\r\nhost: b', 'a\nb', 'a\rb', 'a\0', 'größe', '\u2028', '\x7f'])(
  'takes no value of a second line: %j',
  (value) => {
    expect(requestHeaders({ 'x-a': value })).toEqual({
      problem: 'the value of the header "x-a" may hold printable ASCII characters only',
    })
  },
)

test('takes no more than a server would read', () => {
  expect(requestHeaders({ a: 'x'.repeat(8191) })).toHaveProperty('headers')
  expect(requestHeaders({ a: 'x'.repeat(8192) })).toEqual({ problem: 'the headers are longer than 8192 bytes' })
})

test('whatever is taken is one line of its own', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' })), (given) => {
      const result = requestHeaders(given)
      if ('problem' in result) return
      for (const [name, value] of Object.entries(result.headers))
        expect(`${name}: ${value}`).toMatch(/^[\t\x20-\x7e]+$/)
    }),
  )
})

test('knows what may go to another server, and what goes with the body', () => {
  const headers = { accept: 'a', 'x-api-key': 'b', 'content-type': 'c', 'user-agent': 'd', 'private-token': 'e' }
  expect(harmlessHeaders(headers)).toEqual({ accept: 'a', 'content-type': 'c', 'user-agent': 'd' })
  expect(withoutBodyHeaders(headers)).toEqual({
    accept: 'a',
    'x-api-key': 'b',
    'user-agent': 'd',
    'private-token': 'e',
  })
})
