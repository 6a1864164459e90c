import type { PlannedCase } from '../core/plan.ts'
import type { CaseFacts } from '../schema/case-facts.ts'

/** As much of a planned case as its verdict needs, for the row of its first trial. */
export const caseFacts = ({ evalCase, trials, adaptive }: PlannedCase): CaseFacts => {
  const { line, description, input, tags, pass_threshold, golden, xfail } = evalCase
  return {
    line,
    ...(description === undefined ? {} : { description }),
    input: [...input],
    tags: [...tags],
    trials,
    ...(adaptive === undefined ? {} : { adaptive }),
    pass_threshold,
    ...(golden === undefined ? {} : { golden }),
    ...(xfail === undefined ? {} : { xfail }),
  }
}
