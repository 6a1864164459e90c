import { expect, test } from 'vitest'
import { valueLine, valueLines } from './value-text.ts'

test.each([
  ['a "b"', '"a \\"b\\""'],
  [7, '7'],
  [null, 'null'],
  [{ a: ['x', '\ud800\u202e'] }, '{"a":["x","\\ud800\\u202e"]}'],
])('valueLine(%j) is %s', (value, line) => {
  expect(valueLine(value)).toBe(line)
})

test('valueLine looks at no more of a text than it shows', () => {
  const text = '\x1b'.repeat(50_000_000)
  // A repeated text is put together when it is first looked into.
  expect(text.charCodeAt(1)).toBe(0x1b)
  const started = performance.now()
  expect(valueLine(text, 20)).toBe('"\\u001b\\u001b\\u001b…')
  expect(performance.now() - started).toBeLessThan(250)
})

test('valueLines shows a text as it is and anything else as indented JSON', () => {
  const limits = { maxLines: 9, maxLength: 80 }
  expect(valueLines('a\n"b"', limits)).toEqual(['a', '"b"'])
  expect(valueLines({ a: [1] }, limits)).toEqual(['{', '  "a": [', '    1', '  ]', '}'])
})
