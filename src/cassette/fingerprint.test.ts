import { expect, test } from 'vitest'
import { fingerprint, fingerprintOf } from './fingerprint.ts'

test('a fingerprint is 16 hexadecimal digits of the text, the same everywhere', () => {
  expect(fingerprint('abc')).toBe('ba7816bf8f01cfea')
})

test('a secret counts as one, whatever machine took it out and by what it was known there', () => {
  const one = fingerprint('key [redacted:env:0a1b2c] end')
  expect(fingerprint('key [redacted:anthropic:ffffff] end')).toBe(one)
  expect(fingerprint('key [redacted:url-password:ffffff] end')).toBe(one)
  expect(fingerprint('key [redacted:env:0a1b2c] END')).not.toBe(one)
})

test('the order of keys does not count in a value, that of items does', () => {
  expect(fingerprintOf({ a: 1, b: [1, 2] })).toBe(fingerprintOf({ b: [1, 2], a: 1 }))
  expect(fingerprintOf({ a: 1, b: [2, 1] })).not.toBe(fingerprintOf({ a: 1, b: [1, 2] }))
})
