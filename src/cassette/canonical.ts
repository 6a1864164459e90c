import { replaceMatches } from '../lib/regex.ts'
import { mapStrings, type Placeholders } from './placeholders.ts'
import type { Canonical } from './read-request.ts'
import type { Redactor } from './redactor.ts'

/** What the author says changes from run to run in what tools print: times, ids. */
export type NormalizeRule = { readonly match: string; readonly replace: string }

/** Paths become placeholders, then secrets go, then what the author's rules cover. */
export const canonicalForm = (
  placeholders: Placeholders,
  redactor: Pick<Redactor, 'redact' | 'redactValue'>,
  rules: readonly NormalizeRule[],
): Canonical => {
  const text = (raw: string) => redactor.redact(placeholders.hide(raw.toWellFormed()))
  return {
    text,
    value: (raw) => redactor.redactValue(mapStrings(raw, (one) => placeholders.hide(one.toWellFormed()))),
    observation: (raw) => rules.reduce((rest, { match, replace }) => replaceMatches(rest, match, replace), text(raw)),
  }
}
