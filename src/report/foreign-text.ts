import { visibleLine } from '../lib/visible.ts'
import { plural } from './format-number.ts'

/**
 * Text of others (a model, a skill, a suite) on one line, safe to print to a terminal or a CI log: nothing in it is
 * obeyed, and what can't be seen is written out. About `maxLength` characters at most, then `…`.
 */
export const foreignLine = (text: string, maxLength = 200): string =>
  text.length <= maxLength && PLAIN.test(text) ? text : withoutCommands(visibleLine(text, maxLength))

// Most names are: nothing in them is to be made visible or to be broken.
const PLAIN = /^[\w .,/()-]*$/

/** The same for text that may have several lines; a last line tells how much was left out. */
export const foreignLines = (
  text: string,
  limits: { readonly maxLines: number; readonly maxLength: number },
): readonly string[] => {
  const whole = text.endsWith('\n') ? text.slice(0, -1) : text
  const lines = whole.split('\n', limits.maxLines)
  const left = whole.length - lines.reduce((length, line) => length + line.length + 1, 0)
  const shown = lines.map((line) => foreignLine(line, limits.maxLength))
  return left < 1 ? shown : [...shown, `… ${plural(left, 'more character')}`]
}

/** Breaks what a CI log would obey: `::name::` at the start of a line, `##[name]` and its kin anywhere in one. */
export const withoutCommands = (line: string): string =>
  line.replace(COMMAND, (start) => (start === '##' ? '# #' : `${start} `))

const COMMAND = /^[^\S\n]*:(?=:)|##(?=\w*\[)/g
