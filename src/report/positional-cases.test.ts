import { expect, test } from 'vitest'
import type { CaseResult, RecordingUse } from '../core/results.ts'
import { positionalCases } from './positional-cases.ts'

const caseOf = (...uses: readonly (RecordingUse['mode'] | undefined)[]): CaseResult => {
  const trials = uses.map((mode, i) =>
    mode === undefined ? {} : { cassette: { path: 'r.json', mode, stale_parts: mode === 'replay' ? [] : [`p:${i}`] } },
  )
  return { trials } as unknown as CaseResult
}

test('counts cases, not trials, and names the parts once', () => {
  const cases = positionalCases()
  for (const one of [caseOf(), caseOf(undefined, 'replay', 'record')]) cases.add(one)
  expect(cases.line()).toBe('')
  cases.add(caseOf('positional', 'replay'))
  expect(cases.line()).toBe('1 case was replayed by turn order, its request has changed: p:0')
  cases.add(caseOf('positional', 'positional'))
  expect(cases.line()).toBe('2 cases were replayed by turn order, their requests have changed: p:0, p:1')
})

test('many parts are a number', () => {
  const cases = positionalCases()
  cases.add(caseOf(...Array.from({ length: 9 }, () => 'positional' as const)))
  expect(cases.line()).toMatch(/: p:0, p:1, p:2, p:3, p:4, p:5 and 3 more$/)
})
