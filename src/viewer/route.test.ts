import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { caseAddress, caseKey, casesAddress, noQuery, parseRoute, type Query } from './route.ts'

const anyText = fc.string({ unit: 'binary' })
const anyStatuses = fc.subarray(['passed', 'failed', 'error', 'stale', 'skipped'] as const)

describe('addresses of the report', () => {
  test('are read back as the query they were made of', () => {
    const wellFormed = fc.string({ unit: 'grapheme' })
    const query = fc.record<Query>({
      text: wellFormed,
      statuses: anyStatuses,
      suite: wellFormed,
      model: wellFormed,
      tag: wellFormed,
      skill: wellFormed,
      sort: wellFormed,
    })
    fc.assert(
      fc.property(query, (asked) => {
        expect(parseRoute(casesAddress(asked))).toEqual({ page: 'cases', query: asked })
      }),
    )
  })

  test('name a case and a trial, whatever is in the names', () => {
    fc.assert(
      fc.property(anyText, anyText, anyText, fc.option(fc.integer({ min: 1, max: 99 })), (suite, id, model, trial) => {
        const key = caseKey({ suite, id, model })
        expect(key).toMatch(/^[\w%!'()*~.-]*\/[\w%!'()*~.-]*\/[\w%!'()*~.-]*$/)
        expect(parseRoute(caseAddress(key, trial ?? undefined))).toEqual({
          page: 'case',
          key,
          trial: trial ?? undefined,
        })
      }),
    )
  })

  test('that are none of ours are the overview, and none throws', () => {
    fc.assert(fc.property(anyText, (hash) => void parseRoute(`#/${hash}`)))
    for (const hash of ['', '#', '#/', '#/else', '#/case/only/two', 'x'])
      expect(parseRoute(hash)).toEqual({ page: 'overview' })
    expect(parseRoute('#/case/a/b/c/-1')).toEqual({ page: 'case', key: 'a/b/c', trial: undefined })
    expect(parseRoute('#/cases?status=failed,nonsense')).toEqual({
      page: 'cases',
      query: { ...noQuery, statuses: ['failed'] },
    })
  })

  test('leave out what does not filter', () => {
    expect(casesAddress(noQuery)).toBe('#/cases')
    expect(casesAddress({ tag: 'a b', statuses: ['error', 'stale'] })).toBe('#/cases?status=error%2Cstale&tag=a+b')
  })
})
