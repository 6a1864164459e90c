import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tally } from '../grading/judge/tally.ts'
import { rubricResults } from './rubric-results.ts'

test('what a rubric tells is read: votes, reasons, and passes without evidence', () => {
  const pass = { passed: true, reason: 'names both', quote: 'Feb and Mar' }
  const invented = { passed: true, reason: 'so it is', quote: 'April' }
  const fail = { passed: false, reason: 'no', quote: '' }
  const actual = tally(
    ['names months', 'says why'],
    [
      [pass, invented],
      [pass, fail],
      [fail, fail],
    ],
    'Feb and Mar were best.',
  )
  expect(rubricResults({ kind: 'rubric', actual })).toEqual([
    {
      criterion: 'names months',
      met: true,
      passes: 2,
      judges: 3,
      verdicts: [
        { passed: true, reason: 'names both', quote: 'Feb and Mar', isUnsupported: false },
        { passed: true, reason: 'names both', quote: 'Feb and Mar', isUnsupported: false },
        { passed: false, reason: 'no', quote: '', isUnsupported: false },
      ],
    },
    {
      criterion: 'says why',
      met: false,
      passes: 0,
      judges: 3,
      verdicts: [
        { passed: true, reason: 'so it is', quote: 'April', isUnsupported: true },
        { passed: false, reason: 'no', quote: '', isUnsupported: false },
        { passed: false, reason: 'no', quote: '', isUnsupported: false },
      ],
    },
  ])
  expect(rubricResults({ kind: 'equals', actual })).toEqual([])
})

test('anything else is no rubric', () => {
  fc.assert(fc.property(fc.jsonValue(), (actual) => void rubricResults({ kind: 'rubric', actual })))
  expect(
    rubricResults({ kind: 'rubric', actual: [null, 3, { criterion: 'a' }, { criterion: 'a', met: true }] }),
  ).toEqual([{ criterion: 'a', met: true, passes: 0, judges: 0, verdicts: [] }])
})
