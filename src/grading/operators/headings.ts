import { foldCase } from '../../lib/match-value.ts'
import type { Check } from '../../schema/check.ts'
import { markdownEngine } from '../engines.ts'
import { quote } from '../excerpt.ts'
import type { Verdict } from './verdict.ts'

/** The text has these Markdown headings in this order, of any level; others may stand between them. */
export const headings = async (check: Check, { text }: { readonly text: string }): Promise<Verdict> => {
  const found = (await markdownEngine()).headings(text).map((heading) => heading.text)
  const wanted = check.headings ?? []
  let next = 0
  for (const [i, heading] of wanted.entries()) {
    const at = found.findIndex((other, place) => place >= next && isSame(check, heading, other))
    if (at < 0) return { holds: false, message: parting(wanted, i, found), actual: found }
    next = at + 1
  }
  return { holds: true }
}

const isSame = (check: Check, a: string, b: string): boolean =>
  foldCase(a.trim(), check.ignore_case) === foldCase(b, check.ignore_case)

const parting = (wanted: readonly string[], i: number, found: readonly string[]): string => {
  const after = i === 0 ? '' : ` after ${quote(wanted[i - 1] ?? '', 0, 80)}`
  const all = found.slice(0, 30).map((heading) => quote(heading, 0, 80))
  const there =
    found.length === 0 ? 'there are no headings' : `the headings are ${all.join(', ')}${found.length > 30 ? ', …' : ''}`
  return `there is no heading ${quote(wanted[i] ?? '', 0, 80)}${after}; ${there}`
}
