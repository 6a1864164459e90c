import type { Clock } from '../../core/ports.ts'

/** A clock that stands still unless somebody sleeps; sleeping takes no real time, moves it on and rings due timers. */
export const memoryClock = (start = Date.UTC(2026, 0, 1)): Clock => {
  let now = start
  const timers = new Set<{ readonly due: number; readonly callback: () => void }>()
  return {
    now: () => now,
    monotonic: () => now - start,
    sleep: async (ms, signal) => {
      signal.throwIfAborted()
      const end = now + ms
      const due = [...timers].filter((timer) => timer.due <= end).sort((a, b) => a.due - b.due)
      for (const timer of due) {
        // One that rang before may have taken it back.
        if (!timers.delete(timer)) continue
        now = Math.max(now, timer.due)
        timer.callback()
        signal.throwIfAborted()
      }
      now = end
    },
    breathe: async () => undefined,
    timer: (ms, callback) => {
      const timer = { due: now + ms, callback }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
  }
}
