import { type InterruptingSignal, interruptionCodes } from '../core/interruptions.ts'
import type { Interruption } from './interruption.ts'

/** In a conversation SIGINT ends the request that is under way, and SIGTERM or SIGHUP everything. */
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
  const onEnd = (name: InterruptingSignal): void => {
    if (ending.signal.aborted) process.exit(interruptionCodes[name])
    ending.abort(name)
    turn?.abort(name)
  }
  process.on('SIGINT', onSigint)
  process.on('SIGTERM', onEnd)
  process.on('SIGHUP', onEnd)
  return {
    ending: ending.signal,
    interrupt: (name) => (name === 'SIGINT' ? onSigint() : onEnd(name)),
    release: () => {
      process.off('SIGINT', onSigint)
      process.off('SIGTERM', onEnd)
      process.off('SIGHUP', onEnd)
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
