import { describe, expect, test } from 'vitest'
import { sampleCase, sampleSuite, sampleTrial } from '../../test/support/sample-run.ts'
import type { CaseResult, CheckResult } from '../core/results.ts'
import { explainCase, shortReason } from './explain-case.ts'

const detail = { maxChecks: 2, maxActions: 2, maxLines: 6, maxLength: 80 }
const explain = (result: CaseResult) =>
  [...explainCase(sampleSuite('s', [result]).head, result, detail)].map(({ text }) => text)

const check = (part: Partial<CheckResult>): CheckResult => ({
  name: 'c',
  kind: 'equals',
  passed: false,
  score: 0,
  weight: 1,
  ...part,
})
const failed = (checks: readonly CheckResult[], rest: Partial<CaseResult> = {}): CaseResult =>
  sampleCase({ status: 'failed', trials: [sampleTrial({ status: 'failed', checks: [...checks] })], ...rest })

const ending = ['no action was taken', "repeat: skills-eval run evals/s.eval.yaml --filter '=case'"]

describe('explainCase', () => {
  test('shows short values beside each other', () => {
    expect(explain(failed([check({ message: 'differs', expected: 'a "b"', actual: 7 })]))).toEqual([
      '✗ c: differs',
      '    expected: "a \\"b\\""',
      '    actual:   7',
      ...ending,
    ])
  })

  test('says once what is missing, without the actions that nobody took', () => {
    const message = 'There is no recording of s/case on gpt (r/gpt.json).\n  Record: skills-eval run'
    const reason = 'missing_cassette: There is no recording of s/case on gpt (r/gpt.json).'
    const trial = sampleTrial({ status: 'error', reason, error: { code: 'missing_cassette', message } })
    expect(explain(sampleCase({ status: 'error', reason, trials: [trial] }))).toEqual([
      reason,
      '  Record: skills-eval run',
      ending[1],
    ])
  })

  test('shows what differs in the requests of a failed case that was replayed by turn order', () => {
    const cassette = {
      path: 'r.json',
      mode: 'positional' as const,
      stale_parts: ['index', 'observation:2', 'tools', 'system'],
      differences: [
        { part: 'index', of: 'csv', recorded: 'Old.\n::error::x', now: 'New.\n::error::x' },
        { part: 'observation:2', recorded: 'Mar', now: null },
        { part: 'tools', of: 'grep', recorded: 'ab12', now: 'cd34' },
        { part: 'system', recorded: 'a', now: 'b' },
      ],
    }
    const told = explain(
      sampleCase({ status: 'failed', trials: [sampleTrial({ status: 'failed', checks: [check({})], cassette })] }),
    )
    expect(told.slice(1, -2)).toEqual([
      'replayed by turn order, its requests have changed:',
      '  description of csv: - as recorded, + as it is now',
      '    - Old.',
      '    + New.',
      '      : :error::x',
      '  observation 2: is no longer there',
      '    - Mar',
      '  tool grep: takes other parameters or is described otherwise',
      '  system',
    ])
    const replayed = { ...cassette, mode: 'replay' as const }
    const other = explain(
      sampleCase({ status: 'failed', trials: [sampleTrial({ status: 'failed', cassette: replayed })] }),
    )
    expect(other.join()).not.toContain('turn order')
  })

  test('says what was asked, and of several messages the first', () => {
    const skills = check({ kind: 'skills', message: 'not selected: csv (no skill was selected)' })
    const [asked] = explain(failed([skills], { input: ['Sum the\nsales'] }))
    expect(asked).toBe('asked: "Sum the\\nsales"')
    const [first] = explain(failed([skills], { input: ['a', 'b', 'c'] }))
    expect(first).toBe('asked: "a" (and 2 messages more)')
  })

  test('does not say what was asked where the agent did not come to it', () => {
    const stale = sampleCase({ status: 'stale', reason: 'r', input: ['a'], trials: [sampleTrial({ status: 'stale' })] })
    expect(explain(stale).join()).not.toContain('asked')
  })

  test('does not repeat a check whose text the reason quotes, with how many failed besides', () => {
    const reason = 'c: differs (+1 more)'
    const lines = explain(failed([check({ message: 'differs' }), check({ name: 'd' })], { reason }))
    expect(lines[0]).toBe('✗ c: differs')
  })

  test('shows texts of several lines as a diff', () => {
    expect(explain(failed([check({ expected: 'one\ntwo\n', actual: 'one\nthree\n' })]))).toEqual([
      '✗ c: does not hold',
      '    - expected  + actual',
      '      one',
      '    - two',
      '    + three',
      ...ending,
    ])
  })

  test('shows texts that differ in nothing but a line break as they are', () => {
    const [, expected, actual] = explain(failed([check({ expected: 'one\ntwo\n', actual: 'one\ntwo' })]))
    expect([expected, actual]).toEqual(['    expected: "one\\ntwo\\n"', '    actual:   "one\\ntwo"'])
  })

  test('does not diff what should not become the other', () => {
    const [, expected] = explain(failed([check({ kind: 'contains', expected: 'a\nb', actual: 'c\nd' })]))
    expect(expected).toBe('    expected: "a\\nb"')
  })

  test('leaves it at the message where that has several lines', () => {
    expect(explain(failed([check({ message: 'differs:\n- a\n+ b', expected: 'a\nb', actual: 'c\nd' })]))).toEqual([
      '✗ c: differs:',
      '    - a',
      '    + b',
      ...ending,
    ])
  })

  test('says once what reason and check both say', () => {
    const result = failed([check({ message: 'too long' })], { reason: 'c: too long' })
    expect(explain(result)).toEqual(['✗ c: too long', ...ending])
    expect(shortReason(result)).toBe('c: too long')
  })

  test('says once what a reason quotes of a check’s message', () => {
    expect(explain(failed([check({ message: 'too long:\n- a' })], { reason: 'c: too long:' }))).toEqual([
      '✗ c: too long:',
      '    - a',
      ...ending,
    ])
  })

  test('shows what came of the last action, unless it is the answer', () => {
    const action = { turn: 1, params: { path: 'x' }, status: 'ok', observation: 'seen', duration_ms: 1 } as const
    const trial = (name: string) => sampleTrial({ status: 'failed', actions: [{ ...action, action: name }] })
    expect(explain(sampleCase({ status: 'failed', trials: [trial('grep')] }))).toContain('    seen')
    expect(explain(sampleCase({ status: 'failed', trials: [trial('final_answer')] }))).not.toContain('    seen')
  })

  test('counts checks and actions beyond the limits, and shows the last actions', () => {
    const action = (turn: number) =>
      ({
        turn,
        action: 'read_file',
        params: { path: 'x' },
        status: 'ok',
        observation: `seen ${turn}`,
        duration_ms: 1,
      }) as const
    const trial = sampleTrial({
      status: 'failed',
      checks: [1, 2, 3].map((n) => check({ name: `c${n}` })),
      actions: [1, 2, 3].map(action),
    })
    expect(explain(sampleCase({ status: 'failed', trials: [trial] })).slice(2, -1)).toEqual([
      '… 1 more failed check',
      'last 2 of 3 actions:',
      '  2 read_file x → ok, 1 ms',
      '  3 read_file x → ok, 1 ms',
      '    seen 3',
    ])
  })

  test('is about the first trial that ended as the case did', () => {
    const trials = [
      sampleTrial({ n: 1 }),
      sampleTrial({ n: 2, status: 'error', error: { code: 'internal', message: 'x' } }),
      sampleTrial({ n: 3, status: 'failed', reason: 'wrong' }),
    ]
    expect(explain(sampleCase({ status: 'failed', flaky: true, trials })).slice(0, 2)).toEqual([
      'trial 3 of 3 (flaky):',
      'wrong',
    ])
  })
})
