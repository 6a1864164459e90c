import { stripVTControlCharacters } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { HOSTILE, sampleCase, sampleTrial } from '../../test/support/sample-run.ts'
import { failureLine, finishedLine, type Progress, progressLine } from './progress.ts'
import { textWidth } from './text-width.ts'

const state = (progress: Partial<Progress> = {}): Progress => ({
  done: 12,
  total: 100,
  running: ['csv/a', 'csv/b'],
  failed: 2,
  errors: 1,
  costUsd: 0.0123,
  elapsedMs: 12_000,
  width: 120,
  color: false,
  ...progress,
})

describe('progressLine', () => {
  test('tells what is done, wrong, spent, left and running', () => {
    expect(progressLine(state())).toBe(
      '12/100 cases  2 failed  1 error  $0.0123  12.0 s, about 1 min 28 s left  2 running: csv/a, csv/b',
    )
  })

  test('leaves out what there is nothing of, and the time left where there is no rate', () => {
    expect(progressLine(state({ done: 0, running: [], failed: 0, errors: 0, costUsd: null }))).toBe(
      '0/100 cases  12.0 s',
    )
    expect(progressLine(state({ done: 100, running: [], failed: 0, errors: 0, costUsd: 0 }))).toBe(
      '100/100 cases  12.0 s',
    )
  })

  test('cuts names, never numbers, where the terminal is narrow', () => {
    expect(progressLine(state({ width: 80 }))).toBe(
      '12/100 cases  2 failed  1 error  $0.0123  12.0 s, about 1 min 28 s left  2 runn…',
    )
    expect(progressLine(state({ width: 60 }))).toBe('12/100 cases  2 failed  1 error  $0.0123')
  })

  test('is one line within the width, with or without colours, whatever runs', () => {
    fc.assert(
      fc.property(fc.nat(150), fc.array(fc.string({ unit: 'binary' })), fc.boolean(), (width, running, color) => {
        const line = stripVTControlCharacters(progressLine(state({ width, running, color })))
        expect(textWidth(line)).toBeLessThanOrEqual(width)
        expect(line).not.toMatch(/[\x00-\x1f\x7f-\x9f]/)
      }),
    )
  })

  test('colours what is wrong', () => {
    expect(progressLine(state({ color: true }))).toContain('\x1b[31m2 failed\x1b[39m')
  })
})

describe('finishedLine', () => {
  const suite = { name: 'csv' }
  const color = false

  test.each([
    ['a pass', sampleCase({ id: 'a', trials: [sampleTrial(), sampleTrial({ n: 2 })] }), 'ok   csv/a  2 trials  0.3 s'],
    ['a failure', sampleCase({ id: 'a', status: 'failed', reason: 'too long\nby far' }), 'FAIL csv/a  too long'],
    ['an error', sampleCase({ id: 'a', status: 'error', reason: 'no turn 2' }), 'ERROR csv/a  no turn 2'],
    ['a stale case', sampleCase({ id: 'a', status: 'stale', reason: 'body changed' }), 'STALE csv/a  body changed'],
    ['a skipped one', sampleCase({ id: 'a', status: 'skipped', reason: 'later' }), 'skip csv/a  later'],
    ['a flaky pass', sampleCase({ id: 'a', flaky: true }), 'ok   csv/a  1 trial  0.1 s  flaky'],
  ])('tells %s', (_, result, line) => {
    expect(finishedLine(suite, result, { color })).toBe(line)
  })

  test('names the model where asked to', () => {
    const line = finishedLine(suite, sampleCase({ id: 'a', status: 'failed', reason: 'r' }), { color, showModel: true })
    expect(line).toBe('FAIL csv/a  [mock]  r')
  })

  test('is one line, whatever the names are', () => {
    const line = finishedLine({ name: HOSTILE }, sampleCase({ id: HOSTILE, status: 'failed', reason: HOSTILE }), {
      color,
    })
    expect(line).not.toMatch(/[\x00-\x1f\x7f-\x9f]|^\s*::|##\w*\[/)
  })
})

test('failureLine fits into the width and colours the word alone', () => {
  const result = sampleCase({ id: 'a', status: 'failed', reason: 'much too long a reason' })
  expect(failureLine({ name: 'csv' }, result, { color: false, width: 20 })).toBe('FAIL csv/a  much to…')
  expect(failureLine({ name: 'csv' }, result, { color: true, width: 20 })).toBe('\x1b[31mFAIL\x1b[39m csv/a  much to…')
})
