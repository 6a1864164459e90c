import { deepEqual } from '../../lib/match-value.ts'
import { type Finding, type Step, showStep } from './step.ts'

/**
 * Whether no action happens more than `times` running with the same parameters and the same observation. An answer is
 * no loop: the same one may be right for each request of a conversation.
 */
export const noLoops = (times: number, steps: readonly Step[]): Finding | undefined => {
  let start = 0
  for (let i = 0; i <= steps.length; i++) {
    if (isSame(steps[start], steps[i])) continue
    const length = i - start
    const first = steps[start]
    if (length > times && first !== undefined) {
      return {
        what: `${length} times running the same action with the same observation, from ${showStep(first)}`,
        at: steps[start + times]?.n,
      }
    }
    start = i
  }
  return undefined
}

const isSame = (a: Step | undefined, b: Step | undefined): boolean => {
  if (a === b) return a !== undefined
  if (a === undefined || b === undefined || a.record.action === 'final_answer') return false
  return (
    a.record.action === b.record.action &&
    a.record.observation === b.record.observation &&
    deepEqual(a.record.params, b.record.params)
  )
}
