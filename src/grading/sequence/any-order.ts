import { assign } from '../assignment.ts'
import { type CompiledPattern, type Finding, numbersOf, otherStatus, type Step } from './step.ts'

/** Whether there is a one-to-one assignment of the patterns to distinct actions. */
export const anyOrder = (patterns: readonly CompiledPattern[], steps: readonly Step[]): Finding | undefined => {
  const fits = patterns.map((pattern) => steps.map((step) => pattern.matches(step.record)))
  const assigned = assign(patterns.length, steps.length, (p, s) => fits[p]?.[s] === true)
  const left = patterns.flatMap((pattern, i) => (assigned[i] === -1 ? [{ pattern, i }] : []))
  if (left.length === 0) return undefined
  const what = left.map(({ pattern, i }) => {
    const candidates = steps.filter((_, s) => fits[i]?.[s])
    const why =
      candidates.length === 0
        ? `matches no action${otherStatus(pattern, steps)}`
        : `has no action left for it: other patterns need ${numbersOf(candidates)}`
    return `pattern ${i + 1} (${pattern.text}) ${why}`
  })
  return { what: what.join('\n') }
}
