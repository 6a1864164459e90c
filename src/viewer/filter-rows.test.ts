import { describe, expect, test } from 'vitest'
import { filterRows, type ListedRow, nextSort, searchedText } from './filter-rows.ts'
import { noQuery, type Query } from './route.ts'

const row = (index: number, change: Partial<ListedRow>): ListedRow => {
  const plain = {
    suite: 0,
    suiteName: 'shop',
    id: `case-${index}`,
    model: 'mock',
    status: 'passed',
    reason: '',
    tags: [],
    skills: [],
    trials: 1,
    passed: 1,
    usable: 1,
    tokens: 10,
    cost: null,
    latency: 1,
    index,
    key: String(index),
    ...change,
  } as const
  return { ...plain, searched: searchedText(plain.suiteName, plain) }
}

const rows = [
  row(0, { tags: ['Smoke'], tokens: 7 }),
  row(1, { status: 'failed', reason: 'No TOTAL in it', skills: ['csv'], tokens: null }),
  row(2, { status: 'failed', golden: true, model: 'other', tokens: 90 }),
  row(3, { status: 'error', suiteName: 'bank', tokens: 100 }),
]
const left = (query: Partial<Query>) => filterRows(rows, { ...noQuery, ...query }).map(({ index }) => index)

describe('the list of cases', () => {
  test('keeps the order of the run where nothing is asked', () => {
    expect(left({})).toEqual([0, 1, 2, 3])
    expect(left({ sort: 'nonsense' })).toEqual([0, 1, 2, 3])
    expect(left({ sort: 'constructor' })).toEqual([0, 1, 2, 3])
  })

  test('finds every word of a text, in any case, in names, tags, skills and reasons', () => {
    expect(left({ text: 'smoke' })).toEqual([0])
    expect(left({ text: ' total  csv ' })).toEqual([1])
    expect(left({ text: 'total bank' })).toEqual([])
    expect(left({ text: 'bank/CASE' })).toEqual([3])
    expect(left({ text: 'other' })).toEqual([2])
  })

  test('filters by status, suite, model, tag and skill, all at once', () => {
    expect(left({ statuses: ['failed', 'error'] })).toEqual([1, 2, 3])
    expect(left({ statuses: ['failed'], model: 'other' })).toEqual([2])
    expect(left({ suite: 'bank' })).toEqual([3])
    expect(left({ tag: 'Smoke' })).toEqual([0])
    expect(left({ skill: 'csv' })).toEqual([1])
  })

  test('sorts by numbers as numbers, what is not known last both ways', () => {
    expect(left({ sort: 'tokens' })).toEqual([0, 2, 3, 1])
    expect(left({ sort: '-tokens' })).toEqual([3, 2, 0, 1])
    expect(left({ sort: 'case' })).toEqual([3, 0, 1, 2])
  })

  test('puts the worst first by status: golden cases that failed, failures, errors', () => {
    expect(left({ sort: 'status' })).toEqual([2, 1, 3, 0])
  })

  test('sorts up, down and not at all, in turns', () => {
    expect(['', 'cost', '-cost', 'case'].map((sort) => nextSort(sort, 'cost'))).toEqual(['cost', '-cost', '', 'cost'])
  })
})
