import type { Check } from '../../schema/check.ts'
import { showText } from '../excerpt.ts'
import type { Subject } from '../subject.ts'
import type { Verdict } from './verdict.ts'

/** The text is JSON, alone or as a fenced block in prose; with `is_json: false` it is not. */
export const isJson = (check: Check, subject: Subject): Verdict => {
  const read = subject.embedded()
  if (read.ok === (check.is_json ?? true)) return { holds: true }
  return { holds: false, message: read.ok ? `it is JSON; ${showText(subject.text)}` : notJson(read.problem, subject) }
}

/** Why a text can't be looked at as JSON. */
export const notJson = (problem: string, { text }: Subject): string => `it is no JSON: ${problem}; ${showText(text)}`
