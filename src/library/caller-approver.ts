import { UsageError } from '../core/errors.ts'
import type { ApprovalAnswer, ApprovalQuestion, Approver } from '../core/ports.ts'
import { visibleLine } from '../lib/visible.ts'
import { untilAborted } from './until-aborted.ts'

type Answered = Omit<ApprovalAnswer, 'by'>

/** Answers a question of the policy. `signal`: nobody waits for the answer any more. */
export type Approve = (
  question: ApprovalQuestion,
  options: { readonly signal: AbortSignal },
) => Promise<Answered> | Answered

/** Asks the caller of the library. What is none of the answers ends the run with a UsageError, and nothing is done. */
export const callerApprover = (approve: Approve): Approver => ({
  ask: async (question, options) => ({
    ...checked(await untilAborted(() => approve(question, options), options.signal)),
    by: 'caller',
  }),
})

const checked = (given: unknown): Answered => {
  const { answer, reason } = (typeof given === 'object' && given !== null ? given : {}) as Record<string, unknown>
  const isReason = reason === undefined || typeof reason === 'string'
  if ((answer !== 'once' && answer !== 'run' && answer !== 'no') || !isReason) {
    throw new UsageError('bad_answer', `\`approve\` returned ${shown(given)}, which is no answer`, {
      hint: "Return { answer: 'once' }, { answer: 'run' } or { answer: 'no', reason }.",
    })
  }
  return reason === undefined ? { answer } : { answer, reason }
}

const shown = (value: unknown): string => {
  try {
    return visibleLine(JSON.stringify(value) ?? String(value), 80)
  } catch {
    return `a value of type ${typeof value}`
  }
}
