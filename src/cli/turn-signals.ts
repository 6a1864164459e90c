import type { Interruption } from './interruption.ts'

/** In a conversation SIGINT ends the request that is under way, and SIGTERM everything. */
export type TurnSignals = Pick<Interruption, 'interrupt' | 'release'> & {
  /** Aborted when the whole conversation must end. */
  readonly ending: AbortSignal
  /** Does the work with a signal of its own. */
  during<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>
}

export const turnSignals = (): TurnSignals => {
  const ending = new AbortController()
  let turn: AbortController | undefined
  const onSigint = (): void => {
    if (turn === undefined) ending.abort('SIGINT')
    // What does not end when it is told to is left behind.
    else if (turn.signal.aborted) process.exit(130)
    else turn.abort('SIGINT')
  }
  const onSigterm = (): void => {
    if (ending.signal.aborted) process.exit(143)
    ending.abort('SIGTERM')
    turn?.abort('SIGTERM')
  }
  process.on('SIGINT', onSigint)
  process.on('SIGTERM', onSigterm)
  return {
    ending: ending.signal,
    interrupt: (name) => (name === 'SIGINT' ? onSigint() : onSigterm()),
    release: () => {
      process.off('SIGINT', onSigint)
      process.off('SIGTERM', onSigterm)
    },
    during: async (work) => {
      const own = new AbortController()
      turn = own
      try {
        return await work(own.signal)
      } finally {
        turn = undefined
      }
    },
  }
}
