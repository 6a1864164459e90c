import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { redactor } from './redactor.ts'
import { sampleSecrets, unshaped } from './secrets.test-support.ts'

const env = {
  MY_SERVICE_TOKEN: unshaped[0],
  DB_PASSWORD: unshaped[1],
  EMPTY_TOKEN: '',
  PATH: '/usr/bin',
  USE_AUTH: 'true',
}
const { redact, redactValue, leaks } = redactor({ values: ['configured/key+value=='], env, key: 'k' })
const all = [...sampleSecrets, ...unshaped.map((value): readonly [string, string] => ['env', value])]
const placeholder = /\[redacted:[a-z-]+:[\da-f]{6}\]/

describe('redact', () => {
  test.each(all)('takes out a secret: %s', (_, secret) => {
    for (const text of [secret, `before ${secret} after`, `"${secret}"`, `(${secret})`, `x=${secret}\nnext`]) {
      const shown = redact(text)
      expect(shown).toMatch(placeholder)
      expect(shown).not.toContain(secret)
    }
  })

  test.each(all)('takes it out in any disguise: %s', (_, secret) => {
    const forms = [
      JSON.stringify({ a: secret }),
      JSON.stringify(JSON.stringify({ a: secret })),
      `https://a.example/?q=${encodeURIComponent(secret)}`,
      [...Buffer.from(secret)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
      [...secret].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
      Buffer.from(secret).toString('base64'),
      Buffer.from(secret).toString('base64url'),
      `blob:${Buffer.from(`user:${secret}:x`).toString('base64')}`,
    ]
    for (const form of forms) {
      const shown = redact(form)
      expect(shown).toMatch(placeholder)
      expect(disguises(secret).filter((disguise) => shown.includes(disguise))).toEqual([])
    }
  })

  test.each([
    'urn:uuid:123e4567-e89b-12d3-a456-426614174000',
    'commit 0705e84c1f2d3b4a5968778695a4b3c2d1e0f123',
    'sha512-VQ2KXiM5lQhfW9Dl0AhNuO9bTSLG3uTOQWzF4F9NzXXfjqWvUwjVRbbT1yYKDe3k7vJ5oJbmYhYHYxkVXbfB4w==',
    'a risk-free task-force asks sk-learn and desk-ant-farm about it',
    '"password": string, token: string; secret = getSecret(name)',
    'Set max_tokens: 4096 and use the token of your provider, such as sk-…',
    'https://example.com/a:b/c@d?page=2&key=name',
    '-----BEGIN CERTIFICATE-----\nMIIBszCCAVmgAwIBAgIUAbc=\n-----END CERTIFICATE-----',
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk',
    'The cookie: a treat. Authorization: see below. A bearer of news.',
    'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  ])('keeps what only looks like one: %s', (text) => {
    expect(redact(text)).toBe(text)
  })

  test.each(all)('takes it out of a diff and behind an escape: %s', (_, secret) => {
    for (const text of [
      `-${secret}\n+${secret}`,
      `@@ -1 +1 @@\n-${secret}`,
      `{"a": "b\\n${secret}"}`,
      `b\\t-${secret}`,
    ]) {
      expect(redact(text)).not.toContain(secret)
    }
  })

  test('one value has one placeholder, in all its forms, and another key another', () => {
    const secret = unshaped[0]
    const stands = redact(secret)
    expect(stands).toMatch(/^\[redacted:env:[\da-f]{6}\]$/)
    expect(redact(`${secret} ${encodeURIComponent(secret)} ${JSON.stringify(secret)}`)).toBe(
      `${stands} ${stands} "${stands}"`,
    )
    expect(redactor({ env, key: 'other' }).redact(secret)).not.toBe(stands)
  })

  test('headers and cookies lose their value and keep their name', () => {
    expect(redact('Authorization: Bearer abcd.efgh\nAccept: text/html')).toMatch(
      /^Authorization: Bearer \[redacted:header:\w+\]\nAccept: text\/html$/,
    )
    expect(redact('Cookie: sid=abc; theme=dark\nHost: a')).toMatch(/^Cookie: \[redacted:cookie:\w+\]\nHost: a$/)
    expect(redact('Authorization: Digest username="me", response="0a1b2c3d4e"')).not.toContain('0a1b2c3d4e')
    expect(redact('curl -H "X-Api-Key: abcdef12" a')).toMatch(/^curl -H "X-Api-Key: \[redacted:header:\w+\]" a$/)
  })

  test('a switch, a number and a path are no secrets, whatever their names say', () => {
    const quiet = redactor({
      env: {
        USE_AUTH: 'enabled',
        AUTH_PORT: '1234567',
        KEY_PATH: '/home/me/.ssh/id',
        PWD: '/srv/secret-place',
        TOKENIZERS_PARALLELISM: 'parallel',
      },
      key: 'k',
    })
    const text = 'enabled 1234567 /home/me/.ssh/id /srv/secret-place parallel'
    expect(quiet.redact(text)).toBe(text)
  })

  test('nothing can be hidden in what looks like a placeholder', () => {
    expect(redact(`[redacted:${unshaped[1]}:abcdef]`)).not.toContain(unshaped[1])
    expect(redact(`[redacted:env:abcdef${unshaped[1]}]`)).not.toContain(unshaped[1])
  })

  test('redacting twice changes nothing', () => {
    const piece = fc.oneof(
      fc.constantFrom(...all.map(([, secret]) => secret)),
      fc.constantFrom(...all.map(([, secret]) => Buffer.from(secret).toString('base64'))),
      fc.constantFrom(
        'Authorization: ',
        'Bearer ',
        'Cookie: a=',
        'password=',
        '://u:',
        '@',
        '"',
        '\\',
        '%',
        '[redacted:',
        'sk-',
        '\n',
        ' ',
        '-----BEGIN ',
      ),
      fc.string({ maxLength: 12 }),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const once = redact(pieces.join(''))
        expect(redact(once)).toBe(once)
      }),
      { numRuns: 1000 },
    )
  })

  test('takes linear time over hostile text', () => {
    const size = 1 << 20
    const hostile = [
      'a',
      'A1',
      'eyJa.',
      'eyJ',
      'sk-',
      '-----BEGIN PRIVATE KEY-----',
      '://a:',
      'a://a:',
      'Cookie: ',
      'cookie:a',
      'Authorization: ',
      'authorization:bearer ',
      'password=',
      '%41',
      '\\u0041',
      'YWJj',
      'SG.aaaaaaaaaaaaaaaa.',
      'xoxb-',
      '[redacted:',
      'bearer ',
      '&token=',
      '"',
      '\\"',
      'x-key',
      '-----BEGIN ',
      'x-',
      'digest "',
    ]
    for (const piece of hostile) {
      const started = performance.now()
      redact(piece.repeat(Math.ceil(size / piece.length)))
      expect(performance.now() - started, piece).toBeLessThan(4000)
    }
  })
})

