import { type CompiledPattern, type Finding, numbersOf, otherStatus, type Step, showStep } from './step.ts'

/** Whether before every action that matches `then` there is one that matches `first`. */
export const before = (first: CompiledPattern, then: CompiledPattern, steps: readonly Step[]): Finding | undefined => {
  for (const step of steps) {
    // The earliest match of `then` is the one with the least before it.
    if (then.matches(step.record)) {
      const near = otherStatus(first, steps)
      return { what: `nothing that matches ${first.text} came before ${showStep(step)}${near}`, at: step.n }
    }
    if (first.matches(step.record)) return undefined
  }
  return undefined
}

export type CountRange = {
  readonly min?: number | undefined
  readonly max?: number | undefined
  readonly equals?: number | undefined
}

/** Whether the number of actions that match is in the range. */
export const count = (pattern: CompiledPattern, range: CountRange, steps: readonly Step[]): Finding | undefined => {
  const matching = steps.filter(({ record }) => pattern.matches(record))
  const { length } = matching
  const isLess = length < Math.max(range.min ?? 0, range.equals ?? 0)
  const isMore = length > Math.min(range.max ?? length, range.equals ?? length)
  if (!isLess && !isMore) return undefined
  const which = length === 0 ? '' : ` (${numbersOf(matching)})`
  const near = isLess ? otherStatus(pattern, steps) : ''
  return {
    what: `${length} ${length === 1 ? 'action matches' : 'actions match'} ${pattern.text}${which}, expected ${describeRange(range)}${near}`,
    at: isMore ? matching.at(-1)?.n : undefined,
  }
}

/** `exactly 2`, `at least 1 and at most 3`. */
export const describeRange = ({ min, max, equals }: CountRange): string =>
  [
    ...(equals === undefined ? [] : [`exactly ${equals}`]),
    ...(min === undefined ? [] : [`at least ${min}`]),
    ...(max === undefined ? [] : [`at most ${max}`]),
  ].join(' and ')
