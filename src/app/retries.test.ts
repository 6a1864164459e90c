import { expect, test } from 'vitest'
import { aRow } from '../core/ports.contract.test-support.ts'
import { errorCodeSchema } from '../schema/run.ts'
import { backOffMs, isToRetry } from './retries.ts'

const about = { attempts: 1, retries: 1, wasAsked: true } as const
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
  ['what asked nobody', failing('rate_limited'), { ...about, wasAsked: false }],
  ['more often than it may', failing('rate_limited'), { ...about, attempts: 2 }],
  ['anything by default', failing('rate_limited'), { ...about, retries: 0 }],
] as const)('never tries again %s', (_what, row, given) => {
  expect(isToRetry(row as ReturnType<typeof aRow>, given)).toBe(false)
})

test('waits twice as long each time, up to half a minute', () => {
  expect([1, 2, 3, 5, 6, 20].map(backOffMs)).toEqual([1000, 2000, 4000, 16_000, 30_000, 30_000])
})
