import { describe, expect, test } from 'vitest'
import { withinDeadline } from './deadline.ts'

describe('withinDeadline', () => {
  test('gives what the function returns', () => {
    expect(withinDeadline(250, () => 6 * 7)).toEqual({ ok: true, value: 42 })
  })

  test('stops a native match that would backtrack for hours', () => {
    const started = performance.now()
    const result = withinDeadline(100, () => /^(a+)+$/.test(`${'a'.repeat(60)}b`))
    expect(result).toEqual({ ok: false })
    expect(performance.now() - started).toBeLessThan(2_000)
  })

  test('stops a loop, and works again afterwards', () => {
    const forever = () => {
      for (let i = 0; i >= 0; i = (i + 1) % 10) Math.sqrt(i)
    }
    expect(withinDeadline(50, forever)).toEqual({ ok: false })
    expect(withinDeadline(250, () => 'again')).toEqual({ ok: true, value: 'again' })
  })

  test('throws on what the function throws', () => {
    const failure = new RangeError('of its own')
    expect(() =>
      withinDeadline(250, () => {
        throw failure
      }),
    ).toThrow(failure)
  })

  test('may be used inside itself', () => {
    const result = withinDeadline(250, () => {
      const inner = withinDeadline(20, () => /^(a+)+$/.test(`${'a'.repeat(60)}b`))
      return { inner }
    })
    expect(result).toEqual({ ok: true, value: { inner: { ok: false } } })
  })
})
