import { expect, test } from 'vitest'
import { HOSTILE } from '../../test/support/sample-run.ts'
import type { CheckHistory, CheckRecord } from '../core/results.ts'
import { checkHistoryText } from './check-history-report.ts'

const record = (change: Partial<CheckRecord> = {}): CheckRecord => ({
  suite: 's',
  case: 'c',
  check: 'contains "x"',
  kind: 'contains',
  trials: 30,
  failed: 0,
  replayed: 0,
  bound: 0.1,
  ...change,
})
const history = (change: Partial<CheckHistory> = {}): CheckHistory => ({
  runs: ['r'],
  trials: 30,
  xfail: 0,
  min_trials: 20,
  checks: 4,
  too_few: 1,
  guards: 1,
  never_failed: [],
  always_failed: [],
  ...change,
})
const text = (of: CheckHistory) => checkHistoryText(of, { color: false, width: Number.POSITIVE_INFINITY })

test('tells both kinds with what their trials are worth, and how much was looked at', async () => {
  const always = record({ check: 'is JSON', failed: 30 })
  expect(await text(history({ never_failed: [record()], always_failed: [always] }))).toBe(
    `never failed  check         trials  fails at most
s/c           contains "x"      30            10%

always failed  check    trials  holds at most
s/c            is JSON      30            10%

1 run, 30 trials, 4 checks; 1 never failed, 1 always did; 1 that only forbid never failed, as they should; 1 had fewer than 20 trials
`,
  )
})

test('says so where trials were replays, lists a hundred, and is safe to print', async () => {
  const many = Array.from({ length: 103 }, () => record({ suite: HOSTILE, check: HOSTILE, replayed: 3 }))
  const shown = await text(history({ never_failed: many }))
  expect(shown).toContain('… and 3 more\n')
  expect(shown).toMatch(/replays repeat what was recorded: their number says little\n$/)
  expect(shown).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\p{Surrogate}]/u)
  expect(shown).not.toMatch(/^\s*::/m)
})
