import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { systemClock } from '../adapters/clock/system-clock.ts'
import { memoryClock } from '../adapters/memory/memory-clock.ts'
import { type MemoryAnswer, memoryHttp } from '../adapters/memory/memory-http.ts'
import { httpClient } from '../adapters/net/http-client.ts'
import { localServer, rawServer } from '../adapters/net/local-server.test-support.ts'
import { watchSockets } from '../adapters/net/watch-sockets.test-support.ts'
import type { Decision, HttpClient, ToolContext } from '../core/ports.ts'
import { networkRequestTool } from './network-request.ts'
import { useTool } from './tool.test-support.ts'

type Params = Readonly<Record<string, unknown>>
const allow: Decision = { verdict: 'allow', rule: 'configuration: allow network_request' }
const exact: Decision = { ...allow, isExact: true }

const ask = (http: HttpClient, params: Params, context: Partial<ToolContext> = {}) =>
  useTool(networkRequestTool({ http, clock: memoryClock() }), params, undefined, { decision: allow, ...context })
const asked = ({ requests }: ReturnType<typeof memoryHttp>) =>
  requests.map(({ method, url, body }) => `${method} ${url.href}${body === undefined ? '' : ` ${body}`}`)
const to = (location: string, status = 302): MemoryAnswer => ({ status, statusText: 'Moved', headers: { location } })

describe('a request', () => {
  test('is a GET without secrets unless it says otherwise', async () => {
    const http = memoryHttp({ 'https://a.example/x': { headers: { 'Content-Type': 'text/plain' }, body: 'hello' } })
    expect(await ask(http, { url: 'https://a.example/x' })).toEqual({
      status: 'ok',
      text: 'HTTP 200 OK\ncontent-type: text/plain\n\nhello',
    })
    expect(http.requests).toMatchObject([{ method: 'GET', headers: { accept: '*/*', 'user-agent': 'skills-agent' } }])
    expect(Object.keys(http.requests[0]?.headers ?? {})).toEqual(['accept', 'user-agent'])
  })

  test('sends method, headers and body', async () => {
    const http = memoryHttp({ 'https://a.example/': {} })
    const headers = { 'X-A': 'b', 'Content-Type': 'application/json' }
    await ask(http, { url: 'https://a.example', method: 'PUT', headers, body: '{}' })
    expect(http.requests).toMatchObject([
      {
        method: 'PUT',
        headers: { accept: '*/*', 'user-agent': 'skills-agent', 'x-a': 'b', 'content-type': 'application/json' },
        body: '{}',
      },
    ])
  })

  test('that a server answers with an error is answered', async () => {
    const http = memoryHttp({ 'https://a.example/': { status: 500, statusText: 'Broken', body: 'sorry' } })
    expect(await ask(http, { url: 'https://a.example/' })).toEqual({ status: 'ok', text: 'HTTP 500 Broken\n\nsorry' })
  })

  test('that nobody answers is an error', async () => {
    expect(await ask(memoryHttp({}), { url: 'https://a.example/' })).toEqual({
      status: 'error',
      text: 'a.example refused the connection',
    })
  })

  test.each([
    ['a GET with a body', { body: 'x' }, 'a GET request has no body: name another method, or leave the body out'],
    ['a HEAD with a body', { method: 'HEAD', body: '' }, 'a HEAD request has no body: name another method, or'],
    ['too long a body', { method: 'POST', body: 'ö'.repeat(524_289) }, 'the body is longer than 1048576 bytes'],
    ['a secret', { headers: { Authorization: 'x' } }, 'the header "Authorization" may not be set: secrets are'],
    ['a second header in one', { headers: { 'x-a': 'b\r\nhost: c' } }, 'the value of the header "x-a" may hold'],
    ['another scheme', { url: 'file:///etc/passwd' }, 'file:///etc/passwd is not asked: only http://HOST'],
    ['a password', { url: 'https://a:b@a.example/' }, 'https://a:b@a.example/ is not asked: it holds a user'],
  ])('is not made with %s', async (_, change, text) => {
    const http = memoryHttp({ 'https://a.example/': {} })
    const result = await ask(http, { url: 'https://a.example/', ...change })
    expect(result).toEqual({ status: 'error', text: expect.stringContaining(text) })
    expect(http.requests).toEqual([])
  })

  test('may carry a body of 1 MiB', async () => {
    const http = memoryHttp({ 'https://a.example/': {} })
    const body = 'ö'.repeat(524_288)
    expect((await ask(http, { url: 'https://a.example/', method: 'POST', body })).status).toBe('ok')
  })

  test('keeps 64 KiB of what is sent back', async () => {
    const http = memoryHttp({ 'https://a.example/': { body: 'a'.repeat(70_000) } })
    const { text } = await ask(http, { url: 'https://a.example/' })
    expect(text).toBe(
      `HTTP 200 OK\n\n${'a'.repeat(65_536)}\n[cut: the first 65536 bytes are shown; the rest was not read]`,
    )
  })
})

