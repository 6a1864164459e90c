import { describe, expect, test } from 'vitest'
import { checkSkills, triggerObservation } from './check-skills.ts'

const verdicts = (...args: Parameters<typeof checkSkills>) => checkSkills(...args).map((result) => result.passed)

describe('a list of skills', () => {
  test.each([
    [['a'], ['a'], true],
    [['a', 'b'], ['b', 'a'], true],
    [['a'], [], false],
    [['a'], ['b'], false],
    [['a'], ['a', 'b'], false],
    [['a', 'b'], ['a'], false],
    [[], [], true],
    [[], ['a'], false],
  ])('expecting exactly %j of %j selected: %j', (expected, selected, passed) => {
    expect(verdicts(expected, selected)).toEqual([passed])
  })

  test('a failure names what is missing, what is too much, and what was selected', () => {
    expect(checkSkills(['csv', 'pdf'], ['csv', 'mail'])).toEqual([
      {
        name: 'the skills selected are csv, pdf',
        kind: 'skills',
        passed: false,
        score: 0,
        weight: 1,
        message: 'not selected: pdf; selected, though not expected: mail (selected were: csv, mail)',
        expected: ['csv', 'pdf'],
        actual: ['csv', 'mail'],
      },
    ])
  })

  test('an empty list says in its name that none may be selected', () => {
    expect(checkSkills([], [])).toEqual([
      { name: 'no skill is selected', kind: 'skills', passed: true, score: 1, weight: 1 },
    ])
  })
})

describe('includes and excludes', () => {
  test('only the named skills are judged', () => {
    expect(verdicts({ includes: ['a'], excludes: ['b'] }, ['a', 'c'])).toEqual([true, true])
  })

  test('each of the two is a result of its own', () => {
    expect(
      checkSkills({ includes: ['a', 'd'], excludes: ['b', 'c'] }, ['a', 'b']).map((r) => [r.name, r.message]),
    ).toEqual([
      ['the skills selected include a, d', 'not selected: d (selected were: a, b)'],
      ['the skills selected exclude b, c', 'selected: b (selected were: a, b)'],
    ])
  })

  test('one alone is judged alone', () => {
    expect(verdicts({ excludes: ['b'] }, [])).toEqual([true])
    expect(verdicts({ includes: ['b'] }, [])).toEqual([false])
  })
})

describe('the observation of a trial for the trigger metrics', () => {
  const universe = ['a', 'b', 'c']

  test('a case without a label is not part of the metrics', () => {
    expect(triggerObservation(undefined, ['a'], { universe })).toBeUndefined()
  })

  test('with a list every skill of the index is labelled', () => {
    expect(triggerObservation(['a'], ['b'], { universe })).toEqual({
      expected: ['a'],
      selected: ['b'],
      labelled: 'all',
      universe,
    })
  })

  test('with includes and excludes only the named skills are labelled', () => {
    expect(triggerObservation({ includes: ['a'], excludes: ['b'] }, ['c'], { universe })).toEqual({
      expected: ['a'],
      selected: ['c'],
      labelled: ['a', 'b'],
      universe,
    })
  })

  test('the index is passed on as the same array, by which metrics know it', () => {
    expect(triggerObservation([], [], { universe })?.universe).toBe(universe)
    expect(triggerObservation({ excludes: ['b'] }, [], { universe })?.universe).toBe(universe)
  })
})
