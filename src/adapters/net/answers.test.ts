import { once } from 'node:events'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { brotliCompressSync, createGzip, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { HttpRequest } from '../../core/ports.ts'
import { httpClient } from './http-client.ts'
import { localServer, rawServer } from './local-server.test-support.ts'

const send = (url: string, change: Partial<HttpRequest> = {}) =>
  httpClient().send({
    url: new URL(url),
    method: 'GET',
    headers: {},
    mayBePrivate: true,
    keepBytes: 1000,
    signal: AbortSignal.timeout(20_000),
    ...change,
  })
const answer = async (...given: Parameters<typeof send>) => {
  const result = await send(...given)
  return 'problem' in result
    ? result.problem
    : { status: result.status, body: Buffer.from(result.body).toString(), isCut: result.isCut }
}
const whole = (body: string) => ({ status: 200, body, isCut: false })
const untilClosed = async (server: { open(): number }) => {
  for (let i = 0; server.open() > 0 && i < 500; i += 1) await wait(10)
  return server.open()
}
const zeros = () =>
  Readable.from(
    (function* () {
      for (;;) yield Buffer.alloc(65536)
    })(),
  )

describe('a body', () => {
  test('without end is read as far as it is kept, and then the connection is closed', async () => {
    await using server = await localServer((_, response) => void zeros().pipe(response))
    const result = await send(`${server.origin}/`, { keepBytes: 70_000 })
    expect('body' in result && [result.body.length, result.isCut]).toEqual([70_000, true])
    expect(await untilClosed(server)).toBe(0)
  })

  test('that unfolds without end is unfolded as far as it is kept', async () => {
    await using server = await localServer((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' })
      zeros().pipe(createGzip()).pipe(response)
    })
    const result = await send(`${server.origin}/`)
    expect('body' in result && [result.body.length, result.isCut]).toEqual([1000, true])
    expect(await untilClosed(server)).toBe(0)
  })

  test('that is encoded without end and holds nothing is given up', async () => {
    await using server = await localServer((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' })
      // A gzip header whose file name never ends.
      response.write(Buffer.from([0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3]))
      Readable.from(
        (function* () {
          for (;;) yield Buffer.alloc(65536, 'a')
        })(),
      ).pipe(response)
    })
    expect(await answer(`${server.origin}/`)).toBe(
      `the answer of ${new URL(server.origin).host} can't be used: its encoded body is long and holds next to nothing`,
    )
    expect(await untilClosed(server)).toBe(0)
  })

  test('is asked for without encoding', async () => {
    await using server = await localServer((_, response) => response.end('x'))
    await send(`${server.origin}/`, { headers: { 'accept-encoding': 'gzip', 'x-a': 'b' } })
    expect(server.seen[0]?.headers).toEqual({
      host: new URL(server.origin).host,
      connection: 'close',
      'accept-encoding': 'identity',
      'x-a': 'b',
    })
  })

  test.each([
    ['gzip', gzipSync('größe')],
    ['X-GZIP', gzipSync('größe')],
    ['deflate', deflateSync('größe')],
    ['br', brotliCompressSync('größe')],
    ['identity', Buffer.from('größe')],
  ])('that is encoded all the same is decoded: %s', async (encoding, packed) => {
    await using server = await localServer((_, response) =>
      response.writeHead(200, { 'content-encoding': encoding }).end(packed),
    )
    expect(await answer(`${server.origin}/`)).toEqual(whole('größe'))
  })

  test.each([
    ['in an unknown way', 'zstd', Buffer.from('x'), /can't be used: its body is encoded in a way .* here: zstd$/],
    ['twice', 'gzip, gzip', gzipSync(gzipSync('x')), /can't be used: its body is encoded in a way/],
    ['otherwise than it says', 'gzip', Buffer.from('plain text'), / sent a body that is not encoded as it says$/],
    ['and cut', 'gzip', gzipSync('some text').subarray(0, 14), / sent an encoded body that ends too early$/],
    ['otherwise: brotli', 'br', Buffer.alloc(99, 0xff), / sent a body that is not encoded as it says$/],
  ])('that is encoded %s is a problem', async (_, encoding, packed, problem) => {
    await using server = await localServer((_, response) =>
      response.writeHead(200, { 'content-encoding': encoding }).end(packed),
    )
    expect(await answer(`${server.origin}/`)).toMatch(problem)
    expect(await untilClosed(server)).toBe(0)
  })

  test('is none where there is none', async () => {
    await using server = await localServer((_, response) => response.writeHead(204).end())
    expect(await answer(`${server.origin}/`)).toEqual({ status: 204, body: '', isCut: false })
    expect(await answer(`${server.origin}/`, { method: 'HEAD' })).toEqual({ status: 204, body: '', isCut: false })
  })
})

const head = 'HTTP/1.1 200 OK\r\n'
const early = / closed the connection before its answer was complete$/

describe('an answer', () => {
  test.each([
    ['that is cut in a chunk', `${head}transfer-encoding: chunked\r\n\r\n5\r\nabc`, early],
    ['that is cut between chunks', `${head}transfer-encoding: chunked\r\n\r\n3\r\nabc\r\n`, early],
    ['that is shorter than it says', `${head}content-length: 9\r\n\r\nabc`, early],
    ['that is cut in its head', `${head}content-le`, early],
    ['that is nothing', '', early],
    ['that is not HTTP', 'SSH-2.0-OpenSSH_9.2\r\n', / did not answer in HTTP: /],
    ['with two lengths', `${head}content-length: 1\r\ncontent-length: 2\r\n\r\nab`, / another length than it said$/],
    ['with a huge head', `${head}x: ${'a'.repeat(40_000)}\r\n\r\n`, / sent more headers than are read$/],
    [
      'that changes the protocol',
      'HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
      / failed|closed/,
    ],
  ])('%s is a problem', async (_, text, problem) => {
    await using server = await rawServer(text)
    expect(await answer(`${server.origin}/`)).toMatch(problem)
    expect(await untilClosed(server)).toBe(0)
  })

  test('without a length ends with the connection', async () => {
    await using server = await rawServer(`${head}\r\nabc`)
    expect(await answer(`${server.origin}/`)).toEqual(whole('abc'))
  })

  test('keeps all headers of a name, also of odd names', async () => {
    await using server = await rawServer(
      `${head}set-cookie: a\r\nset-cookie: b\r\n__proto__: c\r\ncontent-length: 0\r\n\r\n`,
    )
    const result = await send(`${server.origin}/`)
    expect('headers' in result && [result.headers.get('set-cookie'), result.headers.get('toString')]).toEqual([
      'a, b',
      undefined,
    ])
  })

  test.each([
    ['its head', 'HTTP/1.1 200 OK\r\n', 'x: y\r\n'],
    ['its body', `${head}\r\n`, 'a'],
    ['interim answers', '', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
  ])('that comes drop by drop in %s is given up at the abort, with its connection', async (_, text, drop) => {
    await using server = await rawServer(text, async (socket) => {
      while (!socket.destroyed) {
        socket.write(drop)
        await wait(5)
      }
    })
    const controller = new AbortController()
    const waiting = expect(answer(`${server.origin}/`, { signal: controller.signal })).rejects.toThrow('enough')
    await wait(150)
    controller.abort(new Error('enough'))
    await waiting
    expect(await untilClosed(server)).toBe(0)
  })
})

// A certificate of nobody, for localhost, until 2126.
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgAB7Dhz3qICo1mwM6
/SH8tdOBIbEboRz+45ipHK/5QMOhRANCAATd7qbwo6Mg/gQFn/wNG5aX5LB0mMCI
pOgsUYdOhuWZDfD3wpsIOgdAnkHB9pmkaQG6twR4KB5gNAFP8Tf9IbIP
-----END PRIVATE KEY-----`
const cert = `-----BEGIN CERTIFICATE-----
MIIBnDCCAUGgAwIBAgIUMZrmcMMzoUYuy0Gij1JLc5qH3VkwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTE0MzAzNFoYDzIxMjYxMDI4
MTQzMDM0WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAATd7qbwo6Mg/gQFn/wNG5aX5LB0mMCIpOgsUYdOhuWZDfD3wpsIOgdA
nkHB9pmkaQG6twR4KB5gNAFP8Tf9IbIPo28wbTAdBgNVHQ4EFgQUm1SxE6fqm/8H
raXRiSyeVh87/uEwHwYDVR0jBBgwFoAUm1SxE6fqm/8HraXRiSyeVh87/uEwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSQAwRgIhAORu+Y4+VtYx1c9PSWsAEZ7zh321FHumOh8ez7hAh5deAiEA
5z0dNotD4I9A+P4KkuCGUxMS4cKgpWO+vngRaKufvdU=
-----END CERTIFICATE-----`

test('a server that nobody vouches for is not trusted, also where the environment says so', async () => {
  const requests: string[] = []
  const server = createTlsServer({ key, cert }, (request, response) => {
    requests.push(request.url ?? '')
    response.end('secret')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
  try {
    expect(await answer(`https://localhost:${port}/`)).toBe(
      `localhost:${port} is not to be trusted: self-signed certificate (DEPTH_ZERO_SELF_SIGNED_CERT)`,
    )
    expect(requests).toEqual([])
  } finally {
    if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
    else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before
    server.closeAllConnections()
    await once(server.close(), 'close')
  }
})

test('a server that does not speak TLS is said to be so', async () => {
  await using server = await localServer((_, response) => response.end('x'))
  const { host } = new URL(server.origin)
  expect(await answer(`https://${host}/`)).toMatch(/^no secure connection to 127\.0\.0\.1:\d+ \([A-Z_]+\)$/)
})
