/** What cut a run short, as run.json says it: the signal of the process, or `aborted`, by a caller of the library. */
export const interruptedBy = ({ reason }: AbortSignal): string =>
  typeof reason === 'string' && /^SIG[A-Z]+$/.test(reason) ? reason : 'aborted'
