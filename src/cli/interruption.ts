import { type InterruptingSignal, interruptionCodes } from '../core/interruptions.ts'

export type Interruption = {
  readonly signal: AbortSignal
  /** As if that signal had come: a terminal that reads single keys sends none for Ctrl-C. */
  interrupt(name: InterruptingSignal): void
  release(): void
}

const names: readonly InterruptingSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * The first SIGINT, SIGTERM or SIGHUP (the terminal was closed) stops a run in order; the second ends the process at once.
 */
export const interruption = (): Interruption => {
  const controller = new AbortController()
  const onSignal = (name: InterruptingSignal) => {
    if (controller.signal.aborted) process.exit(interruptionCodes[name])
    process.stderr.write(`\n${name}: finishing up; once more to stop at once\n`)
    controller.abort(name)
  }
  for (const name of names) process.on(name, onSignal)
  return {
    signal: controller.signal,
    interrupt: onSignal,
    release: () => {
      for (const name of names) process.off(name, onSignal)
    },
  }
}
