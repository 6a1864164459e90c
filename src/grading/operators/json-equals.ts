import { jsonDiff } from '../../lib/json-diff.ts'
import type { Check } from '../../schema/check.ts'
import { comparable, firstDifference } from '../json-equality.ts'
import type { Subject } from '../subject.ts'
import { notJson } from './is-json.ts'
import type { Verdict } from './verdict.ts'

/** The text is JSON and deep-equals this value, but for what is ignored, near enough, or in another order. */
export const jsonEquals = async (check: Check, subject: Subject): Promise<Verdict> => {
  const read = subject.json()
  if (!read.ok) return { holds: false, message: notJson(read.problem, subject) }
  const difference = firstDifference(check.json_equals, read.value, check)
  if (difference === undefined) return { holds: true }
  // What may differ is out of sight, so that the diff shows nothing else.
  const diff = await jsonDiff(comparable(check.json_equals, check), comparable(read.value, check))
  const first = `${difference.pointer || '(the whole)'}: ${difference.what}`
  return { holds: false, message: diff === '' ? first : `${first}\n${diff}` }
}