describe('redactValue', () => {
  test('goes through keys, lists and what is nested', () => {
    for (const [, secret] of all) {
      const shown = JSON.stringify(redactValue({ a: [{ [secret]: 1, b: `x ${secret}` }, 2, null, true] }))
      expect(disguises(secret).filter((disguise) => shown.includes(disguise))).toEqual([])
    }
  })

  test('what a header or a field of that name holds goes whole', () => {
    const shown = redactValue({
      headers: { Authorization: 'Bearer x', 'set-cookie': ['a=b', 'c=d'], accept: 'text/html' },
      client_secret: 'correct horse',
      password: '',
      token: null,
      max_tokens: 12,
    })
    expect(JSON.stringify(shown)).not.toMatch(/Bearer x|a=b|c=d|horse/)
    expect(shown).toMatchObject({ headers: { accept: 'text/html' }, password: '', token: null, max_tokens: 12 })
    expect(redactValue(shown)).toEqual(shown)
  })

  test('keys that become the same stay two', () => {
    const shown = redactValue({ [unshaped[0]]: 1, [encodeURIComponent(unshaped[0])]: 2 })
    expect(Object.values(shown)).toEqual([1, 2])
  })

  test('leaks finds a known value in what was written, however it was encoded', () => {
    expect(leaks('nothing here')).toBe(false)
    for (const value of unshaped) {
      expect(leaks(`x${value}`)).toBe(true)
      expect(leaks(Buffer.from(`ab${value}`).toString('base64'))).toBe(true)
      expect(leaks(redact(value))).toBe(false)
    }
  })
})

const disguises = (secret: string): string[] => [
  secret,
  JSON.stringify(secret).slice(1, -1),
  encodeURIComponent(secret),
  Buffer.from(secret).toString('base64').replace(/=+$/, ''),
]
