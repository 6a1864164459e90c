/** What the work comes to, or the signal's reason: whoever does not heed a signal does not hold up the end of a run. */
export const untilAborted = async <T>(work: () => T, signal: AbortSignal): Promise<Awaited<T>> => {
  let stop: (() => void) | undefined
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
  })
  aborted.catch(() => undefined)
  try {
    const result = work()
    // The work itself may be what ends the run, before it has returned anything.
    if (signal.aborted) stop?.()
    return await Promise.race([aborted, result])
  } finally {
    if (stop) signal.removeEventListener('abort', stop)
  }
}
