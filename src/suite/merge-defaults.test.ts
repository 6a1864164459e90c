import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mergeDefaults } from './merge-defaults.ts'
import { isRecord, type JsonRecord } from './record.ts'

describe('mergeDefaults', () => {
  test.each<[behaviour: string, defaults: JsonRecord, own: JsonRecord, merged: JsonRecord]>([
    ['keys of both', { a: 1 }, { b: 2 }, { a: 1, b: 2 }],
    ['scalars of the case', { a: 1 }, { a: 2 }, { a: 2 }],
    ['lists of the case, whole', { tags: [1, 2] }, { tags: [3] }, { tags: [3] }],
    [
      'maps by key, at every level',
      { expected: { plan: { min_steps: 1 }, skills: ['a'] } },
      { expected: { plan: { completed: 'all' } } },
      { expected: { plan: { min_steps: 1, completed: 'all' }, skills: ['a'] } },
    ],
    ['a list over a map', { mock: { rules: [] } }, { mock: ['x'] }, { mock: ['x'] }],
    ['a map over a list', { mock: ['x'] }, { mock: { rules: [] } }, { mock: { rules: [] } }],
    ['null is a value', { a: { b: 1 } }, { a: null }, { a: null }],
    [
      'a file stays whole',
      { files: { a: { text: 'x' }, b: 'y' } },
      { files: { a: { json: 1 } } },
      { files: { a: { json: 1 }, b: 'y' } },
    ],
    [
      'the answers of a double stay whole',
      { tools: { t: { description: 'd', when: [1], otherwise: { error: 'x' } } } },
      { tools: { t: { returns: { a: 1 } } } },
      { tools: { t: { description: 'd', returns: { a: 1 } } } },
    ],
    [
      'what a double returns is never mixed',
      { tools: { t: { returns: { a: 1, b: 2 } } } },
      { tools: { t: { returns: { a: 3 } } } },
      { tools: { t: { returns: { a: 3 } } } },
    ],
    [
      'a double that says nothing of its answers keeps them',
      { tools: { t: { returns: 1, input_schema: { type: 'object' } } } },
      { tools: { t: { description: 'd', input_schema: {} } } },
      { tools: { t: { returns: 1, description: 'd', input_schema: {} } } },
    ],
  ])('%s', (_, defaults, own, merged) => {
    expect(mergeDefaults(defaults, own)).toEqual(merged)
  })

  const json = fc.dictionary(fc.constantFrom('a', 'b', 'files', 'tools', '__proto__'), fc.jsonValue())

  test('nothing beneath or nothing above changes nothing', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect([mergeDefaults({}, value), mergeDefaults(value, {})]).toEqual([value, value])
      }),
    )
  })

  test('what the case says of a scalar or a list holds, and the arguments stay as they were', () => {
    fc.assert(
      fc.property(json, json, (defaults, own) => {
        const before = JSON.stringify([defaults, own])
        const merged = mergeDefaults(defaults, own)
        for (const [key, value] of Object.entries(own)) if (!isRecord(value)) expect(merged[key]).toBe(value)
        expect(JSON.stringify([defaults, own])).toBe(before)
        expect(Object.getPrototypeOf(merged)).toBe(Object.prototype)
      }),
    )
  })
})
