import { foldCase, textOf } from '../../lib/match-value.ts'
import { textDiff } from '../../lib/text-diff.ts'
import type { Check } from '../../schema/check.ts'
import { quote } from '../excerpt.ts'
import type { Verdict } from './verdict.ts'

/** The text is this string; a value that is no string is compared as it would be written, 4 with "4". */
export const equals = async (check: Check, { text }: { readonly text: string }): Promise<Verdict> => {
  const wanted = typeof check.equals === 'string' ? check.equals : textOf(check.equals)
  if (isSameText(check, wanted, text)) return { holds: true }
  return { holds: false, message: await difference(wanted, text) }
}

/** Whether two strings are the same under `trim` and `ignore_case`. */
export const isSameText = (check: Pick<Check, 'trim' | 'ignore_case'>, a: string, b: string): boolean => {
  const seen = (text: string): string => foldCase(check.trim === true ? text.trim() : text, check.ignore_case)
  return seen(a) === seen(b)
}

const difference = async (wanted: string, text: string): Promise<string> => {
  const at = firstDifference(wanted, text)
  const words = `expected ${quote(wanted, at)}, was ${quote(text, at)}`
  const isOneLine = !wanted.includes('\n') && !text.includes('\n') && wanted.length + text.length <= 120
  return isOneLine ? words : `${words}\n${await textDiff(wanted, text)}`
}

const firstDifference = (a: string, b: string): number => {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) if (a[i] !== b[i]) return i
  return length
}
