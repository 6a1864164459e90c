import type { ActionRecord } from '../../core/trajectory.ts'
import type { ActionPattern } from '../../schema/pattern.ts'
import { describeAction } from '../describe-action.ts'
import { describePattern } from '../describe-pattern.ts'
import { type ActionMatcher, compilePattern } from '../match-pattern.ts'
import { readPattern } from '../read-pattern.ts'

/** An action and its number in the trial, from 1. */
export type Step = { readonly n: number; readonly record: ActionRecord }

export type CompiledPattern = {
  readonly text: string
  readonly namesAnswer: boolean
  readonly matches: ActionMatcher
}

/** Why a constraint does not hold, in words, and the number of the action where it first shows. */
export type Finding = { readonly what: string; readonly at?: number | undefined }

export const toSteps = (actions: readonly ActionRecord[]): Step[] => actions.map((record, i) => ({ n: i + 1, record }))

export const compileStepPattern = async (pattern: ActionPattern): Promise<CompiledPattern> => ({
  text: describePattern(pattern),
  namesAnswer: readPattern(pattern).type === 'final_answer',
  matches: await compilePattern(pattern),
})

/** The steps without the answers, unless a pattern names `final_answer`. */
export const withoutAnswers = (steps: readonly Step[], patterns: readonly CompiledPattern[]): readonly Step[] =>
  patterns.some((pattern) => pattern.namesAnswer) ? steps : steps.filter((s) => s.record.action !== 'final_answer')

/** Up to `around` steps before and after the marked one, one a line. */
export const showSteps = (steps: readonly Step[], at: number | undefined, around = 20): string => {
  if (steps.length === 0) return '  (no actions)'
  const marked = steps.findIndex((step) => step.n === at)
  const from = Math.max(0, Math.min(marked - around, steps.length - 2 * around))
  const to = Math.min(steps.length, from + 2 * around)
  return [
    ...(from > 0 ? [`  … ${from} before`] : []),
    ...steps.slice(from, to).map((step) => `${step.n === at ? '>' : ' '} ${showStep(step)}`),
    ...(to < steps.length ? [`  … ${steps.length - to} more`] : []),
  ].join('\n')
}

export const showStep = ({ n, record }: Step): string => `${n}. ${describeAction(record)}`

/** `action 2`, `actions 2, 3 and 5`. */
export const numbersOf = (steps: readonly Step[]): string => {
  const numbers = steps.slice(0, 10).map((step) => String(step.n))
  if (steps.length > 10) return `actions ${numbers.join(', ')} and ${steps.length - 10} more`
  const last = numbers.pop() ?? ''
  return numbers.length === 0 ? `action ${last}` : `actions ${numbers.join(', ')} and ${last}`
}

/** What the pattern would match but for the status; '' where there is nothing to tell. */
export const otherStatus = (pattern: CompiledPattern, steps: readonly Step[]): string => {
  const near = steps.find(({ record }) => !pattern.matches(record) && pattern.matches(record, { anyStatus: true }))
  if (near === undefined) return ''
  return `; action ${near.n} matches but for its status (${near.record.status})`
}
