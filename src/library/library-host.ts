import type { Host } from '../app/host.ts'
import { processHost } from '../cli/process-host.ts'

/** Where a run takes place, as a caller of the library sets it. */
export type Surroundings = {
  /** Default: the working folder of the process. */
  readonly cwd?: string
  /** Breaks off the run; what it started is ended, and what was done is kept. */
  readonly signal?: AbortSignal
  /** The environment of models and programs; default: that of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Whether this is a run in CI, where nothing is recorded that was not asked for; default: by the variable `CI`. */
  readonly isCi?: boolean
  /** What the command line would print beside results: a line of text for a person. May not throw. */
  readonly onNotice?: (text: string) => void
}

/** This process for a library: nothing is printed, and `stdout` takes what would be. */
export const libraryHost = (given: Surroundings, stdout: (text: string) => void): Host => {
  const host = processHost(given.cwd, given.signal)
  return {
    ...host,
    ...(given.env === undefined ? {} : { env: given.env, home: given.env.HOME || host.home }),
    ...(given.isCi === undefined ? {} : { isCi: given.isCi }),
    color: false,
    width: 100,
    stdout,
    stderr: (text) => {
      try {
        given.onNotice?.(text)
      } catch {
        // A listener may not affect a run.
      }
    },
  }
}
