import { visibleLine } from '../../lib/visible.ts'
import { agentPhrases } from './agent-phrases.ts'
import { isForbidden } from './plain-prohibition.ts'
import { plainProse } from './plain-prose.ts'
import type { ScanLog, ScannedText } from './scan-log.ts'
import type { ScanRuleId, ScanSeverity } from './scan-rules.ts'

/** For whom a text is: an agent reads instructions; data may be read to it. */
export type ProseKind = 'instructions' | 'data' | 'comment'

/**
 * Text that tries to command the agent. In a comment, where people do not see it, it is worse; quoted, or in data, it is
 * more likely an example.
 */
export const scanProse = (source: ScannedText, kind: ProseKind, log: ScanLog): ReadonlySet<ScanRuleId> => {
  const met = new Set<ScanRuleId>()
  const { text, offsets } = plainProse(source.text)
  for (const { rule, severity, what, pattern } of agentPhrases) {
    for (const match of text.matchAll(pattern)) {
      const before = text.slice(Math.max(0, match.index - 200), match.index)
      const end = match.index + match[0].length
      // "Never ignore previous instructions" asks for the contrary.
      if (isForbidden(before, text.slice(end, end + 300), 'phrase')) continue
      const offset = offsets[match.index] ?? 0
      const how = isExample(source.text, offset, match[0].length) ? 'example' : kind
      met.add(rule)
      log.report(rule, source.file, how === 'example' ? `${what}, as if in an example` : what, {
        severity: severityOf(severity, how),
        at: { source, offset },
        excerpt: visibleLine(sentenceAt(text, match.index), 160),
      })
    }
  }
  return met
}

/** From where the sentence starts, or a little before the place. */
const sentenceAt = (text: string, at: number): string => {
  const before = text.slice(Math.max(0, at - 40), at)
  return (
    before.slice(before.search(/(?:^|[.!?。！？]\s?)[^.!?。！？]*$/u)).replace(/^[.!?。！？\s]+/u, '') +
    text.slice(at, at + 130).trimEnd()
  )
}

const severityOf = (severity: ScanSeverity, how: ProseKind | 'example'): ScanSeverity => {
  if (how === 'comment') return 'high'
  if (how === 'instructions') return severity
  return severity === 'high' ? 'medium' : 'low'
}

/** Between quote marks, in a code span or in a table: shown rather than said. */
const isExample = (written: string, offset: number, length: number): boolean => {
  const lineStart = written.lastIndexOf('\n', offset - 1) + 1
  const lineEnd = written.indexOf('\n', offset)
  const start = Math.max(lineStart, offset - 300)
  const before = written.slice(start, offset)
  const after = written.slice(offset, Math.min(lineEnd === -1 ? written.length : lineEnd, offset + length + 300))
  return (
    quotes.some(([open, close]) => before.split(open).length % 2 === 0 && after.includes(close)) ||
    isPair(before, after)
  )
}

const quotes = [
  ['"', '"'],
  ['`', '`'],
] as const

const isPair = (before: string, after: string): boolean =>
  [
    ['“', '”'],
    ['„', '“'],
    ['«', '»'],
    ['「', '」'],
  ].some(([open = '', close = '']) => before.lastIndexOf(open) > before.lastIndexOf(close) && after.includes(close))
