import { describe, expect, test } from 'vitest'
import { HOSTILE, render, runOf, sampleSuite, sampleTrial } from '../../test/support/sample-run.ts'
import type { AuditGroup, SuiteAudit } from '../core/results.ts'
import { auditLine, auditOfCases, auditRows, isAuditMissed } from './audit-tables.ts'
import { githubReporter } from './github-report.ts'
import { junitReporter } from './junit-report.ts'
import { markdownReporter } from './markdown-report.ts'
import { terminalReporter } from './terminal-report.ts'
import { textWidth } from './text-width.ts'

const group = (change: Partial<AuditGroup> = {}): AuditGroup => ({
  suite: 's',
  path: 'evals/s.eval.yaml',
  case: 'c',
  line: 3,
  cases: 1,
  vacuous_cases: 0,
  unjudged_cases: 0,
  checks: [],
  ...change,
})
const audit = (groups: readonly AuditGroup[], change: Partial<SuiteAudit> = {}): SuiteAudit => ({
  mode: 'warn',
  agents: { idle: 'x', echo: 'x', all_skills: 'x', wrong_file: 'x' },
  cases: 10,
  checks: 30,
  vacuous_checks: 2,
  weak_checks: 3,
  vacuous_cases: 1,
  negative_cases: 4,
  unjudged_cases: 0,
  groups: [...groups],
  ...change,
})
const check = (name: string, passed_by: Readonly<Record<string, number>>, place?: [number, number]) => ({
  name,
  kind: 'contains',
  passed_by,
  ...(place ? { place } : {}),
})
const textOf = (cell: unknown): string => (typeof cell === 'string' ? cell : (cell as { text: string }).text)
const rows = (...groups: readonly AuditGroup[]) =>
  auditRows({ audit: audit(groups) }, { limit: 9 }).rows.map((row) => row.map(textOf).join(' | '))

describe('auditRows', () => {
  test('has vacuous cases first, then vacuous checks, weak ones, and what could not be judged', () => {
    expect(
      rows(
        group({ case: 'a', unjudged_cases: 1 }),
        group({ case: 'b', checks: [check('weak', { echo: 1 }), check('x', { idle: 1, echo: 1 })] }),
        group({ case: 'c', vacuous_cases: 1 }),
        group({
          case: 'd',
          cases: 3,
          vacuous_cases: 2,
          checks: [check('y', { idle: 3, echo: 3, all_skills: 3, wrong_file: 3 }), check('z', { idle: 2 })],
        }),
      ),
    ).toEqual([
      'vacuous | s/c | (no check asks for anything) | idle',
      'vacuous | s/d and 2 more | (all of its checks) in 2 | idle',
      'vacuous | s/b | x | idle, echo',
      'vacuous | s/d and 2 more | y | every agent',
      'vacuous | s/d and 2 more | z | idle (2)',
      'weak | s/b | weak | echo',
      'unjudged | s/a | (could not be judged) | idle',
    ])
  })

  test('has no rows without an audit, and tells how many are left beyond the limit', () => {
    expect(auditRows({}, { limit: 9 }).rows).toEqual([])
    const many = audit(Array.from({ length: 12 }, (_, i) => group({ case: `${i}`, vacuous_cases: 1 })))
    expect(auditRows({ audit: many }, { limit: 9 })).toMatchObject({ left: 3 })
  })
})

test('the audit in a line', () => {
  expect(auditLine({})).toBe('')
  expect(auditLine({ audit: audit([]) })).toBe(
    'audit: 2 of 30 checks vacuous, 3 weak, 1 of 10 cases vacuous, 4 negative',
  )
  expect(auditLine({ audit: audit([], { unjudged_cases: 2 }) })).toMatch(/, 2 not judged$/)
})

test('it is missed where it was to be a failure and a case is vacuous', () => {
  expect(isAuditMissed({})).toBe(false)
  expect(isAuditMissed({ audit: audit([]) })).toBe(false)
  expect(isAuditMissed({ audit: audit([], { mode: 'fail' }) })).toBe(true)
  expect(isAuditMissed({ audit: audit([], { mode: 'fail', vacuous_cases: 0 }) })).toBe(false)
})

