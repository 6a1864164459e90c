import { compileRegex } from '../../lib/regex.ts'
import type { Check } from '../../schema/check.ts'
import { showText } from '../excerpt.ts'
import { GraderError } from '../grader-error.ts'
import type { Verdict } from './verdict.ts'

/** The text matches this regular expression somewhere. One that is broken or takes too long can't judge. */
export const regex = async (check: Check, { text }: { readonly text: string }): Promise<Verdict> => {
  const compiled = await compileRegex(check.regex ?? '')
  if (!compiled.ok) throw new GraderError(`the regular expression can't be used: ${compiled.message}`)
  return compiled.regex.test(text) ? { holds: true } : { holds: false, message: `no match; ${showText(text)}` }
}
