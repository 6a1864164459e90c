import { type CompiledPattern, type Finding, numbersOf, otherStatus, type Step } from './step.ts'

/**
 * Whether the patterns match a subsequence in this order. Taking the earliest match of each is enough: if any choice
 * leads to the end, that one does.
 */
export const inOrder = (patterns: readonly CompiledPattern[], steps: readonly Step[]): Finding | undefined => {
  let next = 0
  for (const [i, pattern] of patterns.entries()) {
    const at = steps.findIndex((step, place) => place >= next && pattern.matches(step.record))
    if (at < 0) return parting(pattern, i, steps, next)
    next = at + 1
  }
  return undefined
}

const parting = (pattern: CompiledPattern, i: number, steps: readonly Step[], next: number): Finding => {
  const last = steps[next - 1]
  const where = last === undefined ? 'matches no action' : `matches no action after action ${last.n}`
  const earlier = steps.slice(0, next).filter((step) => pattern.matches(step.record))
  const sooner = earlier.length > 0 ? `; it matches ${numbersOf(earlier)}, which came too early or is taken` : ''
  return {
    what: `pattern ${i + 1} (${pattern.text}) ${where}${sooner}${otherStatus(pattern, steps.slice(next))}`,
    at: last?.n,
  }
}
