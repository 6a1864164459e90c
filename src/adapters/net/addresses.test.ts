import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { HttpRequest } from '../../core/ports.ts'
import { httpClient } from './http-client.ts'
import { localServer } from './local-server.test-support.ts'
import type { Address } from './resolve-host.ts'
import type { NetWorld } from './send-request.ts'
import { watchSockets } from './watch-sockets.test-support.ts'

const send = (url: string, change: Partial<HttpRequest> = {}, world: Partial<NetWorld> = {}) =>
  httpClient(world).send({
    url: new URL(url),
    method: 'GET',
    headers: {},
    mayBePrivate: false,
    keepBytes: 1000,
    signal: AbortSignal.timeout(20_000),
    ...change,
  })
const answer = async (...given: Parameters<typeof send>) => {
  const result = await send(...given)
  return 'problem' in result ? result.problem : Buffer.from(result.body).toString()
}
const at = (...addresses: readonly string[]): readonly Address[] =>
  addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
const hello = () => localServer((_, response) => response.end('hello'))
const notPublic = /^\S+ is not asked: its address is not a public one \([A-Za-z\d]+\), and no rule allows this host/
// Not every system resolves this one.
const orUnknown = new RegExp(`${notPublic.source}|could not be found`)

describe('a host that no rule names', () => {
  test.each([
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '2130706433',
    '0177.0.0.1',
    '017700000001',
    '0x7f.0.0.1',
    '0x7f000001',
    '0x7f.1',
    '127.0.0.1.',
    '127%2e0%2e0%2e1',
    '%31%32%37.0.0.1',
    '①②⑦.⓪.⓪.①',
    '127。0。0。1',
    '0.0.0.0',
    '0',
    '127.255.255.254',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b::127.0.0.1]',
    '[2002:7f00:1::]',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.254',
    '192.168.1.1',
    '100.64.0.1',
    '169.254.169.254',
    '0xa9fea9fe',
    '168.63.129.16',
    '224.0.0.1',
    '255.255.255.255',
    '[fc00::1]',
    '[fd00:ec2::254]',
    '[fe80::1]',
    '[ff02::1]',
    'localhost',
    'LOCALHOST',
    'localhost.',
  ])('is not asked where it is %s: no socket is opened', async (host) => {
    await using server = await hello()
    using watched = watchSockets()
    expect(await answer(`http://${host}:${server.port}/`)).toMatch(host.endsWith('t.') ? orUnknown : notPublic)
    expect([watched.sockets(), server.connections()]).toEqual([0, 0])
  })

  test.each([
    ['a loopback address', ['127.0.0.1']],
    ['a private address', ['10.1.2.3']],
    ['the metadata address', ['169.254.169.254']],
    ['a mapped address', ['::ffff:127.0.0.1']],
    ['a translated address', ['64:ff9b::7f00:1']],
    ['an address with a zone', ['fe80::1%lo']],
    ['what is no address', ['127.1']],
    ['a public and a private address', ['93.184.216.34', '10.0.0.1']],
    ['a private and a public address', ['::1', '2606:4700::1']],
  ])('is not asked where its name leads to %s', async (_, addresses) => {
    using watched = watchSockets()
    const resolve = async () => at(...addresses)
    expect(await answer('http://name.example/', {}, { resolve })).toMatch(notPublic)
    expect(await answer('https://name.example/', {}, { resolve })).toMatch(notPublic)
    expect(watched.sockets()).toBe(0)
  })

  test('is never connected to at an address that is not public', async () => {
    const octet = fc.nat(255)
    const v4 = (...fixed: readonly number[]) =>
      fc.tuple(octet, octet, octet, octet).map((random) => random.map((n, i) => fixed[i] ?? n).join('.'))
    const group = fc.nat(0xffff).map((n) => n.toString(16))
    const v6 = (start: string, groups: number) =>
      fc.array(group, { minLength: groups, maxLength: groups }).map((rest) => `${start}:${rest.join(':')}`)
    const special = fc.oneof(
      v4(127),
      v4(10),
      v4(0),
      v4(169, 254),
      v4(192, 168),
      fc.tuple(fc.integer({ min: 16, max: 31 }), octet, octet).map((rest) => `172.${rest.join('.')}`),
      fc.tuple(fc.integer({ min: 64, max: 127 }), octet, octet).map((rest) => `100.${rest.join('.')}`),
      fc.tuple(fc.integer({ min: 224, max: 255 }), octet, octet, octet).map((all) => all.join('.')),
      v4(127).map((address) => `::ffff:${address}`),
      v4().map((address) => `64:ff9b::${address}`),
      v4().map((address) => `::${address}`),
      v6('fe80', 7),
      v6('fd12', 7),
      v6('ff02', 7),
      v6('2002', 7),
      v6('2001:0', 6),
      v6('::ffff:a9fe', 1),
    )
    using watched = watchSockets()
    await fc.assert(
      fc.asyncProperty(special, fc.boolean(), async (address, isName) => {
        const literal = address.includes(':') ? `[${address}]` : address
        const resolve = async () => at(address)
        const url = isName ? 'http://name.example:9/' : `http://${literal}:9/`
        expect(await answer(url, {}, { resolve })).toMatch(notPublic)
        expect(watched.sockets()).toBe(0)
      }),
      { numRuns: 500 },
    )
  })
})

