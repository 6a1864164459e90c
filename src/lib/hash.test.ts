import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalJson, sha256 } from './hash.ts'

describe('sha256', () => {
  test.each([
    // FIPS 180-2, appendix B.1, and the digest of nothing.
    ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  ])('of %j', (text, digest) => {
    expect(sha256(text)).toBe(digest)
    expect(sha256(new TextEncoder().encode(text))).toBe(digest)
  })
})

describe('canonicalJson', () => {
  test('writes the example of RFC 8785, section 3.2.2', () => {
    const value = JSON.parse(
      '{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}',
    )
    expect(canonicalJson(value)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    )
  })

  test('sorts keys by code unit, also those that look like numbers', () => {
    const value = {
      '\u20ac': 1,
      '\r': 2,
      '\ufb33': 3,
      '1': 4,
      '\ud83d\ude00': 5,
      '\u0080': 6,
      '\u00f6': 7,
      '10': 8,
      '9': 9,
    }
    expect(Object.keys(JSON.parse(canonicalJson({ b: 1, a: 2 })))).toEqual(['a', 'b'])
    expect(canonicalJson(value)).toBe('{"\\r":2,"1":4,"10":8,"9":9,"\u0080":6,"ö":7,"€":1,"\ud83d\ude00":5,"\ufb33":3}')
  })

  test.each<[unknown, string]>([
    [undefined, 'null'],
    [{ a: undefined, b: () => 1, c: Number.NaN }, '{"c":null}'],
    [[undefined, Number.POSITIVE_INFINITY, -0], '[null,null,0]'],
    ['\ud800', '"\\ud800"'],
    [JSON.parse('{"__proto__":{"a":1}}'), '{"__proto__":{"a":1}}'],
  ])('writes %j as %s', (value, text) => {
    expect(canonicalJson(value)).toBe(text)
  })

  test('is the same for the same value in any order, and reads back as it', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value)
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
        expect(canonicalJson(reversed(value))).toBe(text)
      }),
    )
  })

  test('refuses what is nested without end', () => {
    const loop: unknown[] = []
    loop.push(loop)
    expect(() => canonicalJson(loop)).toThrow(expect.objectContaining({ code: 'json_too_deep' }))
  })
})

const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, reversed(member)]),
  )
}
