import { randomBytes } from 'node:crypto'
import type { Clock, Ids } from '../../core/ports.ts'

/** What is longer than a timer can be told would ring at once. */
const longestMs = 2 ** 31 - 1

export const systemClock = (): Clock => ({
  now: () => Date.now(),
  monotonic: () => performance.now(),
  breathe: () => new Promise((resolve) => setImmediate(resolve)),
  timer: (ms, callback) => {
    const timer = setTimeout(callback, Math.min(ms, longestMs))
    return () => clearTimeout(timer)
  },
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason)
      const timer = setTimeout(
        () => {
          signal.removeEventListener('abort', stop)
          resolve()
        },
        Math.min(ms, longestMs),
      )
      const stop = () => {
        clearTimeout(timer)
        reject(signal.reason)
      }
      signal.addEventListener('abort', stop, { once: true })
    }),
})

/** `20261121-093000-123-3f9c2a`: sorts by time to the millisecond, unique enough for two runs in one. */
export const systemIds = (clock: Clock): Ids => ({
  run: () => {
    const iso = new Date(clock.now()).toISOString()
    return `${iso.slice(0, 10).replaceAll('-', '')}-${iso.slice(11, 19).replaceAll(':', '')}-${iso.slice(20, 23)}-${randomBytes(3).toString('hex')}`
  },
})
