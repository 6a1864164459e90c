const codes = { SIGINT: 130, SIGTERM: 143 } as const

export type Interruption = {
  readonly signal: AbortSignal
  /** As if that signal had come: a terminal that reads single keys sends none for Ctrl-C. */
  interrupt(name: keyof typeof codes): void
  release(): void
}

/** The first SIGINT or SIGTERM stops a run in order; the second ends the process at once. */
export const interruption = (): Interruption => {
  const controller = new AbortController()
  const onSignal = (name: keyof typeof codes) => {
    if (controller.signal.aborted) process.exit(codes[name])
    process.stderr.write(`\n${name}: finishing up; once more to stop at once\n`)
    controller.abort(name)
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  return {
    signal: controller.signal,
    interrupt: onSignal,
    release: () => {
      process.off('SIGINT', onSignal)
      process.off('SIGTERM', onSignal)
    },
  }
}
