import { type CompiledPattern, type Finding, otherStatus, type Step, showStep, withoutAnswers } from './step.ts'

/** Whether the whole sequence matches one to one; the answers are left out unless a pattern names them. */
export const exactly = (patterns: readonly CompiledPattern[], all: readonly Step[]): Finding | undefined => {
  const steps = withoutAnswers(all, patterns)
  const length = Math.max(patterns.length, steps.length)
  for (let i = 0; i < length; i++) {
    const pattern = patterns[i]
    const step = steps[i]
    if (pattern !== undefined && step !== undefined && pattern.matches(step.record)) continue
    return { what: parting(pattern, step, i), at: step?.n }
  }
  return undefined
}

const parting = (pattern: CompiledPattern | undefined, step: Step | undefined, i: number): string => {
  if (pattern === undefined) return `nothing is expected after ${i}, but there is ${step ? showStep(step) : ''}`
  if (step === undefined) return `pattern ${i + 1} (${pattern.text}) is expected, but the actions end after ${i}`
  return `pattern ${i + 1} (${pattern.text}) does not match ${showStep(step)}${otherStatus(pattern, [step])}`
}
