import type { Diagnostic, Severity } from '../core/diagnostic.ts'
import { visibleLine } from '../lib/visible.ts'
import type { Finding } from './finding.ts'

export type Place = { readonly line?: number; readonly column?: number }

/** What was found in one file: each thing once, the first 100 errors and as many warnings, the rest counted. */
export type DiagnosticList = {
  add(finding: Finding, place: Place): void
  /** Counts errors that nobody looked at closely, because the list is full. */
  skip(count: number): void
  /** Whether further errors would only be counted. */
  isFull(): boolean
  hasErrors(): boolean
  /** In the order of the file. */
  toDiagnostics(): Diagnostic[]
}

const LIMIT = 100

/** Names that a suite gives may be as long as the suite. */
const MAX_MESSAGE = 500

/** A list for one file, empty. `file` is what diagnostics call it. */
export const diagnosticList = (file: string): DiagnosticList => {
  const found: Record<'error' | 'warning', Diagnostic[]> = { error: [], warning: [] }
  const omitted = { error: 0, warning: 0 }
  const seen = new Set<string>()

  return {
    add: ({ code, message, hint, severity = 'error', rest: further }, { line, column }) => {
      const kind = severity === 'error' ? 'error' : 'warning'
      if (further !== undefined) {
        omitted[kind] += further
        return
      }
      const key = `${kind} ${line}:${column} ${code} ${message}`
      if (seen.has(key)) return
      if (found[kind].length === LIMIT) {
        omitted[kind] += 1
        return
      }
      seen.add(key)
      found[kind].push({
        severity,
        code: `suite/${code}`,
        message: visibleLine(message, MAX_MESSAGE),
        file,
        ...(line !== undefined && { line }),
        ...(column !== undefined && { column }),
        ...(hint !== undefined && { hint: visibleLine(hint, MAX_MESSAGE) }),
      })
    },
    skip: (count) => {
      omitted.error += count
    },
    isFull: () => found.error.length === LIMIT,
    hasErrors: () => found.error.length > 0,
    toDiagnostics: () => [
      ...[...found.error, ...found.warning].sort(byPlace),
      ...rest(file, 'error', omitted.error),
      ...rest(file, 'warning', omitted.warning),
    ],
  }
}

const byPlace = (a: Diagnostic, b: Diagnostic): number =>
  (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0)

const rest = (file: string, severity: Severity, count: number): Diagnostic[] => {
  if (count === 0) return []
  const what = severity === 'error' ? 'mistake' : 'warning'
  return [{ severity, code: 'suite/more', message: `and ${count} more ${what}${count === 1 ? '' : 's'}`, file }]
}
