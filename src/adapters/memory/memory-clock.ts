import type { Clock } from '../../core/ports.ts'

/** A clock that stands still unless somebody sleeps; sleeping takes no time and moves it on. */
export const memoryClock = (start = Date.UTC(2026, 0, 1)): Clock => {
  let now = start
  return {
    now: () => now,
    monotonic: () => now - start,
    sleep: async (ms, signal) => {
      signal.throwIfAborted()
      now += ms
    },
  }
}