describe('what a case is told', () => {
  const result = (id: string, line: number, names: readonly string[] = []) => ({
    id,
    line,
    trials: [
      sampleTrial({ checks: names.map((name) => ({ name, kind: 'contains', passed: true, score: 1, weight: 1 })) }),
    ],
  })

  test('its vacuous checks, or that it has no other, and its weak ones with who passes them', () => {
    const told = auditOfCases({
      audit: audit([
        group({ checks: [check('x', { idle: 1 }), check('y', { echo: 1, wrong_file: 1 }), check('z', { idle: 1 })] }),
        group({ line: 9, vacuous_cases: 1 }),
        group({ line: 12, checks: [check('y', { echo: 1 })] }),
      ]),
    })
    expect([3, 9, 12, 13].map((line) => told('s', result('c', line)))).toEqual([
      { vacuous: 'vacuous: x; z', weak: 'weak: y (echo, wrong_file)' },
      { vacuous: 'vacuous: all' },
      { weak: 'weak: y (echo)' },
      {},
    ])
    expect(told('other', result('c', 3))).toEqual({})
  })

  test('a row is told its own check and not that of the first row, and of how many rows it is known', () => {
    const told = auditOfCases({
      audit: audit([
        group({ cases: 3, checks: [check('lacks w0', { idle: 2 }, [1, 2]), check('says ok', { echo: 3 }, [2, 2])] }),
      ]),
    })
    expect(told('s', result('c/2', 3, ['lacks w1', 'says ok']))).toEqual({
      vacuous: 'vacuous: lacks w1 (in 2 of 3 rows)',
      weak: 'weak: says ok (echo)',
    })
    expect(told('s', result('c/3', 3, ['lacks w2', 'lacks v2', 'says ok'])).vacuous).toBe(
      'vacuous: a check of the kind contains (in 2 of 3 rows)',
    )
  })

  test('a query of a trigger is told by its list, whatever its line, and nothing of who selects every skill', () => {
    const queries = { trigger_only: true as const, case: 'trigger/a/should/1', cases: 2 }
    const told = auditOfCases({
      audit: audit([group({ ...queries, checks: [check('q', { echo: 2 }), check('r', { all_skills: 2 })] })]),
    })
    expect(told('s', result('trigger/a/should/2', 99))).toEqual({ weak: 'weak: a check of the kind contains (echo)' })
    expect(told('s', result('trigger/b/should/2', 99))).toEqual({})
  })
})

test('queries that only the agent passes that selects every skill are one row', () => {
  const queries = (skill: string, checks: AuditGroup['checks']) =>
    group({ trigger_only: true, case: `trigger/${skill}/should/1`, cases: 4, checks })
  expect(
    rows(
      queries('a', [check('selects a', { all_skills: 4 })]),
      queries('b', [check('selects b', { all_skills: 3 })]),
      queries('c', [check('selects c', { all_skills: 4, echo: 1 })]),
      group({ checks: [check('selects d', { all_skills: 1 })] }),
    ),
  ).toEqual([
    'weak | s/trigger/c/should/1 and 3 more | selects c | all_skills, echo (1)',
    'weak | s/c | selects d | all_skills',
    'weak | 7 queries of triggers | (--json names them) | all_skills',
  ])
})

test('a vacuous case is an annotation on its line, where it is a failure', () => {
  const groups = [group({ case: 'b', vacuous_cases: 1, line: 7 }), group({ checks: [check('x', { idle: 1 })] })]
  const annotations = (mode: 'warn' | 'fail') => render(githubReporter(), runOf([], { audit: audit(groups, { mode }) }))
  expect(annotations('warn')).toBe('')
  expect(annotations('fail')).toBe(
    '::error file=evals/s.eval.yaml,line=7,title=s/b vacuous::no check of this case fails for an agent that does nothing\n',
  )
  const hostile = audit([group({ suite: HOSTILE, case: HOSTILE, path: HOSTILE, vacuous_cases: 1 })], { mode: 'fail' })
  expect(render(githubReporter(), runOf([], { audit: hostile })).match(/::/g)).toHaveLength(2)
})

test('nothing of others is obeyed or hidden, and the tables fit', async () => {
  const hostile = group({ suite: HOSTILE, case: HOSTILE, checks: [check(HOSTILE, { [HOSTILE]: 1, idle: 1 })] })
  const run = runOf([sampleSuite('s', [])], {
    audit: audit([hostile]),
    interference: [{ skills: [HOSTILE, 'b'], times: [1, 2], shared_words: [HOSTILE] }],
  })
  const shown = render(await terminalReporter({ color: false, width: 120 }), run)
  for (const text of [shown, render(markdownReporter(), run), render(junitReporter(), run)]) {
    expect(text).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\p{Surrogate}]/u)
    expect(text).not.toMatch(/^[\s\u0085]*::/m)
    expect(text).not.toMatch(/##\w*\[/)
  }
  const plain = runOf([], {
    audit: audit([group({ case: 'a-long-name/of-a-case'.repeat(4), checks: [check('x'.repeat(200), { idle: 1 })] })]),
  })
  const narrow = render(await terminalReporter({ color: false, width: 80 }), plain).split('\n')
  const at = narrow.findIndex((line) => line.startsWith('audit '))
  for (const line of narrow.slice(at, at + 2)) expect(textWidth(line)).toBeLessThanOrEqual(80)
  expect(render(await terminalReporter({ color: true, width: 80 }), plain)).toContain('\u001b[')
})
