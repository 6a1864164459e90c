import { type CompiledPattern, type Finding, numbersOf, type Step, showStep, withoutAnswers } from './step.ts'

/** Whether every action matches at least one pattern; the answers are left out unless a pattern names them. */
export const only = (patterns: readonly CompiledPattern[], all: readonly Step[]): Finding | undefined => {
  const steps = withoutAnswers(all, patterns)
  const others = steps.filter(({ record }) => !patterns.some((pattern) => pattern.matches(record)))
  const [first] = others
  if (first === undefined) return undefined
  const near = patterns.some((pattern) => pattern.matches(first.record, { anyStatus: true }))
  const but = near ? `, but for its status (${first.record.status})` : ''
  return { what: `${numbersOf(others)} matched no pattern; the first: ${showStep(first)}${but}`, at: first.n }
}

/** Whether no action matches any pattern; an attempt counts whatever came of it. */
export const never = (patterns: readonly CompiledPattern[], steps: readonly Step[]): Finding | undefined => {
  for (const step of steps) {
    const pattern = patterns.find((candidate) => candidate.matches(step.record, { anyStatus: true }))
    if (pattern !== undefined) return { what: `${pattern.text} matches ${showStep(step)}`, at: step.n }
  }
  return undefined
}
