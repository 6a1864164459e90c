import type { Clock } from '../../core/ports.ts'

/** A request that may go now. `settle` says how many tokens it really took. */
export type Permit = { settle(tokens: number): void }

/** Shared by all that ask one provider through one profile: whoever came first goes first. */
export interface RateLimiter {
  /** Waits for its turn. `estimate` is asked only where tokens are counted. Rejects when `signal` is aborted. */
  take(estimate: () => number, signal: AbortSignal): Promise<Permit>
}

export type RateLimits = {
  readonly requestsPerMinute?: number | undefined
  readonly tokensPerMinute?: number | undefined
}

const windowMs = 60_000

type Grant = { readonly at: number; tokens: number }
type Waiting = { readonly tokens: number; readonly go: (permit: Permit) => void }

/**
 * At most so many requests and tokens in any 60 seconds. What is larger than the whole allowance goes alone: it could
 * never go otherwise.
 */
export const rateLimiter = ({ requestsPerMinute, tokensPerMinute }: RateLimits, clock: Clock): RateLimiter => {
  if (requestsPerMinute === undefined && tokensPerMinute === undefined) return unlimited
  const queue: Waiting[] = []
  let grants: readonly Grant[] = []
  let alarm = new AbortController()
  let isServing = false

  /** How long the next one has to wait; it asks again then, for estimates may have been corrected. */
  const waitFor = (tokens: number): number => {
    const now = clock.monotonic()
    grants = grants.filter(({ at }) => at + windowMs > now)
    const leaves = (count: number) => (grants[count]?.at ?? now) + windowMs - now
    const requests =
      requestsPerMinute === undefined || grants.length < requestsPerMinute
        ? 0
        : leaves(grants.length - requestsPerMinute)
    return Math.max(requests, tokensPerMinute === undefined ? 0 : waitForTokens(tokens, tokensPerMinute, leaves))
  }

  const waitForTokens = (tokens: number, limit: number, leaves: (count: number) => number): number => {
    let sum = grants.reduce((total, grant) => total + grant.tokens, 0)
    let wait = 0
    for (const [i, grant] of grants.entries()) {
      if (sum + tokens <= limit || sum === 0) break
      sum -= grant.tokens
      wait = leaves(i)
    }
    return wait
  }

  const serve = async (): Promise<void> => {
    if (isServing) return
    isServing = true
    try {
      for (let next = queue[0]; next !== undefined; next = queue[0]) {
        const waitMs = waitFor(next.tokens)
        if (waitMs > 0) {
          await sleepUntilWoken(waitMs)
          continue
        }
        queue.shift()
        next.go(grant(next.tokens))
      }
    } finally {
      isServing = false
    }
  }

  const grant = (tokens: number): Permit => {
    const granted: Grant = { at: clock.monotonic(), tokens }
    grants = [...grants, granted]
    return {
      settle: (actual) => {
        granted.tokens = actual
        alarm.abort()
      },
    }
  }

  const sleepUntilWoken = async (ms: number): Promise<void> => {
    alarm = new AbortController()
    const { signal } = alarm
    try {
      await clock.sleep(ms, signal)
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }

  return {
    take: (estimate, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason)
        const leave = () => {
          const at = queue.indexOf(waiting)
          if (at !== -1) queue.splice(at, 1)
          // Whoever is next may need less than the one that left.
          if (at === 0) alarm.abort()
          reject(signal.reason)
        }
        const waiting: Waiting = {
          tokens: tokensPerMinute === undefined ? 0 : estimate(),
          go: (permit) => {
            signal.removeEventListener('abort', leave)
            resolve(permit)
          },
        }
        signal.addEventListener('abort', leave, { once: true })
        queue.push(waiting)
        void serve()
      }),
  }
}

const unlimited: RateLimiter = {
  take: async (_, signal) => {
    signal.throwIfAborted()
    return { settle: () => undefined }
  },
}
