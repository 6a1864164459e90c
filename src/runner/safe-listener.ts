import type { RunListener } from '../core/ports.ts'

export type SafeListener = Required<RunListener> & {
  /** The first thing that the listener threw; the others are dropped. */
  fault(): unknown
}

/** A listener that may not affect the run: what it throws, at once or later, is kept here instead. */
export const safeListener = (listener: RunListener): SafeListener => {
  let first: { readonly error: unknown } | undefined
  const note = (error: unknown): void => {
    first ??= { error }
  }
  const guarded = (call: () => unknown): void => {
    try {
      const result = call()
      // A listener that is async where none was asked for would end the process with its rejection.
      if (result instanceof Promise) result.catch(note)
    } catch (error) {
      note(error)
    }
  }
  return {
    started: (total) => guarded(() => listener.started?.(total)),
    trialStarted: (at) => guarded(() => listener.trialStarted?.(at)),
    trialFinished: (row) => guarded(() => listener.trialFinished?.(row)),
    caseFinished: (suite, result) => guarded(() => listener.caseFinished?.(suite, result)),
    finished: (summary) => guarded(() => listener.finished?.(summary)),
    fault: () => first?.error,
  }
}
