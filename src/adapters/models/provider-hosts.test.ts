import nock from 'nock'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { memoryClock } from '../memory/memory-clock.ts'
import { liveModel } from './live-model.ts'
import { profile, request } from './models.test-support.ts'
import { rateLimiter } from './rate-limiter.ts'

beforeAll(() => {
  nock.disableNetConnect()
})
afterEach(() => nock.cleanAll())
afterAll(() => {
  nock.enableNetConnect()
  nock.restore()
})

const key = 'sk-0123456789'
const hi = request([{ role: 'user', text: 'Hi.' }], { tools: [], system: '' })

const ask = (provider: Parameters<typeof profile>[0]) => {
  const clock = memoryClock()
  const model = liveModel({
    profile: 'live',
    settings: profile(provider, { max_retries: 0 }),
    key: { name: 'KEY', value: key },
    costOf: () => null,
    limiter: rateLimiter({}, clock),
    clock,
    random: () => 0,
  })
  return model.generate(hi, { signal: new AbortController().signal })
}

test.each<{
  readonly provider: Parameters<typeof profile>[0]
  readonly host: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: object
  readonly answer: object
}>([
  {
    provider: 'anthropic',
    host: 'https://api.anthropic.com',
    path: '/v1/messages',
    headers: { 'x-api-key': key, 'anthropic-version': '2023-06-01' },
    body: {
      model: 'some-model',
      max_tokens: 16_000,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi.', cache_control: { type: 'ephemeral' } }] }],
    },
    answer: { content: [{ type: 'text', text: 'Hello.' }], stop_reason: 'end_turn' },
  },
  {
    provider: 'openai',
    host: 'https://api.openai.com',
    path: '/v1/chat/completions',
    headers: { authorization: `Bearer ${key}` },
    body: { model: 'some-model', messages: [{ role: 'user', content: 'Hi.' }] },
    answer: { choices: [{ message: { content: 'Hello.' }, finish_reason: 'stop' }] },
  },
  {
    provider: 'openai-responses',
    host: 'https://api.openai.com',
    path: '/v1/responses',
    headers: { authorization: `Bearer ${key}` },
    body: { model: 'some-model', store: false, input: [{ role: 'user', content: 'Hi.' }] },
    answer: {
      status: 'completed',
      output: [{ type: 'message', content: [{ type: 'output_text', text: 'Hello.' }] }],
    },
  },
])(
  '$provider is asked at its own host, in exactly this way',
  async ({ provider, host, path, headers, body, answer }) => {
    let sent: unknown
    const scope = nock(host, { reqheaders: { 'content-type': 'application/json', ...headers } })
      .post(path, (json) => {
        sent = json
        return true
      })
      .reply(200, answer)
    expect(await ask(provider)).toMatchObject({ text: 'Hello.', stop: 'end' })
    expect(sent).toEqual(body)
    scope.done()
  },
)

test('nobody else is asked', async () => {
  nock('https://api.openai.com').post('/v1/chat/completions').reply(200, {})
  expect((await ask('anthropic')).error?.message).toBe('api.anthropic.com cannot be reached from here')
})
