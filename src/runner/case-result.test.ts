import { describe, expect, test } from 'vitest'
import type { EvalCase } from '../core/plan.ts'
import { aRow } from '../core/ports.contract.test-support.ts'
import type { TrialRow } from '../core/results.ts'
import { caseResult } from './case-result.ts'
import { aCase, aSuite } from './runner.test-support.ts'

type Letter = 'p' | 'f' | 'e' | 's' | '-'

const rowOf = (letter: Letter, n: number): TrialRow | undefined => {
  switch (letter) {
    case 'p':
      return aRow({ n })
    case 'f':
      return aRow({ n, status: 'failed', reason: `wrong ${n}` })
    case 'e':
      return aRow({
        n,
        status: 'error',
        reason: `model_error: down ${n}`,
        error: { code: 'model_error', message: 'down' },
      })
    case 's':
      return aRow({ n, status: 'stale', reason: `stale ${n}` })
    case '-':
      return undefined
  }
}

/** `trials`: p passed, f failed, e error, s stale, - not finished. */
const result = (trials: string, change: Partial<EvalCase> = {}) => {
  const evalCase = aCase({ trials: trials.length, ...change })
  const rows = [...trials].map((letter, i) => rowOf(letter as Letter, i + 1))
  return caseResult({ suite: aSuite(), evalCase, model: 'mock', trials: rows.length, at: 0 }, rows, (value) => value)
}

describe('the verdict of a case', () => {
  test.each<[string, string, Partial<EvalCase>, string, string | undefined]>([
    ['passes with its only trial', 'p', {}, 'passed', undefined],
    ['fails with its only trial', 'f', {}, 'failed', 'wrong 1'],
    ['can’t be judged with its only trial', 'e', {}, 'error', 'model_error: down 1'],
    ['is stale with its only trial', 's', {}, 'stale', 'stale 1'],
    ['passes where all trials do', 'ppp', {}, 'passed', undefined],
    ['fails where one does not', 'pfp', {}, 'failed', '2 of 3 trials passed, all must; the first failure: wrong 2'],
    ['fails where none does', 'ff', {}, 'failed', '0 of 2 trials passed, all must; the first failure: wrong 1'],
    ['passes at its threshold', 'pfpf', { pass_threshold: 0.5 }, 'passed', undefined],
    [
      'fails below its threshold',
      'pfff',
      { pass_threshold: 0.5 },
      'failed',
      '1 of 4 trials passed, 50 % must; the first failure: wrong 2',
    ],
    ['passes at thirds', 'ppf', { pass_threshold: 2 / 3 }, 'passed', undefined],
    [
      'fails below thirds',
      'pff',
      { pass_threshold: 2 / 3 },
      'failed',
      '1 of 3 trials passed, 66.67 % must; the first failure: wrong 2',
    ],
    ['passes whatever the unusable trial would have been', 'ppe', { pass_threshold: 0.6 }, 'passed', undefined],
    [
      'fails whatever the unusable trial would have been',
      'fep',
      {},
      'failed',
      '1 of 3 trials passed, all must; the first failure: wrong 1',
    ],
    ['is an error where the unusable trial decides', 'ppe', {}, 'error', 'model_error: down 3'],
    ['is stale where the stale trial decides', 'pps', {}, 'stale', 'stale 3'],
    ['is rather an error than stale', 'pse', {}, 'error', 'model_error: down 3'],
    ['passes with nothing but a failure at threshold 0', 'f', { pass_threshold: 0 }, 'passed', undefined],
    [
      'is an error without a usable trial, also at threshold 0',
      'ee',
      { pass_threshold: 0 },
      'error',
      'model_error: down 1',
    ],
    ['is skipped with its reason', '', { skip: 'later' }, 'skipped', 'later'],
    ['is skipped without a reason', '', { skip: true }, 'skipped', 'no reason given'],
    ['is not skipped by false', 'p', { skip: false }, 'passed', undefined],
    ['is skipped where it was not run', '--', {}, 'skipped', 'not run: the run stopped after 0 of 2 trials'],
    [
      'is skipped where it was not run to its end',
      'fp-',
      {},
      'skipped',
      'not run: the run stopped after 2 of 3 trials',
    ],
    [
      'passes where it fails as expected',
      'f',
      { xfail: 'a known bug' },
      'passed',
      'failed as expected (xfail: a known bug)',
    ],
    [
      'passes where it fails as expected, without a reason',
      'pf',
      { xfail: true },
      'passed',
      'failed as expected (xfail: no reason given)',
    ],
    [
      'fails where it passes unexpectedly',
      'p',
      { xfail: 'a known bug' },
      'failed',
      'passed, but is marked xfail (a known bug): remove the mark',
    ],
    ['is not expected to fail by false', 'f', { xfail: false }, 'failed', 'wrong 1'],
    ['is an error also where it should fail', 'e', { xfail: true }, 'error', 'model_error: down 1'],
    ['is skipped rather than expected to fail', '', { skip: 'later', xfail: true }, 'skipped', 'later'],
    [
      'is skipped rather than expected to fail where it was not run',
      '-',
      { xfail: true },
      'skipped',
      'not run: the run stopped after 0 of 1 trials',
    ],
  ])('%s', (_, trials, change, status, reason) => {
    const { status: found, reason: told } = result(trials, change)
    expect([found, told]).toEqual([status, reason])
  })
})