describe('a host that a rule names', () => {
  test.each(['127.0.0.1', '2130706433', 'localhost'])('is asked at %s, its private address', async (host) => {
    await using server = await hello()
    using watched = watchSockets()
    expect(await answer(`http://${host}:${server.port}/`, { mayBePrivate: true })).toBe('hello')
    expect([watched.sockets(), server.connections()]).toEqual([1, 1])
  })

  test('is asked at the next address where the first does not answer', async () => {
    await using server = await hello()
    const resolve = async () => at('127.0.0.3', '127.0.0.1')
    const url = `http://name.example:${server.port}/`
    using watched = watchSockets()
    expect(await answer(url, { mayBePrivate: true }, { resolve })).toBe('hello')
    expect(watched.attempts).toEqual(['127.0.0.3', '127.0.0.1'])
  })
})

test('a name that leads elsewhere once it was checked is asked where it led to then', async () => {
  await using safe = await localServer((_, response) => response.end('safe'), { host: '127.0.0.2' })
  await using secret = await localServer((_, response) => response.end('secret'), { port: safe.port })
  let asked = 0
  const resolve = async () => {
    asked += 1
    return asked === 1 ? at('127.0.0.2') : at('127.0.0.1')
  }
  // 127.0.0.2 plays the public address.
  const specialRange = (address: string) => (address === '127.0.0.2' ? undefined : 'loopback')
  using watched = watchSockets()
  const url = `http://name.example:${safe.port}/`
  expect(await answer(url, {}, { resolve, specialRange })).toBe('safe')
  expect([asked, watched.attempts]).toEqual([1, ['127.0.0.2']])
  expect(await answer(url, {}, { resolve, specialRange })).toMatch(notPublic)
  expect([safe.connections(), secret.connections()]).toEqual([1, 0])
})

test('a name without an address is said to have none', async () => {
  expect(await answer('http://name.example/', {}, { resolve: async () => [] })).toBe('name.example has no address')
  const unknown = async () => Promise.reject(Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' }))
  expect(await answer('http://name.example/', {}, { resolve: unknown })).toBe(
    'name.example could not be found: no such host',
  )
})

test('a name server that never answers is not waited for beyond an abort', async () => {
  const resolve = () => new Promise<never>(() => undefined)
  const signal = AbortSignal.timeout(30)
  await expect(send('http://name.example/', { signal }, { resolve })).rejects.toThrow('due to timeout')
})

test('a fault of our own is not taken for one of the network', async () => {
  const resolve = async () => {
    throw new TypeError('a bug')
  }
  await expect(send('http://name.example/', {}, { resolve })).rejects.toThrow('a bug')
})

test('no proxy of the environment is asked', async () => {
  await using proxy = await localServer((_, response) => response.end('proxied'))
  await using server = await hello()
  const names = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY', 'NODE_USE_ENV_PROXY']
  const before = names.map((name) => process.env[name])
  for (const name of names) process.env[name] = name.startsWith('NODE') ? '1' : proxy.origin
  try {
    expect(await answer(`${server.origin}/`, { mayBePrivate: true })).toBe('hello')
  } finally {
    for (const [i, name] of names.entries()) {
      if (before[i] === undefined) delete process.env[name]
      else process.env[name] = before[i]
    }
  }
  expect([proxy.connections(), server.connections()]).toEqual([0, 1])
})
