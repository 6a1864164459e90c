import { foldCase } from '../../lib/match-value.ts'
import type { Check } from '../../schema/check.ts'
import { quote } from '../excerpt.ts'
import type { Verdict } from './verdict.ts'

/** The text begins with this string; white space counts. */
export const startsWith = (check: Check, { text }: { readonly text: string }): Verdict => {
  const wanted = check.starts_with ?? ''
  if (foldCase(text, check.ignore_case).startsWith(foldCase(wanted, check.ignore_case))) return { holds: true }
  return { holds: false, message: `it starts with ${quote(text.slice(0, wanted.length + 40))}` }
}

/** The text ends with this string; white space counts. */
export const endsWith = (check: Check, { text }: { readonly text: string }): Verdict => {
  const wanted = check.ends_with ?? ''
  if (foldCase(text, check.ignore_case).endsWith(foldCase(wanted, check.ignore_case)))
    return { holds: true, at: text.length - wanted.length }
  const end = text.slice(-(wanted.length + 40))
  return { holds: false, message: `it ends with ${quote(end)}`, actual: end }
}
