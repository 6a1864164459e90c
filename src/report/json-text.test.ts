import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonText, shownJson } from './json-text.ts'

test.each([
  ['\ud800x\udc00', '"\ufffdx\ufffd"'],
  ['\\ud800', '"\\\\ud800"'],
  ['\\\ud800', '"\\\\\ufffd"'],
  ['\ud83d\ude42', '"\ud83d\ude42"'],
  [[Number.NaN, Number.POSITIVE_INFINITY, undefined], '[null,null,null]'],
  [undefined, 'null'],
])('writes %j as %s', (value, text) => {
  expect(jsonText(value)).toBe(text)
})

test('reads back as what was written, halves of surrogate pairs replaced', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const wellFormed = text.replace(/\p{Surrogate}/gu, '\ufffd')
      expect(JSON.parse(jsonText({ [text]: text }))).toEqual({ [wellFormed]: wellFormed })
    }),
  )
})

test('keeps a key named __proto__', () => {
  expect(jsonText(JSON.parse('{"__proto__": 1}'))).toBe('{"__proto__":1}')
})

test('cuts what is nested deeper than the engine can write', () => {
  const deep: unknown = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000))
  expect(jsonText({ deep, name: 'x' })).toBe(`{"deep":${'['.repeat(99)}"…"${']'.repeat(99)},"name":"x"}`)
})

test('shows halves of surrogate pairs to people', () => {
  expect(shownJson('\ud800')).toBe('"\\ud800"')
})
