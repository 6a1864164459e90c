import type { CheckResult } from '../core/results.ts'
import { foreignLine, foreignLines } from './foreign-text.ts'
import { plural } from './format-number.ts'
import { shownJson } from './json-text.ts'
import { lineDiff } from './line-diff.ts'
import type { ToneLine } from './tone.ts'
import { valueLine, valueLines } from './value-text.ts'

export type CheckDetail = { readonly maxLines: number; readonly maxLength: number }

/**
 * A check that does not hold: its name and message, then what was expected and what there was instead: as a diff
 * where the one should have been the other and is long. A message of several lines has said all that itself.
 */
export const explainCheck = (check: CheckResult, detail: CheckDetail): readonly ToneLine[] => {
  const [first = '', ...rest] = foreignLines(check.message ?? 'does not hold', detail)
  const head: ToneLine = { text: `✗ ${foreignLine(check.name)}: ${first}`, tone: 'bad' }
  if (rest.length > 0) return [head, ...rest.map((text): ToneLine => ({ text: `    ${text}`, tone: toneOfDiff(text) }))]
  return [head, ...(isDiffable(check) ? diffOf(check, detail) : valuesOf(check, detail))]
}

const toneOfDiff = (text: string): ToneLine['tone'] => {
  if (/^\s*\+/.test(text)) return 'good'
  return /^\s*-/.test(text) ? 'bad' : 'plain'
}

// Of other operators, `expected` is a part, a pattern or a schema: nothing that the text should turn into.
const isDiffable = ({ kind, expected, actual }: CheckResult): boolean =>
  (kind === 'equals' || kind === 'json_equals' || kind === 'headings') && isLong(expected) && isLong(actual)

const isLong = (value: unknown): boolean => {
  if (typeof value === 'string') return value.includes('\n')
  return typeof value === 'object' && value !== null && shownJson(value).length > 60
}

const diffOf = ({ expected, actual }: CheckResult, detail: CheckDetail): readonly ToneLine[] => {
  // More is compared than is shown, so that the part shown is the part that differs.
  const compared = { maxLines: detail.maxLines * 20, maxLength: detail.maxLength }
  const diff = lineDiff(valueLines(expected, compared), valueLines(actual, compared))
  if (diff.length <= 1 && diff.every((line) => line.tone === 'faint')) return valuesOf({ expected, actual }, detail)
  const left = diff.length - detail.maxLines
  return [
    { text: '    - expected  + actual', tone: 'faint' },
    ...diff.slice(0, detail.maxLines).map(({ text, tone }) => ({ text: `    ${text}`, tone })),
    ...(left > 0 ? [{ text: `    … ${plural(left, 'more line')}`, tone: 'faint' } as const] : []),
  ]
}

const valuesOf = (
  { expected, actual }: Pick<CheckResult, 'expected' | 'actual'>,
  { maxLength }: CheckDetail,
): readonly ToneLine[] => [
  ...(expected === undefined
    ? []
    : [{ text: `    expected: ${valueLine(expected, maxLength)}`, tone: 'good' } as const]),
  ...(actual === undefined ? [] : [{ text: `    actual:   ${valueLine(actual, maxLength)}`, tone: 'bad' } as const]),
]
