import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { confusionTable } from './confusion.ts'

const table = (...trials: readonly (readonly [expected: readonly string[], selected: readonly string[]])[]) => {
  const confusion = confusionTable()
  for (const [expected, selected] of trials) confusion.add(new Set(expected), new Set(selected))
  return confusion.result().map(({ expected, selected, count }) => `${expected} > ${selected}: ${count}`)
}

describe('confusionTable', () => {
  test.each([
    ['a hit pairs with itself', ['a'], ['a'], ['a > a: 1']],
    ['a missed skill pairs with none', ['a'], [], ['a > (none): 1']],
    ['a skill selected for nothing pairs with none', [], ['a'], ['(none) > a: 1']],
    ['a missed skill pairs with what was selected instead', ['a'], ['b'], ['a > b: 1']],
    [
      'each missed one pairs with each wrong one',
      ['a', 'b'],
      ['c', 'd'],
      ['a > c: 1', 'a > d: 1', 'b > c: 1', 'b > d: 1'],
    ],
    ['a hit takes no part in the pairs of others', ['a', 'b'], ['a', 'c'], ['a > a: 1', 'b > c: 1']],
    ['one too many beside a hit pairs with none', ['a'], ['a', 'b'], ['(none) > b: 1', 'a > a: 1']],
    ['one missed beside a hit pairs with none', ['a', 'b'], ['a'], ['a > a: 1', 'b > (none): 1']],
    ['nothing expected and nothing selected is no pair', [], [], []],
  ] as const)('%s', (_, expected, selected, cells) => {
    expect(table([expected, selected])).toEqual(cells)
  })

  test('counts equal pairs and sorts by name, not by arrival', () => {
    expect(table([['z'], ['b']], [['z'], ['a']], [['__proto__'], ['constructor']], [['z'], ['b']])).toEqual([
      '__proto__ > constructor: 1',
      'z > a: 1',
      'z > b: 2',
    ])
  })

  test('does not depend on the order of trials', () => {
    const skills = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'))
    fc.assert(
      fc.property(fc.array(fc.tuple(skills, skills)), (trials) => {
        expect(table(...[...trials].reverse())).toEqual(table(...trials))
      }),
    )
  })
})
