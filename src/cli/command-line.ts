export type ProgramName = 'skills-eval' | 'skills-agent'

/** Tells what a finished command exits with. */
export type Done = (exitCode: number) => void
