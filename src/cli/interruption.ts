/** The first SIGINT or SIGTERM stops a run in order; the second ends the process at once. */
export const interruption = (): { readonly signal: AbortSignal; release(): void } => {
  const controller = new AbortController()
  const codes = { SIGINT: 130, SIGTERM: 143 } as const
  const onSignal = (name: keyof typeof codes) => {
    if (controller.signal.aborted) process.exit(codes[name])
    process.stderr.write(`\n${name}: finishing up; once more to stop at once\n`)
    controller.abort(name)
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  return {
    signal: controller.signal,
    release: () => {
      process.off('SIGINT', onSignal)
      process.off('SIGTERM', onSignal)
    },
  }
}