describe('what a URL means', () => {
  const strict = async (target: string): Promise<Decision> =>
    target.startsWith('https://a.example/open/') ? allow : { verdict: 'deny', rule: 'default', reason: 'Because.' }

  test('is what the policy judges, however it is written', async () => {
    const http = memoryHttp({ 'https://a.example/secret': {}, 'https://a.example/open/x': { body: 'x' } })
    const at = (url: string) => ask(http, { url }, { permit: strict })
    expect(await at('https://a.example/open/../secret')).toEqual({
      status: 'error',
      text: 'https://a.example/secret, which this means, is not permitted (default). Because.',
    })
    expect((await at('https://a.example/open/%2e%2e/secret')).status).toBe('error')
    expect((await at('https://A.example:443/open/./x')).status).toBe('ok')
    expect(asked(http)).toEqual(['GET https://a.example/open/x'])
  })

  test('may need the approval that was given, and no other', async () => {
    const http = memoryHttp({ 'https://a.example/x': {} })
    const ask1: Decision = { verdict: 'ask', rule: 'configuration: ask network_request' }
    const at = (decision: Decision) => ask(http, { url: 'https://A.example/x' }, { decision, permit: async () => ask1 })
    expect([(await at(ask1)).status, (await at(allow)).status]).toEqual(['ok', 'error'])
  })

  test('is named by a rule only where both spellings are', async () => {
    const http = memoryHttp({ 'http://127.0.0.1/': {} }, ['127.0.0.1'])
    const at = (url: string, decision: Decision, meant: Decision) =>
      ask(http, { url }, { decision, permit: async () => meant })
    expect((await at('http://127.0.0.1/', exact, allow)).status).toBe('ok')
    expect((await at('http://2130706433/', exact, exact)).status).toBe('ok')
    expect((await at('http://2130706433/', exact, allow)).text).toBe('127.0.0.1 is private')
    expect((await at('http://2130706433/', allow, exact)).text).toBe('127.0.0.1 is private')
  })
})

