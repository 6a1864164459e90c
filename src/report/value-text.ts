import { foreignLine, foreignLines } from './foreign-text.ts'
import { shownJson } from './json-text.ts'

/** A value on one line: JSON, so that a text with a space or a quote in it can be told from one without. */
export const valueLine = (value: unknown, maxLength = 200): string => {
  // Cut before it is turned to JSON, which would look at all of a long answer.
  const short = typeof value === 'string' ? value.slice(0, maxLength + 1) : value
  return foreignLine(shownJson(short), maxLength)
}

/** A value on as many lines as it takes: a text as it is, anything else as indented JSON. */
export const valueLines = (
  value: unknown,
  limits: { readonly maxLines: number; readonly maxLength: number },
): readonly string[] => foreignLines(typeof value === 'string' ? value : shownJson(value, 2), limits)
