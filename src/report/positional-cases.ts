import type { CaseResult } from '../core/results.ts'
import { foreignLine } from './foreign-text.ts'
import { formatNumber } from './format-number.ts'

const MAX_PARTS = 6

/** Counts the cases whose recorded answers were given to other requests, by turn order, and which parts differ. */
export const positionalCases = () => {
  let count = 0
  const parts = new Set<string>()
  return {
    add: ({ trials }: CaseResult): void => {
      const positional = trials.filter(({ cassette }) => cassette?.mode === 'positional')
      if (positional.length === 0) return
      count += 1
      for (const { cassette } of positional) for (const part of cassette?.stale_parts ?? []) parts.add(part)
    },
    /** A line without its end; '' where there were none. */
    line: (): string => {
      if (count === 0) return ''
      const shown = [...parts]
        .sort()
        .slice(0, MAX_PARTS)
        .map((part) => foreignLine(part, 100))
      const more = parts.size > MAX_PARTS ? ` and ${formatNumber(parts.size - MAX_PARTS)} more` : ''
      const what =
        count === 1
          ? '1 case was replayed by turn order, its request has changed'
          : `${formatNumber(count)} cases were replayed by turn order, their requests have changed`
      return `${what}: ${shown.join(', ')}${more}`
    },
  }
}