describe('a redirect', () => {
  test.each([
    [301, 'POST', ['POST https://a.example/ x', 'GET https://a.example/b']],
    [302, 'POST', ['POST https://a.example/ x', 'GET https://a.example/b']],
    [303, 'PUT', ['PUT https://a.example/ x', 'GET https://a.example/b']],
    [301, 'PUT', ['PUT https://a.example/ x', 'PUT https://a.example/b x']],
    [307, 'POST', ['POST https://a.example/ x', 'POST https://a.example/b x']],
    [308, 'PATCH', ['PATCH https://a.example/ x', 'PATCH https://a.example/b x']],
  ])('%i of a %s is followed as browsers do', async (status, method, requests) => {
    const http = memoryHttp({ 'https://a.example/': to('/b', status), 'https://a.example/b': { body: 'b' } })
    expect(await ask(http, { url: 'https://a.example/', method, body: 'x' })).toEqual({
      status: 'ok',
      text: 'HTTP 200 OK\nredirected to https://a.example/b\n\nb',
    })
    expect(asked(http)).toEqual(requests)
    const isGet = requests[1]?.startsWith('GET')
    expect(http.requests.map(({ headers }) => Object.hasOwn(headers, 'content-type'))).toEqual([true, !isGet])
  })

  test('of a HEAD stays one', async () => {
    const http = memoryHttp({ 'https://a.example/': to('/b', 303), 'https://a.example/b': { body: 'b' } })
    await ask(http, { url: 'https://a.example/', method: 'HEAD' })
    expect(asked(http)).toEqual(['HEAD https://a.example/', 'HEAD https://a.example/b'])
  })

  test.each([
    [304, { location: '/b' }],
    [300, { location: '/b' }],
    [302, {}],
  ])('is none with status %i and headers %j', async (status, headers) => {
    const http = memoryHttp({ 'https://a.example/': { status, statusText: 'X', headers } })
    expect((await ask(http, { url: 'https://a.example/' })).text).toMatch(`HTTP ${status} X`)
    expect(asked(http)).toEqual(['GET https://a.example/'])
  })

  test('to another server takes only harmless headers along', async () => {
    const http = memoryHttp({
      'https://a.example/': to('/b'),
      'https://a.example/b': to('https://b.example/'),
      'https://b.example/': {},
    })
    const headers = { 'x-api-key': 'secret', accept: 'text/html' }
    await ask(http, { url: 'https://a.example/', headers })
    expect(http.requests.map((request) => request.headers)).toEqual([
      { accept: 'text/html', 'user-agent': 'skills-agent', 'x-api-key': 'secret' },
      { accept: 'text/html', 'user-agent': 'skills-agent', 'x-api-key': 'secret' },
      { accept: 'text/html', 'user-agent': 'skills-agent' },
    ])
  })

  test.each(['deny', 'ask'] as const)('to a place where the policy says %s is not followed', async (verdict) => {
    const http = memoryHttp({ 'https://a.example/': to('https://b.example/x'), 'https://b.example/x': {} })
    const targets: string[] = []
    const permit = async (target: string): Promise<Decision> => {
      targets.push(target)
      return { verdict, rule: `configuration: ${verdict} b.example`, reason: 'Not there.' }
    }
    expect(await ask(http, { url: 'https://a.example/' }, { permit })).toEqual({
      status: 'error',
      text: `redirected by a.example (302): https://b.example/x is not permitted (configuration: ${verdict} b.example). Not there.`,
    })
    expect([targets, asked(http)]).toEqual([['https://b.example/x'], ['GET https://a.example/']])
  })

  test('opens a private address only where a rule names the new host, not the old one', async () => {
    const answers = { 'http://127.0.0.1/': to('http://10.0.0.1/'), 'http://10.0.0.1/': { body: 'x' } }
    const at = async (meant: Decision) => {
      const http = memoryHttp(answers, ['127.0.0.1', '10.0.0.1'])
      return ask(http, { url: 'http://127.0.0.1/' }, { decision: exact, permit: async () => meant })
    }
    expect((await at(allow)).text).toBe('after a redirect to http://10.0.0.1/: 10.0.0.1 is private')
    expect((await at(exact)).status).toBe('ok')
  })

  test.each([
    'file:///etc/passwd',
    'ftp://b.example/',
    'https://user@b.example/',
    'https://b.example\\@a.example/',
    'https:b.example',
    '/a b',
    'http://b.example:0/',
  ])('to %s is not followed', async (location) => {
    const http = memoryHttp({ 'https://a.example/': to(location) })
    const { status, text } = await ask(http, { url: 'https://a.example/' })
    expect([status, text.startsWith('redirected by a.example (302): ')]).toEqual(['error', true])
    expect(http.requests.length).toBe(1)
  })

  test('is followed five times and no more', async () => {
    const chain = Object.fromEntries(
      Array.from({ length: 7 }, (_, i) => [`https://a.example/${i}`, i === 6 ? { body: 'end' } : to(`/${i + 1}`)]),
    )
    const http = memoryHttp(chain)
    expect((await ask(http, { url: 'https://a.example/1' })).text).toMatch(/\n\nend$/)
    expect(await ask(http, { url: 'https://a.example/0' })).toEqual({
      status: 'error',
      text: 'a.example redirects more than 5 times',
    })
    expect(http.requests.length).toBe(12)
  })

  test('to itself ends', async () => {
    const http = memoryHttp({ 'https://a.example/': to('/') })
    expect((await ask(http, { url: 'https://a.example/' })).status).toBe('error')
    expect(http.requests.length).toBe(6)
  })
})

