import { describe, expect, test } from 'vitest'
import { type MemoryAnswer, memoryHttp } from '../adapters/memory/memory-http.ts'
import { packLimits } from '../distribution/limits.ts'
import { fetchPack } from './fetch-pack.ts'

const none = new AbortController().signal
const get = (url: string, answers: Readonly<Record<string, MemoryAnswer>>, timeoutMs = 5_000) => {
  const http = memoryHttp(answers, ['inside.example', 'other.inside.example'])
  const fetched = fetchPack(url, http, none, timeoutMs)
  return Object.assign(fetched, { http })
}
const to = (location: string, status = 302): MemoryAnswer => ({ status, headers: { location } })

describe('a pack from a URL', () => {
  test('comes with its origin, which has no query', async () => {
    const { bytes, origin } = await get('https://a.example/p.zip?token=secret#x', {
      'https://a.example/p.zip?token=secret#x': { body: 'zip' },
    })
    expect(Buffer.from(bytes).toString()).toBe('zip')
    expect(origin).toBe('https://a.example/p.zip')
  })

  test.each([301, 302, 303, 307, 308])('follows a redirect (%i), relative or to another host', async (status) => {
    const { origin, bytes } = await get('https://a.example/p', {
      'https://a.example/p': to('/q', status),
      'https://a.example/q': to('https://b.example/r', status),
      'https://b.example/r': { body: 'r' },
    })
    expect([origin, Buffer.from(bytes).toString()]).toEqual(['https://a.example/p', 'r'])
  })

  const refused: readonly (readonly [string, string, Readonly<Record<string, MemoryAnswer>>, RegExp])[] = [
    [
      'a redirect from https to http',
      'https://a.example/p',
      { 'https://a.example/p': to('http://a.example/p'), 'http://a.example/p': { body: 'x' } },
      /not encrypted/,
    ],
    [
      'a redirect to a file',
      'http://a.example/p',
      { 'http://a.example/p': to('file:///etc/passwd') },
      /leads on to a file: URL, and only http and https are followed/,
    ],
    ['a redirect to what is no URL', 'http://a.example/p', { 'http://a.example/p': to('http://[') }, /no URL/],
    [
      'a redirect with a password',
      'http://a.example/p',
      { 'http://a.example/p': to('http://u:p@a.example/') },
      /password/,
    ],
    [
      'a redirect to a host inside',
      'https://a.example/p',
      { 'https://a.example/p': to('https://inside.example/p'), 'https://inside.example/p': { body: 'x' } },
      /private/,
    ],
    ['redirects without end', 'https://a.example/p', { 'https://a.example/p': to('/p') }, /more than 5 times/],
    [
      'a status that is no success',
      'https://a.example/p',
      { 'https://a.example/p': { status: 404, statusText: 'Not Found' } },
      /404 Not Found/,
    ],
    ['a part of a file', 'https://a.example/p', { 'https://a.example/p': { status: 206, body: 'x' } }, /206/],
    ['a server that is not there', 'https://a.example/p', {}, /refused the connection/],
    [
      'a body that is too large',
      'https://a.example/p',
      { 'https://a.example/p': { body: Buffer.alloc(packLimits.zipBytes + 1) } },
      /larger than 50 MiB/,
    ],
    ['another scheme', 'ftp://a.example/p', {}, /http or https/],
    ['no URL', 'https://', {}, /http or https/],
    ['a URL with a password', 'https://u:secret@a.example/p', {}, /user name or password/],
  ]
  test.each(refused)('is refused for %s', async (_, url, answers, says) => {
    await expect(get(url, answers)).rejects.toThrow(says)
    await expect(get(url, answers)).rejects.not.toThrow(/secret/)
  })

  test('is asked of a host inside where that is the one that was named', async () => {
    const { bytes } = await get('http://inside.example/p', {
      'http://inside.example/p': to('/q'),
      'http://inside.example/q': { body: 'x' },
    })
    expect(bytes).toHaveLength(1)
  })

  test('is not waited for without end', async () => {
    await expect(get('https://a.example/p', { 'https://a.example/p': { hangs: true } }, 30)).rejects.toThrow(/too long/)
  })
})
