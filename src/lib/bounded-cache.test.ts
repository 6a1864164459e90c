import { describe, expect, test } from 'vitest'
import { boundedCache } from './bounded-cache.ts'

describe('boundedCache', () => {
  test('makes a value once', () => {
    const cache = boundedCache<string, number>(2)
    let made = 0
    const make = () => ++made
    expect([cache.get('a', make), cache.get('a', make), cache.get('b', make)]).toEqual([1, 1, 2])
  })

  test('holds no more than its limit and drops what was used longest ago', () => {
    const cache = boundedCache<string, string>(2)
    const made: string[] = []
    const make = (key: string) => () => {
      made.push(key)
      return key
    }
    for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) cache.get(key, make(key))
    expect(made).toEqual(['a', 'b', 'c', 'b'])
  })

  test('remembers undefined as a value', () => {
    const cache = boundedCache<string, undefined>(2)
    let made = 0
    const make = () => void made++
    cache.get('a', make)
    cache.get('a', make)
    expect(made).toBe(1)
  })

  test('forgets a value whose making threw', () => {
    const cache = boundedCache<string, number>(2)
    const fail = () => {
      throw new Error('no')
    }
    expect(() => cache.get('a', fail)).toThrow('no')
    expect(cache.get('a', () => 7)).toBe(7)
  })
})
