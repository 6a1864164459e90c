/** The signals that end a program in order, each with the exit code that stands for it: 128 and its number. */
export const interruptionCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const

export type InterruptingSignal = keyof typeof interruptionCodes

/** Of what is kept of an interruption, the name of its signal; 130 for any other reason. */
export const interruptionCode = (reason: unknown): number =>
  typeof reason === 'string' && Object.hasOwn(interruptionCodes, reason)
    ? interruptionCodes[reason as InterruptingSignal]
    : interruptionCodes.SIGINT
