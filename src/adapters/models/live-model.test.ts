import type { IncomingMessage, ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { ModelResponse } from '../../core/model.ts'
import type { Clock } from '../../core/ports.ts'
import { systemClock } from '../clock/system-clock.ts'
import { memoryClock } from '../memory/memory-clock.ts'
import { localServer, rawServer } from '../net/local-server.test-support.ts'
import { type LiveOptions, liveModel } from './live-model.ts'
import { profile, request } from './models.test-support.ts'
import { rateLimiter } from './rate-limiter.ts'

const { signal } = new AbortController()
const secret = 'sk-test-0123456789abcdef'
const ask = request([{ role: 'user', text: 'Hi.' }])
const good = JSON.stringify({
  model: 'some-model',
  choices: [{ message: { content: 'Hello.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 10, completion_tokens: 5 },
})

/** Real time for what the network does, none for what is waited for between attempts; `waits` keeps how long. */
const hastyClock = (): Clock & { readonly waits: number[] } => {
  const waits: number[] = []
  return {
    ...systemClock(),
    waits,
    sleep: async (ms, stop) => {
      stop.throwIfAborted()
      waits.push(ms)
    },
  }
}

const model = (origin: string, change: Partial<LiveOptions> & { readonly more?: object } = {}) => {
  const clock = change.clock ?? hastyClock()
  return liveModel({
    profile: 'live',
    settings: profile('openai', { base_url: `${origin}/v1`, ...change.more }),
    key: { name: 'SOME_KEY', value: secret },
    costOf: (_, { input_tokens: input }) => (input === null ? null : input),
    limiter: rateLimiter({}, clock),
    clock,
    random: () => 0,
    ...change,
  })
}

type Reply = {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

/** A server that gives these replies in turn, the last one for ever. */
const replying = (...replies: readonly Reply[]) => {
  let at = 0
  return localServer((_: IncomingMessage, response: ServerResponse) => {
    const { status = 200, headers = {}, body = good } = replies[Math.min(at, replies.length - 1)] ?? {}
    at += 1
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
  })
}

const asking = async (replies: readonly Reply[], more: object = {}) => {
  await using server = await replying(...replies)
  const clock = hastyClock()
  const response = await model(server.origin, { clock, more }).generate(ask, { signal })
  return { response, requests: server.seen.length, waits: clock.waits, host: server.origin.slice('http://'.length) }
}

const failure = ({ error }: ModelResponse) => (error === undefined ? undefined : `${error.code}: ${error.message}`)

describe('an answer', () => {
  test('comes with its usage, cost, model and latency; the key goes in the header alone', async () => {
    await using server = await replying({})
    const response = await model(server.origin).generate(ask, { signal })
    expect(response).toEqual({
      text: 'Hello.',
      calls: [],
      stop: 'end',
      usage: { input_tokens: 10, output_tokens: 5, cached_input_tokens: 0, reasoning_tokens: 0 },
      costUsd: 10,
      latencyMs: expect.any(Number),
      model: 'some-model',
    })
    const [seen] = server.seen
    expect(seen).toMatchObject({
      method: 'POST',
      path: '/v1/chat/completions',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    })
    expect(seen?.body).not.toContain(secret)
  })

  test('may be packed', async () => {
    const { response } = await asking([{ headers: { 'content-encoding': 'gzip' }, body: gzipSync(good) }])
    expect(response.text).toBe('Hello.')
  })

  test('of a server that wants no key is asked for without one', async () => {
    await using server = await replying({})
    await model(server.origin, { key: undefined }).generate(ask, { signal })
    expect(server.seen[0]?.headers).not.toHaveProperty('authorization')
  })

  test('is asked for in whole characters', async () => {
    await using server = await replying({})
    await model(server.origin).generate(request([{ role: 'user', text: 'a\ud83d b\ud83d\ude00 \\ud83d' }]), { signal })
    const { messages } = JSON.parse(server.seen[0]?.body ?? '') as { messages: { content: string }[] }
    expect(messages[1]?.content).toBe('a b\ud83d\ude00 \\ud83d')
  })
})

describe('what fails in passing', () => {
  test.each([
    ['429 with milliseconds', { status: 429, headers: { 'retry-after-ms': '120' } }, [120]],
    ['429 with seconds', { status: 429, headers: { 'retry-after': '7' } }, [7000]],
    ['429 without a word', { status: 429 }, [500]],
    ['408', { status: 408 }, [500]],
    ['409', { status: 409 }, [500]],
    ['500', { status: 500 }, [500]],
    [
      '529',
      { status: 529, body: '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}' },
      [500],
    ],
    ['400 that asks for it', { status: 400, headers: { 'x-should-retry': 'true' } }, [500]],
  ])('is sent again: %s', async (_, reply, expected) => {
    const { response, requests, waits } = await asking([reply, {}])
    expect(response.text).toBe('Hello.')
    expect(requests).toBe(2)
    expect(waits).toEqual(expected)
  })

  test('is given up after the retries of the profile', async () => {
    const { response, requests, waits, host } = await asking([{ status: 503, body: 'no' }])
    expect(failure(response)).toBe(`model_error: ${host} answered 503: no JSON: no (tried 3 times)`)
    expect([requests, waits]).toEqual([3, [500, 1000]])
    expect((await asking([{ status: 503 }], { max_retries: 0 })).requests).toBe(1)
    expect((await asking([{ status: 503 }], { max_retries: 5 })).requests).toBe(6)
  })

  test('is not waited for longer than a minute', async () => {
    const { response, requests, host } = await asking([{ status: 429, headers: { 'retry-after': '61' } }])
    expect(failure(response)).toBe(`rate_limited: ${host} answered 429; it asks to wait 61 s, and 60 s is the most`)
    expect(requests).toBe(1)
  })

  test('costs nothing and used nothing, where the server refused', async () => {
    const { response } = await asking([{ status: 500 }], { max_retries: 0 })
    expect(response).toMatchObject({ costUsd: 0, usage: { input_tokens: 0, output_tokens: 0 } })
  })
})

describe('what fails for good', () => {
  const openai = (type: string, code: string | null, message: string) =>
    JSON.stringify({ error: { type, code, message } })

  test.each<[string, Reply, string]>([
    [
      'a wrong key',
      { status: 401, body: openai('invalid_request_error', 'invalid_api_key', `Incorrect API key: ${secret}.`) },
      'model_error: HOST answered 401 (invalid_api_key): Incorrect API key: [redacted].; check the key in SOME_KEY',
    ],
    [
      'a wrong key, whatever the server says of another attempt',
      { status: 401, headers: { 'x-should-retry': 'true' } },
      'model_error: HOST answered 401; check the key in SOME_KEY',
    ],
    [
      'a key that may not',
      { status: 403, body: '{"type":"error","error":{"type":"permission_error","message":"No."}}' },
      'model_error: HOST answered 403 (permission_error): No.; the key in SOME_KEY may not use this',
    ],
    [
      'a used-up quota',
      { status: 429, body: openai('insufficient_quota', 'insufficient_quota', 'You exceeded your quota.') },
      'model_error: HOST answered 429 (insufficient_quota): You exceeded your quota.; the quota of this account is used up',
    ],
    [
      'a model that is not there',
      { status: 404, body: openai('invalid_request_error', 'model_not_found', 'No such model.') },
      'model_error: HOST answered 404 (model_not_found): No such model.',
    ],
    [
      'a request that is not valid',
      { status: 400, body: '{"error":"bad model"}' },
      'model_error: HOST answered 400: bad model',
    ],
    [
      'a 500 that asks not to be tried again',
      { status: 500, headers: { 'x-should-retry': 'false' } },
      'model_error: HOST answered 500',
    ],
    [
      'the page of a proxy',
      { status: 404, body: '<html>\n<title>\u001b[31mLogin</title>' },
      'model_error: HOST answered 404: no JSON: <html>\\n<title>\\x1b[31mLogin</title>',
    ],
    [
      'a page in place of an answer',
      { body: '<html>hello</html>' },
      'model_error: HOST sent an answer that is not JSON (expected a value): <html>hello</html>',
    ],
    ['half an answer', { body: good.slice(0, 20) }, 'model_error: HOST sent an answer that is not JSON'],
    [
      'an error that calls itself a success',
      { body: `{"error":{"message":"no tokens for ${secret}"}}` },
      'model_error: HOST: it reports an error: no tokens for [redacted]',
    ],
    ['something else entirely', { body: '[1,2]' }, 'model_error: HOST: the answer has no choice with a message'],
    ['nothing', { body: '' }, 'model_error: HOST sent an answer that is not JSON'],
    [
      'an end that nobody knows',
      { body: good.replace('"stop"', `"${'x'.repeat(5000)}"`) },
      'model_error: HOST: the answer ended for a reason that is not known here: xxx',
    ],
    [
      'what is nested too deeply',
      { body: '['.repeat(100_000) },
      'model_error: HOST sent an answer that is not JSON (nested deeper than 512 levels)',
    ],
  ])('is told in one line and not sent again: %s', async (_, reply, words) => {
    const { response, requests, host } = await asking([reply])
    const told = failure(response)?.replace(host, 'HOST') ?? ''
    expect(told).toContain(words)
    expect(told).not.toMatch(/[\n\u001b]/)
    expect(told.length).toBeLessThan(1100)
    expect(told).not.toContain(secret.slice(0, 12))
    expect([requests, response.calls, response.text, response.stop]).toEqual([1, [], '', 'error'])
  })

  test.each([400, 200])(
    'a key that is repeated at the edge of what is shown is not shown in part: %i',
    async (status) => {
      const body = JSON.stringify({ error: { message: `${'x'.repeat(290)}${secret}` } })
      const { response } = await asking([{ status, body }])
      expect(failure(response)).toContain('xxx')
      expect(failure(response)).not.toContain(secret.slice(0, 6))
    },
  )

  test('a conversation that is too long is an end of its own', async () => {
    const body = openai('invalid_request_error', 'context_length_exceeded', 'Too long.')
    const { response } = await asking([{ status: 400, body }])
    expect(response).toMatchObject({ stop: 'context_overflow', costUsd: 0 })
    expect(response.error).toBeUndefined()
  })

  test('without a key the message says how one is named', async () => {
    await using server = await replying({ status: 401 })
    const response = await model(server.origin, { key: undefined }).generate(ask, { signal })
    expect(failure(response)).toContain('answered 401; no key was sent: name its variable in api_key_env')
  })

  test('a redirect is not followed: the key stays here', async () => {
    await using elsewhere = await replying({})
    for (const status of [301, 302, 303, 307, 308]) {
      const reply = { status, headers: { location: `${elsewhere.origin}/v1/chat/completions` } }
      const { response, requests } = await asking([reply])
      expect(failure(response)).toContain(`answered ${status}, a redirect, which is not followed`)
      expect(requests).toBe(1)
    }
    expect(elsewhere.seen).toEqual([])
  })

  test('an answer without end is read no further than is of use', async () => {
    let sent = 0
    await using server = await localServer((_, response) => {
      const piece = Buffer.alloc(1024 * 1024, ' ')
      response.writeHead(200, { 'content-type': 'application/json' })
      const more = () => {
        while (!response.destroyed && response.write(piece)) sent += 1
      }
      response.on('drain', more)
      more()
    })
    const response = await model(server.origin).generate(ask, { signal })
    expect(failure(response)).toMatch(/model_error: .* sent an answer of more than 32 MiB$/)
    expect(sent).toBeLessThan(64)
    expect(response.costUsd).toBeNull()
  })
})

describe('the network', () => {
  test.each([
    ['closes before it answers', ''],
    ['cuts the head', 'HTTP/1.1 200 OK\r\nconte'],
    ['cuts the body', `HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\n${good}`],
    ['cuts a chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n50\r\n{"model"'],
    ['speaks another language', 'SSH-2.0-OpenSSH\r\n'],
    ['packs what it cuts', 'HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 3\r\n\r\nabc'],
  ])('that %s is tried again, and then told', async (_, text) => {
    await using server = await rawServer(text)
    const clock = hastyClock()
    const response = await model(server.origin, { clock }).generate(ask, { signal })
    expect(failure(response)).toMatch(/^model_error: .*127\.0\.0\.1.* \(tried 3 times\)$/)
    expect(failure(response)).not.toMatch(/fetch failed|terminated|undefined/)
    expect(clock.waits).toEqual([500, 1000])
    expect(response.costUsd).toBeNull()
    expect(response.usage.input_tokens).toBeNull()
  })

  test('that resets the connection is tried again', async () => {
    let times = 0
    await using server = await localServer((request, response) => {
      times += 1
      if (times === 1) request.socket.resetAndDestroy()
      else response.end(good)
    })
    expect((await model(server.origin).generate(ask, { signal })).text).toBe('Hello.')
  })

  test('where nobody listens has used nothing', async () => {
    const server = await replying({})
    await server[Symbol.asyncDispose]()
    const response = await model(server.origin).generate(ask, { signal })
    expect(failure(response)).toMatch(/refused the connection \(tried 3 times\)$/)
    expect(response).toMatchObject({ costUsd: 0, usage: { input_tokens: 0 } })
  })

  test('that is a proxy which wants a password is told', async () => {
    const { response } = await asking([{ status: 407 }], { max_retries: 0 })
    expect(failure(response)).toMatch(/^model_error: the request to 127\.0\.0\.1:\d+ failed: fetch failed$/)
  })

  test.each([
    ['head', () => undefined],
    ['body', (response: ServerResponse) => response.writeHead(200).write('{"model":')],
  ])('that is slow with its %s is given up after the time of the profile, each time', async (_, answer) => {
    await using server = await localServer((__, response) => void answer(response))
    const response = await model(server.origin, { more: { timeout_seconds: 0.05, max_retries: 1 } }).generate(ask, {
      signal,
    })
    expect(failure(response)).toMatch(
      /^provider_timeout: .* did not answer in 0\.05 s; raise timeout_seconds of the profile \(tried 2 times\)$/,
    )
    expect(server.seen).toHaveLength(2)
    expect(response.costUsd).toBeNull()
  })
})

describe('an abort', () => {
  test('ends a request under way with its reason, and its connection with it', async () => {
    const ending = new AbortController()
    let isClosed = false
    await using server = await localServer((request) => {
      request.socket.once('close', () => {
        isClosed = true
      })
      ending.abort(new Error('enough'))
    })
    await expect(model(server.origin).generate(ask, { signal: ending.signal })).rejects.toThrow('enough')
    await expect.poll(() => isClosed).toBe(true)
  })

  test('ends the wait for another attempt', async () => {
    const ending = new AbortController()
    await using server = await replying({ status: 429, headers: { 'retry-after': '50' } })
    const pending = model(server.origin, { clock: systemClock() }).generate(ask, { signal: ending.signal })
    await expect.poll(() => server.seen.length).toBe(1)
    ending.abort(new Error('enough'))
    await expect(pending).rejects.toThrow('enough')
  })

  test('before the start sends nothing', async () => {
    await using server = await replying({})
    const aborted = AbortSignal.abort(new Error('enough'))
    await expect(model(server.origin).generate(ask, { signal: aborted })).rejects.toThrow('enough')
    expect(server.seen).toEqual([])
  })
})

test('every attempt asks the limiter, and the answer corrects what was estimated', async () => {
  await using server = await replying({ status: 500 }, {})
  const clock = memoryClock()
  const settled: number[] = []
  const estimates: number[] = []
  const limiter = {
    take: async (estimate: () => number) => {
      estimates.push(estimate())
      return { settle: (tokens: number) => void settled.push(tokens) }
    },
  }
  await model(server.origin, { clock, limiter }).generate(ask, { signal })
  expect(estimates).toHaveLength(2)
  expect(estimates[0]).toBeGreaterThan(20)
  expect(settled).toEqual([15])
})

test('a run that has listened to one signal thousands of times leaves nothing on it', async () => {
  const controller = new AbortController()
  let listeners = 0
  const { addEventListener, removeEventListener } = controller.signal
  controller.signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
    listeners += 1
    addEventListener.apply(controller.signal, args)
  }
  controller.signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
    listeners -= 1
    removeEventListener.apply(controller.signal, args)
  }
  await using server = await replying({})
  const live = model(server.origin)
  for (let i = 0; i < 20; i += 1) await live.generate(ask, { signal: controller.signal })
  expect(listeners).toBe(0)
})
