import { foldCase } from '../../lib/match-value.ts'
import type { Check } from '../../schema/check.ts'
import { quote, showText } from '../excerpt.ts'
import type { Verdict } from './verdict.ts'

/** The text has this string in it. */
export const contains = (check: Check, { text }: { readonly text: string }): Verdict => {
  const part = check.contains ?? ''
  const at = find(text, part, check.ignore_case)
  return at >= 0 ? { holds: true, at } : { holds: false, message: missing([part], text, check.ignore_case) }
}

/** The text has all of these strings in it. */
export const containsAll = (check: Check, { text }: { readonly text: string }): Verdict => {
  const lacking = (check.contains_all ?? []).filter((part) => find(text, part, check.ignore_case) < 0)
  return lacking.length === 0 ? { holds: true } : { holds: false, message: missing(lacking, text, check.ignore_case) }
}

/** The text has at least one of these strings in it. */
export const containsAny = (check: Check, { text }: { readonly text: string }): Verdict => {
  const parts = check.contains_any ?? []
  const found = parts.find((part) => find(text, part, check.ignore_case) >= 0)
  if (found !== undefined) return { holds: true, at: find(text, found, check.ignore_case) }
  return { holds: false, message: `it has none of them; ${missing(parts, text, check.ignore_case)}` }
}

const find = (text: string, part: string, ignoreCase: boolean | undefined): number =>
  foldCase(text, ignoreCase).indexOf(foldCase(part, ignoreCase))

const missing = (parts: readonly string[], text: string, ignoreCase: boolean | undefined): string => {
  const near = ignoreCase === true ? undefined : parts.find((part) => find(text, part, true) >= 0)
  const words = `missing ${parts.map((part) => quote(part, 0, 80)).join(', ')}`
  if (near === undefined) return `${words}; ${showText(text)}`
  const at = find(text, near, true)
  return `${words}; it is there in another case: ${quote(text, at)} (ignore_case: true accepts that)`
}
