import { SkillsEvalError } from '../core/errors.ts'

/** A grader could not judge: the trial is an error (`grader_error`), not a failure of what was judged. */
export class GraderError extends SkillsEvalError {
  constructor(message: string, options: { hint?: string; cause?: unknown } = {}) {
    super('grader_error', message, options)
  }
}

/** What was thrown, as a GraderError that says which expectation could not be judged; a bug is thrown on as it is. */
export const asGraderError = (error: unknown, expectation: string): GraderError => {
  if (!(error instanceof SkillsEvalError)) throw error
  return new GraderError(`${expectation}: ${error.message}`, {
    cause: error,
    ...(error.hint ? { hint: error.hint } : {}),
  })
}
