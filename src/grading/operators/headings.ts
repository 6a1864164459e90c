import { type Heading, loadMarkdown, type Markdown } from '../../lib/markdown.ts'
import { foldCase } from '../../lib/match-value.ts'
import type { Check } from '../../schema/check.ts'
import { quote } from '../excerpt.ts'
import type { Verdict } from './verdict.ts'

/**
 * The text has these Markdown headings in this order; others may stand between them. One that is written with its
 * marks (`## Summary`) must have that level.
 */
export const headings = async (check: Check, { text }: { readonly text: string }): Promise<Verdict> => {
  const found = (await markdown()).headings(text)
  const wanted = check.headings ?? []
  let next = 0
  for (const [i, heading] of wanted.entries()) {
    const at = found.findIndex((other, place) => place >= next && isSame(check, heading, other))
    if (at < 0) return { holds: false, message: parting(wanted, i, found), actual: found.map(written) }
    next = at + 1
  }
  return { holds: true }
}

const kept: { parser?: Promise<Markdown> } = {}

/** The parser is loaded by the first check that needs it. */
const markdown = (): Promise<Markdown> => {
  kept.parser ??= loadMarkdown()
  return kept.parser
}

const isSame = (check: Check, wanted: string, { level, text }: Heading): boolean => {
  const [, marks, name = wanted] = /^(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?$/.exec(wanted.trim()) ?? []
  if (marks !== undefined && marks.length !== level) return false
  return foldCase(name.trim(), check.ignore_case) === foldCase(text, check.ignore_case)
}

const written = ({ level, text }: Heading): string => `${'#'.repeat(level)} ${text}`

const maxListed = 30

const parting = (wanted: readonly string[], i: number, found: readonly Heading[]): string => {
  const after = i === 0 ? '' : ` after ${quote(wanted[i - 1] ?? '', 0, 80)}`
  const all = found.slice(0, maxListed).map((heading) => quote(written(heading), 0, 80))
  const more = found.length > maxListed ? ', …' : ''
  const there = found.length === 0 ? 'there are no headings' : `the headings are ${all.join(', ')}${more}`
  return `there is no heading ${quote(wanted[i] ?? '', 0, 80)}${after}; ${there}`
}
