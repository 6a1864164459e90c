import { expect, test } from 'vitest'
import { interference } from './interference.ts'

const descriptions = new Map([
  ['csv', 'Summarises CSV files. Use for tables of numbers.'],
  ['excel', 'Opens a table in a workbook. Use for numbers.'],
  ['log', 'Finds errors in logs.'],
])

test('joins both directions of a pair, most frequent first, and leaves hits and nothing out', () => {
  const confusion = [
    { expected: '(none)', selected: 'csv', count: 9 },
    { expected: 'csv', selected: '(none)', count: 9 },
    { expected: 'csv', selected: 'csv', count: 9 },
    { expected: 'csv', selected: 'log', count: 2 },
    { expected: 'excel', selected: 'csv', count: 3 },
    { expected: 'csv', selected: 'excel', count: 1 },
  ]
  expect(interference(confusion, descriptions)).toEqual([
    { skills: ['csv', 'excel'], times: [1, 3], shared_words: ['numbers', 'tables'] },
    { skills: ['csv', 'log'], times: [2, 0], shared_words: [] },
  ])
})

test('says nothing of words where a description is not known', () => {
  expect(interference([{ expected: 'a', selected: 'b', count: 1 }], new Map())).toEqual([
    { skills: ['a', 'b'], times: [1, 0], shared_words: [] },
  ])
})
