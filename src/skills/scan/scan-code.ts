import type { CodeLanguage } from './code-language.ts'
import { type CodePattern, type CodePlace, codePatterns } from './code-patterns.ts'
import { codeVariants } from './code-variants.ts'
import { isKnownInstaller } from './known-installers.ts'
import { type LogicalLine, logicalLines } from './logical-lines.ts'
import { isPrinted } from './printed-line.ts'
import { withLineFeeds } from './read-text.ts'
import type { ScanLog, ScannedText } from './scan-log.ts'
import { type ScanRuleId, type ScanSeverity, scanSeverities } from './scan-rules.ts'
import { scanShell } from './scan-shell.ts'

/** What a piece of code reaches for; gives the rules that it met. */
export const scanCode = (
  written: ScannedText,
  language: CodeLanguage,
  place: CodePlace,
  log: ScanLog,
): ReadonlySet<ScanRuleId> => {
  const source = { ...written, text: withLineFeeds(written.text) }
  const startOf = lineStarts(source.text)
  // Pattern and parser may both see it, and several patterns: of a line and a rule the worst is told.
  const worst = new Map<string, Seen>()
  const report = (rule: ScanRuleId, message: string, severity: ScanSeverity, offset: number, where = place): void => {
    const isKnown =
      rule === 'download-run' &&
      severity === 'high' &&
      isKnownInstaller(commandAt(source.text, startOf(offset)), where === 'instructions')
    const key = `${rule} ${startOf(offset)}`
    const seen: Seen = { rule, message, severity: isKnown ? 'medium' : severity, offset }
    const before = worst.get(key)
    if (before === undefined || rank(seen) > rank(before)) worst.set(key, seen)
  }
  if (language === 'shell' || language === 'unknown')
    scanShell(
      source,
      language,
      (rule, message, severity, offset) => report(rule, message, severity[place], offset),
      log,
    )
  const patterns = patternsIn(source.text)
  if (patterns.length > 0)
    for (const line of logicalLines(source.text, language)) {
      if (line.text.trim() === '') continue
      // What a script prints is read by the agent that ran it, as instructions are.
      const where = isPrinted(line.text) ? 'instructions' : place
      for (const { rule, what, severity, index } of matchesOf(patterns, line))
        report(rule, what, severity[where], line.offset + index, where)
    }
  const all = [...worst.values()]
  if (place === 'script' && language !== 'shell') all.push(...combined(source.text, all))
  for (const { rule, message, severity, offset } of all)
    log.report(rule, source.file, message, { severity, at: { source, offset } })
  return new Set(all.map(({ rule }) => rule))
}

type Seen = {
  readonly rule: ScanRuleId
  readonly message: string
  readonly severity: ScanSeverity
  readonly offset: number
}

const rank = ({ severity }: Pick<Seen, 'severity'>): number => scanSeverities.indexOf(severity)

/** The patterns that can match at all: nearly none can, and looking at all of a text at once is quick. */
const patternsIn = (text: string): readonly CodePattern[] => {
  const texts = codeVariants(text.replace(/\\?\r?\n/g, ' '))
  return codePatterns.filter(({ first }) => startsLine(first) || texts.some((each) => first.test(each)))
}

const startsLine = ({ source }: RegExp): boolean => /(?:^|\|)\^/.test(source)

function* matchesOf(
  patterns: readonly CodePattern[],
  { text }: LogicalLine,
): Generator<Pick<CodePattern, 'rule' | 'what' | 'severity'> & { readonly index: number }> {
  const variants = codeVariants(text)
  for (const { rule, what, severity, first, then, unless } of patterns)
    for (const variant of variants) {
      const found = first.exec(variant)
      if (found === null || unless?.test(variant)) continue
      if (then !== undefined && !then.test(variant.slice(found.index + found[0].length))) continue
      yield { rule, what, severity, index: Math.min(found.index, text.length - 1) }
      break
    }
}

/** What several lines do together, where each by itself is less. */
const combined = (text: string, all: readonly Seen[]): readonly Seen[] => {
  const has = (rule: ScanRuleId): Seen | undefined => all.find((seen) => seen.rule === rule && rank(seen) > 0)
  const runs = all.find(({ rule, severity }) => rule === 'dynamic-code' && severity === 'medium')
  if (runs === undefined) return []
  const seen = (rule: ScanRuleId, message: string): Seen => ({ rule, message, severity: 'medium', offset: runs.offset })
  return [
    ...(decoders.test(text) && !has('encoded-payload')
      ? [seen('encoded-payload', 'it decodes text, and runs text as code')]
      : []),
    ...(has('network-access') && !has('download-run')
      ? [seen('download-run', 'it uses the network, and runs text as code')]
      : []),
  ]
}

const decoders =
  /b64decode|\batob\(|fromhex|unhexlify|,\s{0,3}['"](?:base64|hex)['"]|decompress\(|codecs\.decode|FromBase64String|MIME::Base64/i

/** Gives the start of an offset's line, from a list: looking back for it each time takes long in a long line. */
const lineStarts = (text: string): ((offset: number) => number) => {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return (offset) => {
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    return starts[low] ?? 0
  }
}

/** A line with those that `\` joins to it. */
const commandAt = (text: string, start: number): string =>
  /^(?:[^\n]{0,1000}\\\r?\n){0,8}[^\n]{0,1000}/.exec(text.slice(start, start + 4000))?.[0] ?? ''
