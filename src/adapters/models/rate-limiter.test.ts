import { setMaxListeners } from 'node:events'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { memoryClock } from '../memory/memory-clock.ts'
import { type RateLimits, rateLimiter } from './rate-limiter.ts'

const { signal } = new AbortController()
setMaxListeners(0, signal)

/** Takes permits for these tokens all at once; when and in which order they were given. */
const takeAll = async (limits: RateLimits, tokens: readonly number[], actual: readonly number[] = tokens) => {
  const clock = memoryClock()
  // Whoever was let through has its turn before time moves on.
  const patient = { ...clock, sleep: (ms: number, stop: AbortSignal) => settled().then(() => clock.sleep(ms, stop)) }
  const limiter = rateLimiter(limits, patient)
  const given: { readonly i: number; readonly at: number; readonly tokens: number }[] = []
  await Promise.all(
    tokens.map(async (count, i) => {
      const permit = await limiter.take(() => count, signal)
      given.push({ i, at: clock.monotonic(), tokens: actual[i] ?? count })
      permit.settle(actual[i] ?? count)
    }),
  )
  return given
}

/** A clock whose sleepers sleep until it is moved on. */
const heldClock = () => {
  const clock = memoryClock()
  const sleepers: { readonly due: number; readonly wake: () => void }[] = []
  return {
    ...clock,
    sleepers,
    sleep: (ms: number, signal: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        sleepers.push({ due: clock.monotonic() + ms, wake: resolve })
        signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      }),
    moveOn: async (ms: number) => {
      await clock.sleep(ms, signal)
      for (const sleeper of sleepers.splice(0)) {
        if (sleeper.due <= clock.monotonic()) sleeper.wake()
        else sleepers.push(sleeper)
      }
      await settled()
    },
  }
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

describe('rateLimiter', () => {
  test('never lets more requests through than allowed in any 60 seconds, in the order of their coming', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 7 }), fc.integer({ min: 1, max: 40 }), async (limit, count) => {
        const given = await takeAll({ requestsPerMinute: limit }, Array(count).fill(0))
        expect(given.map(({ i }) => i)).toEqual([...given.keys()])
        for (const { at } of given) {
          expect(given.filter((other) => other.at >= at && other.at < at + 60_000).length).toBeLessThanOrEqual(limit)
        }
        // And none waits longer than it must.
        expect(given.at(-1)?.at).toBe(Math.floor((count - 1) / limit) * 60_000)
      }),
    )
  })

  test('nor where they come one by one, at any time', async () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 40_000 }), { minLength: 1, maxLength: 20 })
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), gaps, async (limit, waits) => {
        const clock = memoryClock()
        const limiter = rateLimiter({ requestsPerMinute: limit }, clock)
        const given: number[] = []
        for (const wait of waits) {
          await clock.sleep(wait, signal)
          await limiter.take(() => 0, signal)
          given.push(clock.monotonic())
        }
        for (const at of given) {
          expect(given.filter((other) => other >= at && other < at + 60_000).length).toBeLessThanOrEqual(limit)
        }
      }),
    )
  })

  test('never lets more tokens through than allowed in any 60 seconds, but for one request alone', async () => {
    const tokens = fc.array(fc.integer({ min: 0, max: 150 }), { minLength: 1, maxLength: 30 })
    await fc.assert(
      fc.asyncProperty(tokens, async (counts) => {
        const given = await takeAll({ tokensPerMinute: 100 }, counts)
        expect(given.map(({ i }) => i)).toEqual([...given.keys()])
        for (const { at } of given) {
          const within = given.filter((other) => other.at >= at && other.at < at + 60_000 && other.tokens > 0)
          const sum = within.reduce((total, { tokens }) => total + tokens, 0)
          expect(sum <= 100 || within.length === 1).toBe(true)
        }
      }),
    )
  })

  test('both limits hold together', async () => {
    const given = await takeAll({ requestsPerMinute: 2, tokensPerMinute: 100 }, [60, 60, 10, 10])
    expect(given.map(({ at }) => at)).toEqual([0, 60_000, 60_000, 120_000])
  })

  test('counts what was really used once it is known', async () => {
    const clock = heldClock()
    const limiter = rateLimiter({ tokensPerMinute: 100 }, clock)
    const first = await limiter.take(() => 90, signal)
    let isGiven = false
    const second = limiter
      .take(() => 50, signal)
      .then(() => {
        isGiven = true
      })
    await settled()
    expect(isGiven).toBe(false)
    first.settle(20)
    await second
    expect(clock.monotonic()).toBe(0)
  })

  test('one that is aborted leaves the queue at once, and lets the next one go before it', async () => {
    const clock = heldClock()
    const limiter = rateLimiter({ tokensPerMinute: 100 }, clock)
    await limiter.take(() => 60, signal)
    const ending = new AbortController()
    const large = limiter.take(() => 90, ending.signal)
    const small = limiter.take(() => 40, signal)
    ending.abort(new Error('enough'))
    await expect(large).rejects.toThrow('enough')
    await small
    expect(clock.monotonic()).toBe(0)
    await expect(limiter.take(() => 1, ending.signal)).rejects.toThrow('enough')
  })

  test('one that waits in the middle can leave too', async () => {
    const clock = heldClock()
    const limiter = rateLimiter({ requestsPerMinute: 1 }, clock)
    await limiter.take(() => 0, signal)
    const given: string[] = []
    const ending = new AbortController()
    const wait = (name: string, s: AbortSignal) =>
      limiter
        .take(() => 0, s)
        .then(
          () => given.push(name),
          () => undefined,
        )
    const all = [wait('a', signal), wait('b', ending.signal), wait('c', signal)]
    ending.abort()
    await clock.moveOn(59_999)
    expect(given).toEqual([])
    await clock.moveOn(1)
    expect(given).toEqual(['a'])
    await clock.moveOn(60_000)
    await Promise.all(all)
    expect(given).toEqual(['a', 'c'])
  })

  test('sleeps once for what it waits for', async () => {
    const clock = heldClock()
    const limiter = rateLimiter({ requestsPerMinute: 1 }, clock)
    await limiter.take(() => 0, signal)
    void limiter.take(() => 0, signal)
    void limiter.take(() => 0, signal)
    await settled()
    expect(clock.sleepers).toHaveLength(1)
  })

  test('without limits asks for no estimate and never waits', async () => {
    const limiter = rateLimiter({}, memoryClock())
    const estimate = () => {
      throw new Error('nobody asked')
    }
    for (let i = 0; i < 100; i += 1) (await limiter.take(estimate, signal)).settle(1e9)
  })
})
