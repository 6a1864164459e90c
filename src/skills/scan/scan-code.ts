import { type CodePattern, type CodePlace, codePatterns } from './code-patterns.ts'
import { logicalLines } from './logical-lines.ts'
import type { ScanLog, ScannedText } from './scan-log.ts'
import { type ScanRuleId, type ScanSeverity, scanSeverities } from './scan-rules.ts'
import { scanShell } from './scan-shell.ts'

export type CodeLanguage = 'shell' | 'python' | 'javascript' | 'other'

/** What a piece of code reaches for; gives the rules that it met. */
export const scanCode = (
  source: ScannedText,
  language: CodeLanguage,
  place: CodePlace,
  log: ScanLog,
): ReadonlySet<ScanRuleId> => {
  // Pattern and parser may both see it, and several patterns: of a line and a rule the worst is told.
  const worst = new Map<string, Seen>()
  const report = (rule: ScanRuleId, message: string, severity: CodePattern['severity'], offset: number): void => {
    const key = `${rule} ${source.text.lastIndexOf('\n', offset)}`
    const seen = { rule, message, severity: severity[place], offset }
    const before = worst.get(key)
    if (before === undefined || rank(seen) > rank(before)) worst.set(key, seen)
  }
  if (language === 'shell') scanShell(source, report, log)
  for (const { text, offset } of logicalLines(source.text)) {
    if (text.trim() === '' || isComment(text, language)) continue
    for (const { rule, what, severity, first, then, unless } of codePatterns) {
      const found = first.exec(text)
      if (found === null || unless?.test(text)) continue
      if (then !== undefined && !then.test(text.slice(found.index + found[0].length))) continue
      report(rule, what, severity, offset + found.index)
    }
  }
  for (const { rule, message, severity, offset } of worst.values())
    log.report(rule, source.file, message, { severity, at: { source, offset } })
  return new Set([...worst.values()].map(({ rule }) => rule))
}

type Seen = {
  readonly rule: ScanRuleId
  readonly message: string
  readonly severity: ScanSeverity
  readonly offset: number
}

const rank = ({ severity }: Seen): number => scanSeverities.indexOf(severity)

/** A whole line that nothing runs. */
const isComment = (text: string, language: CodeLanguage): boolean =>
  language === 'javascript' ? /^\s{0,80}\/\//.test(text) : /^\s{0,80}#/.test(text)
