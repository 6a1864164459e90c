import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { retryWait } from './retry-wait.ts'

const now = Date.UTC(2026, 0, 1, 12, 0, 0)
const wait = (headers: Readonly<Record<string, string>>, attempt = 0, random = 0) =>
  retryWait(new Headers(headers), attempt, { now, random: () => random })

describe('retryWait', () => {
  test.each([
    [{ 'retry-after-ms': '1500' }, { waitMs: 1500 }],
    [{ 'retry-after-ms': '20', 'retry-after': '30' }, { waitMs: 20 }],
    [{ 'retry-after': '2' }, { waitMs: 2000 }],
    [{ 'retry-after': '0.5' }, { waitMs: 500 }],
    [{ 'retry-after': '0' }, { waitMs: 0 }],
    [{ 'retry-after': '60' }, { waitMs: 60_000 }],
    [{ 'retry-after': '61' }, { tooLongMs: 61_000 }],
    [{ 'retry-after': 'Thu, 01 Jan 2026 12:00:07 GMT' }, { waitMs: 7000 }],
    [{ 'retry-after': 'Thu, 01 Jan 2026 11:00:00 GMT' }, { waitMs: 0 }],
    [{ 'retry-after': 'Thu, 01 Jan 2026 13:00:00 GMT' }, { tooLongMs: 3_600_000 }],
    [{ 'retry-after': 'in 5 minutes' }, { waitMs: 500 }],
    [{ 'retry-after': '-3' }, { waitMs: 500 }],
    [{ 'retry-after': 'NaN' }, { waitMs: 500 }],
    [{ 'retry-after': '' }, { waitMs: 500 }],
    [{ 'retry-after-ms': '1e9' }, { waitMs: 500 }],
    [{}, { waitMs: 500 }],
  ])('%j means %j', (headers, expected) => {
    expect(wait(headers)).toEqual(expected)
  })

  test('its own wait doubles up to 8 seconds', () => {
    expect([0, 1, 2, 3, 4, 5, 9].map((attempt) => wait({}, attempt))).toEqual(
      [500, 1000, 2000, 4000, 8000, 8000, 8000].map((waitMs) => ({ waitMs })),
    )
  })

  test('chance takes at most a quarter of it', () => {
    expect(wait({}, 2, 0.999)).toEqual({ waitMs: 1501 })
  })

  test('is never negative, whatever a server says', () => {
    const printable = fc.string({ unit: 'grapheme-ascii' })
    fc.assert(
      fc.property(printable, printable, (a, b) => {
        const result = wait({ 'retry-after': a, 'retry-after-ms': b })
        if ('waitMs' in result) expect(result.waitMs).toSatisfy((ms: number) => ms >= 0 && ms <= 60_000)
      }),
    )
  })
})
