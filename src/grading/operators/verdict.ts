import type { CheckResult } from '../../core/results.ts'

/**
 * What an operator found, before `not` is applied. An operator is a function of the check and what it looks at; it
 * throws a SkillsEvalError where it can't judge.
 */
export type Verdict = {
  readonly holds: boolean
  /** 0–1, where an operator measures more than yes or no. */
  readonly score?: number | undefined
  /** What is wrong, or what a grader had to say. */
  readonly message?: string | undefined
  /** Where in the text it was found. */
  readonly at?: number
  /** Instead of the operand and the text. */
  readonly expected?: unknown
  readonly actual?: unknown
  /** What a grader script checked itself. */
  readonly parts?: readonly CheckResult[]
}
