import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lineDiff } from './line-diff.ts'

const texts = (before: string, after: string) => lineDiff(before.split(''), after.split('')).map(({ text }) => text)

test.each([
  ['abc', 'abc', ['  … 3 equal lines']],
  ['abc', 'axc', ['  a', '- b', '+ x', '  c']],
  ['abcdefgh', 'abcdefghX', ['  … 6 equal lines', '  g', '  h', '+ X']],
  ['abc', '', ['- a', '- b', '- c']],
  ['', 'ab', ['+ a', '+ b']],
  ['Xabcdefg', 'abcdefgY', ['- X', '  a', '  b', '  … 3 equal lines', '  f', '  g', '+ Y']],
])('from %j to %j', (before, after, diff) => {
  expect(texts(before, after)).toEqual(diff)
})

test('takes away and adds what makes the one into the other, with as few lines as can be', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 })
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const diff = lineDiff(before, after)
      const equal = diff.map(({ text }) =>
        Number(/^ {2}… (\d+) equal/.exec(text)?.[1] ?? (text.startsWith('  ') ? 1 : 0)),
      )
      const count = (sign: string) => diff.filter(({ text }) => text.startsWith(sign)).length
      const common = equal.reduce((sum, n) => sum + n, 0)
      expect([common + count('- '), common + count('+ ')]).toEqual([before.length, after.length])
      expect(common).toBe(longestCommon(before, after))
    }),
  )
})

test('shows as removed and added whole what is too long to compare', () => {
  const before = Array.from({ length: 600 }, (_, i) => `a${i}`)
  const diff = lineDiff(['same', ...before], ['same', ...before.toReversed()])
  expect(diff).toHaveLength(1201)
  expect(diff.slice(0, 2).map(({ text }) => text)).toEqual(['  same', '- a0'])
})

const longestCommon = (a: readonly string[], b: readonly string[]): number => {
  if (a.length === 0 || b.length === 0) return 0
  const row = new Array<number>(b.length + 1).fill(0)
  for (const x of a) {
    let diagonal = 0
    for (const [j, y] of b.entries()) {
      const above = row[j + 1]!
      row[j + 1] = x === y ? diagonal + 1 : Math.max(above, row[j]!)
      diagonal = above
    }
  }
  return row[b.length]!
}
