import { SkillsEvalError } from '../core/errors.ts'

/** Whose fault it is that there is no verdict, as an error code; `stale`: the judge's recording answers something else. */
export type GraderFault = 'grader_error' | 'judge_error' | 'missing_cassette' | 'budget_exceeded' | 'stale'

/** A grader could not judge: the trial is an error (or stale), not a failure of what was judged. */
export class GraderError extends SkillsEvalError {
  readonly fault: GraderFault

  constructor(message: string, options: { hint?: string; cause?: unknown; fault?: GraderFault } = {}) {
    const { fault = 'grader_error', ...rest } = options
    super(fault, message, rest)
    this.fault = fault
  }
}

/** What was thrown, as a GraderError that says which expectation could not be judged; a bug is thrown on as it is. */
export const asGraderError = (error: unknown, expectation: string): GraderError => {
  if (!(error instanceof SkillsEvalError)) throw error
  const fault = error instanceof GraderError ? error.fault : 'grader_error'
  // What is said of a recording names its place, and all that is to be done.
  if (error instanceof GraderError && (fault === 'stale' || fault === 'missing_cassette')) return error
  return new GraderError(`${expectation}: ${error.message}`, {
    cause: error,
    fault,
    ...(error.hint ? { hint: error.hint } : {}),
  })
}
