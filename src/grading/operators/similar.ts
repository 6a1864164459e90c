import { similarity } from '../../lib/similarity.ts'
import type { Check } from '../../schema/check.ts'
import { quote } from '../excerpt.ts'
import type { Verdict } from './verdict.ts'

/** The text is at least this similar to another one; the similarity is the check's score. */
export const similar = (check: Check, { text }: { readonly text: string }): Verdict => {
  if (check.similar === undefined) return { holds: false }
  const { to, at_least: atLeast, by } = check.similar
  const score = similarity(to, text, by)
  if (score >= atLeast) return { holds: true, score }
  const message = `the ${by} similarity is ${score.toFixed(2)}, at least ${atLeast} is expected; the text is ${quote(text)}`
  return { holds: false, score, message }
}