describe('the numbers of a case', () => {
  test.each([
    ['ppp', 1, false, { 1: 1, 2: 1, 3: 1 }, { 1: 1, 2: 1, 3: 1 }],
    ['pf', 0.5, true, { 1: 0.5, 2: 1 }, { 1: 0.5, 2: 0 }],
    ['ff', 0, false, { 1: 0, 2: 0 }, { 1: 0, 2: 0 }],
    ['pe', 1, false, { 1: 1 }, { 1: 1 }],
    ['e', null, false, { 1: null }, { 1: null }],
    ['', null, false, { 1: null }, { 1: null }],
  ])('of %j are over its usable trials', (trials, passRate, flaky, atK, powK) => {
    expect(result(trials)).toMatchObject({ pass_rate: passRate, flaky, pass_at_k: atK, pass_pow_k: powK })
  })

  test('have a Wilson interval', () => {
    const [low, high] = result('pp').interval!
    expect([low.toFixed(4), high.toFixed(4)]).toEqual(['0.3424', '1.0000'])
    expect(result('e').interval).toBeNull()
  })
})

test('a case is told whole, with its trials in their order and not where they belong', () => {
  const { interval: _, ...told } = result('pf', { description: 'Two.', tags: ['a'], golden: true, pass_threshold: 0.5 })
  const { suite: _suite, case: _case, model: _model, ...trial } = aRow()
  expect(told).toEqual({
    id: 'case',
    description: 'Two.',
    input: ['Do it.'],
    tags: ['a'],
    model: 'mock',
    line: 3,
    golden: true,
    status: 'passed',
    pass_rate: 0.5,
    pass_at_k: { 1: 0.5, 2: 1 },
    pass_pow_k: { 1: 0.5, 2: 0 },
    flaky: true,
    trials: [trial, { ...trial, n: 2, status: 'failed', reason: 'wrong 2' }],
  })
})

test('what the author wrote in a case is told without its secrets', () => {
  const evalCase = aCase({ description: 'key', input: ['key', 'more'], tags: ['key'], skip: 'key' })
  const redact = <T>(value: T): T => JSON.parse(JSON.stringify(value).replaceAll('key', '[redacted]'))
  const told = caseResult({ suite: aSuite(), evalCase, model: 'mock', trials: 0, at: 0 }, [], redact)
  expect(told).toMatchObject({
    description: '[redacted]',
    input: ['[redacted]', 'more'],
    tags: ['[redacted]'],
    reason: '[redacted]',
  })
})

describe('a case whose trials end as soon as they decide', () => {
  const adaptive = (trials: string, max: number, threshold: number) => {
    const rows = [...trials].map((letter, i) => rowOf(letter as Letter, i + 1))
    const evalCase = aCase({ trials: max, pass_threshold: threshold, adaptive: { min: 1 } })
    const planned = { suite: aSuite(), evalCase, model: 'mock', trials: max, adaptive: { min: 1 }, at: 0 }
    return caseResult(planned, rows, (value) => value)
  }

  test('has the interval that holds whenever one stops, and no pass@k beyond what ran', () => {
    const made = adaptive('ppppppp', 30, 0.5)
    expect(made.interval).toEqual([expect.closeTo(0.5214, 4), 1])
    expect(made.pass_at_k).toEqual({ 1: 1, 2: 1, 3: 1, 5: 1, 7: 1, 10: null, 20: null, 30: null })
    expect(made.pass_pow_k).toEqual(made.pass_at_k)
    expect(made.pass_k_reason).toBe('not known for k > 7: 7 of up to 30 trials ran and could be judged')
  })

  test('the same where it came to its last trial, since it might have ended before', () => {
    const made = adaptive('pf', 2, 1)
    expect(made.interval).not.toEqual(result('pf').interval)
    expect(made.pass_at_k).toEqual({ 1: 0.5, 2: 1 })
    expect(made).not.toHaveProperty('pass_k_reason')
    expect(result('pf')).not.toHaveProperty('pass_k_reason')
  })

  test('without a trial that could be judged knows nothing', () => {
    const made = adaptive('ee', 2, 1)
    expect([made.interval, made.pass_at_k, made.pass_k_reason]).toEqual([null, { 1: null, 2: null }, undefined])
  })
})
