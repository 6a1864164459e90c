import { expect, test } from 'vitest'
import { RegexTimeout } from '../lib/regex.ts'
import { canonicalOf } from './conversation.test-support.ts'

const places = [{ name: 'workspace', path: '/tmp/ws' }]

test('paths go first, then secrets, then what the author normalizes, and that in observations alone', () => {
  const { text, observation } = canonicalOf(places, [
    { match: '\\[path:workspace\\]', replace: 'WS' },
    { match: '\\[redacted:\\w+:\\w+\\]', replace: 'SECRET' },
    { match: '(\\d+) ms', replace: '$1 → n ms' },
    { match: 'n ms', replace: 'N' },
  ])
  expect(observation('/tmp/ws correcthorsebattery 12 ms')).toBe('WS SECRET 12 → N')
  expect(text('/tmp/ws correcthorsebattery 12 ms')).toMatch(/^\[path:workspace\] \[redacted:env:\w{6}\] 12 ms$/)
})

test('what is canonical stays so', () => {
  const { text, value } = canonicalOf(places)
  const once = text('/tmp/ws/a correcthorsebattery')
  expect(text(once.replace('[path:workspace]', '/tmp/ws'))).toBe(once)
  expect(value({ '/tmp/ws': ['correcthorsebattery'] })).toEqual({
    '[path:workspace]': [expect.stringMatching(/^\[redacted:env:/)],
  })
})

test('text that is not well-formed is kept as text', () => {
  expect(canonicalOf().text('a\ud800b')).toBe('a\ufffdb')
})

test('a rule that takes too long is an error that names it, not a hang', () => {
  const { observation } = canonicalOf([], [{ match: '(a+)+$', replace: '' }])
  expect(() => observation(`${'a'.repeat(50)}b`)).toThrow(RegexTimeout)
})
