import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nearest } from './nearest.ts'

const keys = ['id', 'input', 'expected', 'files', 'tools', 'trials', 'tags', 'skip', 'skills', 'max_turns']

describe('nearest', () => {
  test.each<[string, string[]]>([
    ['expcted', ['expected']],
    ['Expected', ['expected']],
    ['expect', ['expected']],
    ['skillss', ['skills']],
    ['trails', ['trials']],
    ['maxTurns', ['max_turns']],
    ['idd', ['id']],
    ['zebra', []],
    ['', []],
    ['x', []],
    ['e', []],
    ['a'.repeat(1_000), []],
  ])('of %j is %j', (word, expected) => {
    expect(nearest(word, keys)).toEqual(expected)
  })

  test('puts the same word in another case first, then prefixes, then the fewest edits', () => {
    expect(nearest('tag', ['bag', 'tagged', 'tags', 'TAG', 'big'], 5)).toEqual(['TAG', 'tags', 'tagged', 'bag', 'big'])
  })

  test('keeps the order of equals and names each once', () => {
    expect(nearest('cat', ['bat', 'hat', 'bat', 'rat', 'mat'])).toEqual(['bat', 'hat', 'rat'])
  })

  test('allows more edits in a long word', () => {
    expect(nearest('forbiden_skilsss', ['forbidden_skills'])).toEqual(['forbidden_skills'])
  })

  test('names only candidates, no more than asked for', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string()), fc.nat(5), (word, candidates, max) => {
        const found = nearest(word, candidates, max)
        expect(found.length).toBeLessThanOrEqual(max)
        expect(candidates).toEqual(expect.arrayContaining(found))
      }),
    )
  })
})
