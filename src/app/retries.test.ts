import { expect, test } from 'vitest'
import { aRow } from '../core/ports.contract.test-support.ts'
import { errorCodeSchema } from '../schema/run.ts'
import { backOffMs, isToRetry } from './retries.ts'

const about = { attempt: 1, mode: 'off', retries: 1, isLive: true } as const
const failing = (code: (typeof errorCodeSchema.options)[number]) =>
  aRow({ status: 'error', error: { code, message: 'm' } })

test('tries again what may go better another time', () => {
  expect(errorCodeSchema.options.filter((code) => isToRetry(failing(code), about))).toEqual([
    'model_error',
    'provider_timeout',
    'rate_limited',
    'judge_error',
    'internal',
  ])
})

test.each([
  ['a trial that failed', aRow({ status: 'failed' }), about],
  ['a scripted model', failing('rate_limited'), { ...about, isLive: false }],
  [
    'a replay',
    { ...failing('internal'), cassette: { path: 'p', mode: 'replay', stale_parts: [] } },
    { ...about, mode: 'missing' },
  ],
  ['a model that was not asked', failing('internal'), { ...about, mode: 'replay' }],
  ['more often than it may', failing('rate_limited'), { ...about, attempt: 2 }],
  ['anything by default', failing('rate_limited'), { ...about, retries: 0 }],
] as const)('never tries again %s', (_what, row, given) => {
  expect(isToRetry(row as ReturnType<typeof aRow>, given)).toBe(false)
})

test('counts what is recorded anew from its first live attempt on', () => {
  const row = { ...failing('rate_limited'), cassette: { path: 'p', mode: 'record' as const, stale_parts: [] } }
  const stale = { ...about, mode: 'stale' } as const
  expect([1, 2, 3].map((attempt) => isToRetry(row, { ...stale, attempt }))).toEqual([true, true, false])
})

test('waits twice as long each time, up to half a minute', () => {
  expect([1, 2, 3, 5, 6, 20].map(backOffMs)).toEqual([1000, 2000, 4000, 16_000, 30_000, 30_000])
})
