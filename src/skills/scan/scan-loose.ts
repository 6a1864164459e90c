import { type LoosePattern, looseCode } from './code-patterns.ts'
import { codeVariants } from './code-variants.ts'
import { isKnownInstaller } from './known-installers.ts'
import type { ScanLog, ScannedText } from './scan-log.ts'
import type { ScanSeverity } from './scan-rules.ts'

/** Text that is no code, whoever reads it: instructions, which an agent follows, or data. */
export type LoosePlace = 'instructions' | 'data'

/**
 * Commands in text that is not marked as code: in sentences, code spans, indented blocks, tables, settings. Only what is
 * grave whoever types it; "never run …" weighs less. Gives the line ends before the lines in which a download is run.
 */
export const scanLoose = (source: ScannedText, place: LoosePlace, log: ScanLog): ReadonlySet<number> => {
  const told = new Set<number>()
  if (
    !looseCode.some(
      ({ first }) => first.test(source.text) || /\\[xu0-7]|[^\0-\x7f]|&#|["'`]\s{0,3}[+.&,]/.test(source.text),
    )
  )
    return told
  for (const { text, offset } of sentences(source.text)) {
    const seen = new Set<string>()
    const variants = codeVariants(shown(text))
    for (const pattern of looseCode) {
      const { rule, what, severity } = pattern
      if (seen.has(rule)) continue
      const match = variants.map((line) => ({ line, found: foundIn(line, pattern) })).find(({ found }) => found)
      if (match?.found === undefined) continue
      const { line, found } = match
      seen.add(rule)
      const before = line.slice(0, found.index)
      if (rule === 'download-run') told.add(source.text.lastIndexOf('\n', offset))
      const isWarned = isWarnedOf(before)
      log.report(rule, source.file, isWarned ? `${what}, in a warning` : what, {
        severity: isWarned ? 'low' : looseSeverity(severity, place, rule === 'download-run' && isKnownInstaller(line)),
        at: { source, offset: offset + Math.max(0, text.indexOf(found[0])) },
      })
    }
  }
  return told
}

const MAX_TRIES = 40

const foundIn = (line: string, { first, holds, then }: LoosePattern): RegExpExecArray | undefined => {
  const all = new RegExp(first.source, `${first.flags}g`)
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const found = all.exec(line)
    if (found === null) return undefined
    const rest = line.slice(found.index + found[0].length)
    if ((holds?.test(found[0]) ?? true) && (then?.test(rest) ?? true)) return found
  }
  return undefined
}

const looseSeverity = (severity: ScanSeverity, place: LoosePlace, isKnown: boolean): ScanSeverity => {
  if (isKnown) return place === 'data' ? 'low' : 'medium'
  return severity === 'high' && place === 'data' ? 'medium' : severity
}

/** "Never", "do not", "avoid" directly before it: whoever means harm can say so as well, so it is still told. */
const isWarnedOf = (before: string): boolean =>
  /(?:\b(?:never|avoid|don['’]t|do not|must not|should not|instead of|rather than|unsafe|dangerous|insecure|bad|attacks?|malicious|suspicious|patterns? (?:like|such as)|e\.g\.|such as)\b[^.!?;]{0,40}|[❌✗🚫][^.!?;]{0,40})$/iu.test(
    before.slice(-80),
  ) && !/\b(?:forget|hesitate|worry|fail|skip|miss|unless|just|but)\b/i.test(before.slice(-80))

/** Lines, with those that one goes on in; of a table each row by itself. */
function* sentences(text: string): Generator<{ readonly text: string; readonly offset: number }> {
  for (const match of text.matchAll(/(?:[^\n]{0,2000}(?:\\|[^|\n]\|)[ \t]{0,8}\r?\n){0,8}[^\n]{1,2000}/g))
    if (hint.test(match[0])) yield { text: match[0].replace(/\\?\r?\n/g, ' '), offset: match.index }
}

// Without one of these, no pattern can match, in whatever way it is written.
const hint = /[|(<`$\\]|\.\w|_|\/|-e/

const entities: ReadonlyMap<string, string> = new Map([
  ['#124', '|'],
  ['#x7c', '|'],
  ['vert', '|'],
  ['verbar', '|'],
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['#39', "'"],
])

/** As a page or a table shows it. */
const shown = (text: string): string =>
  /[<&\\*]/.test(text)
    ? text
        .replace(/<\/?[a-z][^<>\n]{0,80}>/gi, ' ')
        .replace(/&(#?\w{2,8});/g, (all, name: string) => entities.get(name.toLowerCase()) ?? all)
        .replace(/\\\|/g, '|')
        .replace(/\*\*/g, '')
    : text