describe('time', () => {
  test('is limited to 30 s for all redirects together', async () => {
    const clock = memoryClock()
    const http = memoryHttp({ 'https://a.example/': to('/b'), 'https://a.example/b': { hangs: true } })
    const slowly: HttpClient = {
      send: async (request) => {
        await clock.sleep(request.url.pathname === '/b' ? 10_001 : 20_000, new AbortController().signal)
        return http.send(request)
      },
    }
    const tool = networkRequestTool({ http: slowly, clock })
    const waiting = useTool(tool, { url: 'https://a.example/' })
    expect(await waiting).toEqual({
      status: 'error',
      text: 'a.example took longer than 30 s, the limit of a request',
    })
  })

  test('leaves no timer behind', async () => {
    const clock = memoryClock()
    let timers = 0
    const counted = {
      ...clock,
      timer: (ms: number, callback: () => void) => {
        timers += 1
        const takeBack = clock.timer(ms, callback)
        return () => {
          timers -= 1
          takeBack()
        }
      },
    }
    const tool = networkRequestTool({ http: memoryHttp({ 'https://a.example/': {} }), clock: counted })
    await useTool(tool, { url: 'https://a.example/' })
    await useTool(tool, { url: 'https://b.example/' })
    expect(timers).toBe(0)
  })

  test('ends with the run', async () => {
    const controller = new AbortController()
    const http = memoryHttp({ 'https://a.example/': { hangs: true } })
    const waiting = ask(http, { url: 'https://a.example/' }, { signal: controller.signal })
    controller.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
  })
})

describe('against servers that are there', () => {
  const real = (timeoutMs = 20_000) => networkRequestTool({ http: httpClient(), clock: systemClock(), timeoutMs })

  test('asks one that a rule names, and closes the connection', async () => {
    await using server = await localServer((_, response) => response.end('hello'))
    const { text } = await useTool(real(), { url: server.origin }, undefined, { decision: exact })
    expect(text).toBe('HTTP 200 OK\ncontent-length: 5\n\nhello')
    for (let i = 0; server.open() > 0 && i < 200; i += 1) await wait(10)
    expect([server.connections(), server.open()]).toEqual([1, 0])
  })

  test('asks none that is only allowed along with others', async () => {
    await using server = await localServer((_, response) => response.end('hello'))
    using watched = watchSockets()
    const results = await Promise.all(
      ['127.0.0.1', 'localhost', '2130706433', '0177.1', '0x7f.1', '[::ffff:7f00:1]', '[::1]', '0.0.0.0'].map((host) =>
        useTool(real(), { url: `http://${host}:${server.port}/` }, undefined, { decision: allow }),
      ),
    )
    for (const result of results) {
      expect(result).toEqual({ status: 'error', text: expect.stringMatching(/its address is not a public one/) })
    }
    expect([watched.sockets(), server.connections()]).toEqual([0, 0])
  })

  test.each([
    '127.0.0.1',
    '[::1]',
    '0.0.0.0',
    '169.254.169.254',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.0.1',
    '100.64.0.1',
    '[fc00::1]',
    '[fe80::1]',
    '[::ffff:127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '2130706433',
    '0177.0.0.1',
    '0x7f000001',
    '127.1',
    'localhost',
  ])('follows no redirect to %s, though the policy allows every host', async (host) => {
    await using secret = await localServer((_, response) => response.end('secret'))
    const location = `http://${host}:${secret.port}/`
    await using server = await localServer((_, response) => response.writeHead(307, { location }).end())
    using watched = watchSockets()
    const decided = { decision: exact, permit: async () => allow }
    const { status, text } = await useTool(real(), { url: `${server.origin}/` }, undefined, decided)
    expect(status).toBe('error')
    expect(text).toMatch(/^after a redirect to http:\S+: \S+ is not asked: its address is not a public one/)
    expect([watched.sockets(), server.connections(), secret.connections()]).toEqual([1, 1, 0])
  })

  test('gives up a body that comes drop by drop when the time is over, with its connection', async () => {
    await using server = await rawServer('HTTP/1.1 200 OK\r\n\r\n', async (socket) => {
      while (!socket.destroyed) {
        socket.write('a')
        await wait(10)
      }
    })
    expect(await useTool(real(300), { url: `${server.origin}/` }, undefined, { decision: exact })).toEqual({
      status: 'error',
      text: `${new URL(server.origin).host} took longer than 0.3 s, the limit of a request`,
    })
    for (let i = 0; server.open() > 0 && i < 200; i += 1) await wait(10)
    expect(server.open()).toBe(0)
  })
})
