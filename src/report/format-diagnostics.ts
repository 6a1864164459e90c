import type { Diagnostic, Severity } from '../core/diagnostic.ts'
import { codeFrame } from '../lib/code-frame.ts'
import { foreignLine, foreignLines, withoutCommands } from './foreign-text.ts'
import { formatNumber, plural } from './format-number.ts'
import { type Paint, painter, type Tone } from './tone.ts'

export type DiagnosticsOptions = {
  /** The text of a file as its diagnostics name it; undefined where there is none to show. */
  readonly source: (file: string) => string | undefined
  readonly color: boolean
  /** How many are shown; 50 unless told. */
  readonly limit?: number
}

const TEXT = { maxLines: 20, maxLength: 500 }
const MAX_PATH = 1000

/**
 * Diagnostics for people, by file and line, each with `file:line:column`, the lines around it and what to do next;
 * last how many there are. Where they are too many, errors are shown rather than warnings. Empty where there are none.
 */
export const formatDiagnostics = (diagnostics: readonly Diagnostic[], options: DiagnosticsOptions): string => {
  const { color, limit = 50 } = options
  if (diagnostics.length === 0) return ''
  const paint = painter(color)
  const shown = diagnostics.toSorted(bySeverity).slice(0, limit).sort(byPlace)
  const sourceOf = lastRead(options.source)
  const blocks = shown.map((diagnostic) => `${block(diagnostic, sourceOf, paint).join('\n')}\n`)
  const left = diagnostics.length - shown.length
  const more = left > 0 ? [`… and ${formatNumber(left)} more\n`] : []
  return [...blocks, ...more, `${countLine(diagnostics)}\n`].join('\n')
}

const ranks: Readonly<Record<Severity, number>> = { error: 0, warning: 1, info: 2 }
const tones: Readonly<Record<Severity, Tone>> = { error: 'bad', warning: 'warn', info: 'faint' }

const bySeverity = (a: Diagnostic, b: Diagnostic): number => ranks[a.severity] - ranks[b.severity]

const byPlace = (a: Diagnostic, b: Diagnostic): number => {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1
  return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0) || bySeverity(a, b)
}

// Sorted by file, so one file's text is read once and only one is held.
const lastRead = (read: (file: string) => string | undefined): ((file: string) => string | undefined) => {
  let last: { readonly file: string; readonly text: string | undefined } | undefined
  return (file) => {
    if (last?.file !== file) last = { file, text: read(file) }
    return last.text
  }
}

const block = (
  { severity, code, message, file, line, column, hint }: Diagnostic,
  sourceOf: (file: string) => string | undefined,
  paint: Paint,
): readonly string[] => {
  const [first = '', ...rest] = foreignLines(message, TEXT)
  const place = [foreignLine(file, MAX_PATH), ...(line === undefined ? [] : [line, column ?? 1])].join(':')
  return [
    `${paint(`${severity}[${foreignLine(code)}]`, tones[severity])} ${paint(first, 'strong')}`,
    ...rest.map((text) => `  ${text}`),
    `  ${paint('-->', 'faint')} ${place}`,
    ...frame(line === undefined ? undefined : sourceOf(file), line, column),
    ...foreignLines(hint ?? '', TEXT).flatMap((text, i) =>
      text === '' ? [] : [`  ${i === 0 ? 'help: ' : ''}${text}`],
    ),
  ]
}

const frame = (source: string | undefined, line = 1, column = 1): readonly string[] =>
  source === undefined
    ? []
    : codeFrame(source, line, column)
        .split('\n')
        .map((text) => `  ${withoutCommands(text)}`)

const countLine = (diagnostics: readonly Diagnostic[]): string => {
  const count = (severity: Severity) => diagnostics.filter((one) => one.severity === severity).length
  const [errors, warnings, notes] = [count('error'), count('warning'), count('info')]
  return [
    ...(errors > 0 ? [plural(errors, 'error')] : []),
    ...(warnings > 0 ? [plural(warnings, 'warning')] : []),
    ...(notes > 0 ? [plural(notes, 'note')] : []),
  ].join(', ')
}
