import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { textDiff } from './text-diff.ts'

describe('textDiff', () => {
  test('says nothing about equal texts', async () => {
    expect(await textDiff('a\nb\n', 'a\nb\n')).toBe('')
  })

  test('shows changed lines with three lines around them', async () => {
    expect(await textDiff('1\n2\n3\n4\n5\n6\n7\n8\n9\n', '1\n2\n3\n4\nfive\n6\n7\n8\n9\n')).toBe(
      ['--- expected', '+++ actual', '@@ -2,7 +2,7 @@', ' 2', ' 3', ' 4', '-5', '+five', ' 6', ' 7', ' 8'].join('\n'),
    )
  })

  test('mentions a final newline only where one text has it', async () => {
    expect(await textDiff('a', 'b')).toBe('--- expected\n+++ actual\n@@ -1,1 +1,1 @@\n-a\n+b')
    expect(await textDiff('a\n', 'a')).toBe(
      '--- expected\n+++ actual\n@@ -1,1 +1,1 @@\n-a\n+a\n\\ No newline at end of file',
    )
  })

  test('makes control characters visible', async () => {
    expect(await textDiff('a\r\n', 'a\x1b[2J\n')).toBe('--- expected\n+++ actual\n@@ -1,1 +1,1 @@\n-a\\r\n+a\\x1b[2J')
  })

  test('cuts long lines and long diffs', async () => {
    const lines = (await textDiff('', `${'x'.repeat(1_000)}\n${'y\n'.repeat(500)}`)).split('\n')
    expect(lines).toHaveLength(203)
    expect(lines[3]).toBe(`+${'x'.repeat(399)}… (1001 characters)`)
    expect(lines.at(-1)).toBe('… 302 more lines')
  })

  test('shows where texts part that have little in common, in little time', async () => {
    const text = (seed: number) => Array.from({ length: 50_000 }, (_, i) => `${(i * seed) % 99_991}`).join('\n')
    const started = performance.now()
    expect(await textDiff(`same\n${text(7)}`, `same\n${text(11)}`)).toBe(
      [
        '--- expected',
        '+++ actual',
        '@@ line 3: the first of more than 1000 differences (50001 lines expected, 50001 lines found) @@',
        ...[' same', ' 0', '-7', '-14', '-21', '+11', '+22', '+33'],
      ].join('\n'),
    )
    expect(performance.now() - started).toBeLessThan(3_000)
  })

  test('is empty for equal texts alone', async () => {
    const text = fc.array(fc.constantFrom('a', 'b', '\n', '\r'), { maxLength: 8 }).map((parts) => parts.join(''))
    await fc.assert(
      fc.asyncProperty(text, text, async (a, b) => {
        expect((await textDiff(a, b)) === '').toBe(a === b)
      }),
    )
  })
})
