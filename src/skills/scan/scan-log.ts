import { visibleLine } from '../../lib/visible.ts'
import { placeAt } from '../place-at.ts'
import { type ScanRuleId, type ScanSeverity, scanRule } from './scan-rules.ts'

export type ScanFinding = {
  readonly rule: ScanRuleId
  readonly severity: ScanSeverity
  /** What was found, on one line; parts of it are the skill's, made visible. */
  readonly message: string
  /** Relative to the skill. */
  readonly file: string
  readonly line?: number
  readonly column?: number
  /** The text around it, with what can't be seen written out. */
  readonly excerpt?: string
  /** How many places of the file are meant; the first one is told. */
  readonly count: number
  readonly advice: string
}

/** A text that is scanned: all of a file, or a part of it that starts on `line`. */
export type ScannedText = { readonly file: string; readonly text: string; readonly line: number }

export type ScanDetails = {
  readonly severity?: ScanSeverity | undefined
  /** Where in the text it was found. */
  readonly at?: { readonly source: ScannedText; readonly offset: number } | undefined
  /** Shown instead of the text around the place. */
  readonly excerpt?: string | undefined
}

/** Collects what a scan finds: what is said of one file again is counted, not repeated. */
export type ScanLog = {
  report(rule: ScanRuleId, file: string, message: string, details?: ScanDetails): void
  findings(): readonly ScanFinding[]
}

const MAX_FINDINGS = 500

export const scanLog = (): ScanLog => {
  const found = new Map<string, ScanFinding>()
  let isFull = false
  return {
    report: (rule, file, message, details = {}) => {
      const severity = details.severity ?? scanRule(rule).severity
      const key = [rule, severity, file, message].join('\0')
      const before = found.get(key)
      if (before !== undefined) found.set(key, { ...before, count: before.count + 1 })
      else if (found.size < MAX_FINDINGS || severity === 'high')
        found.set(key, { ...newFinding(rule, severity, file, message, details), count: 1 })
      else isFull = true
    },
    findings: () => {
      const all = [...found.values()]
      return isFull ? [...all, tooMany()] : all
    },
  }
}

const newFinding = (
  rule: ScanRuleId,
  severity: ScanSeverity,
  file: string,
  message: string,
  { at, excerpt }: ScanDetails,
): Omit<ScanFinding, 'count'> => ({
  rule,
  severity,
  message,
  file,
  ...(at && placeAt(at.source.text, at.offset, at.source.line)),
  ...(at && { excerpt: excerpt ?? lineAround(at.source.text, at.offset) }),
  advice: scanRule(rule).advice,
})

const tooMany = (): ScanFinding => ({
  rule: 'not-checked',
  severity: 'high',
  message: `more than ${MAX_FINDINGS} findings: lesser ones are not listed`,
  file: '.',
  count: 1,
  advice: scanRule('not-checked').advice,
})

const MAX_EXCERPT = 160

const lineAround = (text: string, offset: number): string => {
  const start = Math.max(text.lastIndexOf('\n', offset - 1) + 1, offset - 60)
  const end = text.indexOf('\n', offset)
  const line = text.slice(start, Math.min(end === -1 ? text.length : end, start + 4 * MAX_EXCERPT))
  return visibleLine(line.trim(), MAX_EXCERPT)
}
