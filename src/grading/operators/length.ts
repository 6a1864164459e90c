import { textLength } from '../../lib/match-value.ts'
import type { Check } from '../../schema/check.ts'
import { describeLength } from '../check-name.ts'
import type { Verdict } from './verdict.ts'

/** The text has so many code points, words (between Unicode white space) or lines. */
export const length = (check: Check, { text }: { readonly text: string }): Verdict => {
  const range = check.length ?? { unit: 'chars' }
  const count = textLength(text, range.unit)
  if (count >= (range.min ?? 0) && count <= (range.max ?? count)) return { holds: true }
  return { holds: false, message: `it has ${count} ${range.unit}, not ${describeLength(range)}`, actual: count }
}
