import { expect, test } from 'vitest'
import { diagnosticList } from './diagnostic-list.ts'

const finding = { path: [], at: 'value', code: 'x', message: 'm' } as const

test('lists what was found in the order of the file, each thing once', () => {
  const list = diagnosticList('f')
  list.add({ ...finding, hint: 'h' }, { line: 2, column: 1 })
  list.add(finding, { line: 1, column: 5 })
  list.add(finding, { line: 1, column: 2 })
  list.add({ ...finding, hint: 'h' }, { line: 2, column: 1 })
  const base = { severity: 'error', code: 'suite/x', message: 'm', file: 'f' }
  expect(list.toDiagnostics()).toEqual([
    { ...base, line: 1, column: 2 },
    { ...base, line: 1, column: 5 },
    { ...base, line: 2, column: 1, hint: 'h' },
  ])
})

test('a hundred warnings leave room for a hundred errors', () => {
  const list = diagnosticList('f')
  for (let line = 1; line <= 150; line += 1) list.add({ ...finding, severity: 'warning' }, { line })
  expect([list.hasErrors(), list.isFull()]).toEqual([false, false])
  for (let line = 1; line <= 100; line += 1) list.add(finding, { line })
  list.skip(2)
  expect([list.hasErrors(), list.isFull(), list.toDiagnostics().slice(-2)]).toEqual([
    true,
    true,
    [
      { severity: 'error', code: 'suite/more', message: 'and 2 more mistakes', file: 'f' },
      { severity: 'warning', code: 'suite/more', message: 'and 50 more warnings', file: 'f' },
    ],
  ])
})

test('what a message quotes is made visible and cut', () => {
  const list = diagnosticList('f')
  list.add({ ...finding, message: `\x1b[31m${'x'.repeat(1_000)}` }, {})
  const [{ message } = { message: '' }] = list.toDiagnostics()
  expect([message.startsWith('\\x1b[31mxxx'), message.length]).toEqual([true, 500])
})
