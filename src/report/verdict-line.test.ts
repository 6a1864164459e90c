import { expect, test } from 'vitest'
import { runOf, sampleCase, sampleSuite } from '../../test/support/sample-run.ts'
import { isGood, verdictLine } from './verdict-line.ts'

const missed = { name: 'pass_rate', limit: 1, actual: 0, passed: false }
const suiteOf = (...statuses: readonly ('passed' | 'failed' | 'error' | 'stale' | 'skipped')[]) =>
  sampleSuite(
    's',
    statuses.map((status) => sampleCase({ status })),
  )

test.each([
  [runOf([suiteOf('passed')]), '1 case: 1 passed — 1.2 s', true],
  [runOf([suiteOf('passed', 'skipped')]), '2 cases: 1 passed, 1 skipped — 1.2 s', true],
  [runOf([suiteOf('failed', 'failed', 'passed')]), '3 cases: 1 passed, 2 failed — 1.2 s', false],
  [runOf([suiteOf('error', 'error', 'stale')]), '3 cases: 2 errors, 1 stale — 1.2 s', false],
  [runOf([suiteOf('stale')]), '1 case: 1 stale — 1.2 s', false],
  [
    runOf([suiteOf('passed')], { summary: { thresholds: [missed] } }),
    '1 case: 1 passed, 1 threshold missed — 1.2 s',
    false,
  ],
  [runOf([suiteOf('passed')], { interrupted: 'SIGINT' }), '1 case: 1 passed — 1.2 s, interrupted', false],
  [runOf([suiteOf('passed')], { interrupted: 'unfinished' }), '1 case: 1 passed — 1.2 s, unfinished', false],
  [runOf([]), '0 cases — 1.2 s', true],
])('tells run %# in a line', ({ head }, line, good) => {
  expect([verdictLine(head), isGood(head)]).toEqual([line, good])
})
