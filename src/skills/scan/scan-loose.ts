import { type LoosePattern, looseCode } from './code-patterns.ts'
import { codeVariants } from './code-variants.ts'
import { isKnownInstaller } from './known-installers.ts'
import { isForbidden } from './plain-prohibition.ts'
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
  const isPre = inPre(source.text)
  for (const { text, offset } of sentences(source.text)) {
    const seen = new Set<string>()
    const variants = codeVariants(shown(text))
    // What is marked as code is no sentence, whatever its comments say.
    const canForbid = !isPre(offset, offset + text.length) && !/^(?: {4}|\t)\s*(?![-*+\s]|\d{1,3}[.)])/.test(text)
    for (const pattern of looseCode) {
      const { rule, what, severity } = pattern
      if (seen.has(rule)) continue
      const all = variants.flatMap((line) => matchesOf(line, pattern, canForbid))
      // One that is forbidden says nothing of the next.
      const match = all.find(({ isWarned }) => !isWarned) ?? all[0]
      if (match === undefined) continue
      const { line, found, isWarned } = match
      seen.add(rule)
      if (rule === 'download-run' && !isWarned) told.add(source.text.lastIndexOf('\n', offset))
      log.report(rule, source.file, isWarned ? `${what}, in a warning` : what, {
        severity: isWarned
          ? 'low'
          : looseSeverity(severity, place, rule === 'download-run' && isKnownInstaller(line, place === 'instructions')),
        at: { source, offset: offset + Math.max(0, text.indexOf(found[0])) },
      })
    }
  }
  return told
}

const MAX_TRIES = 40

type LooseMatch = { readonly line: string; readonly found: RegExpExecArray; readonly isWarned: boolean }

/** Every place that matches, also inside another: a warning of one command would cover the next one otherwise. */
const matchesOf = (line: string, { first, holds, then }: LoosePattern, canForbid: boolean): readonly LooseMatch[] => {
  const all = new RegExp(first.source, `${first.flags}g`)
  const matches: LooseMatch[] = []
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const found = all.exec(line)
    if (found === null) return matches
    const rest = line.slice(found.index + found[0].length)
    if (!((holds?.test(found[0]) ?? true) && (then?.test(rest) ?? true))) continue
    all.lastIndex = found.index + 1
    const isWarned = canForbid && isForbidden(line.slice(0, found.index), line.slice(found.index), 'command')
    matches.push({ line, found, isWarned })
    if (!isWarned) return matches
  }
  // More than anybody writes: the rest is not believed.
  return matches.map((match) => ({ ...match, isWarned: false }))
}

/** Whether any of a piece stands in a `pre` element; pieces are asked for in their order. */
const inPre = (text: string): ((start: number, end: number) => boolean) => {
  const parts: { readonly start: number; readonly end: number }[] = []
  for (let start = text.search(/<pre\b/i); start !== -1; ) {
    const close = /<\/pre/gi
    close.lastIndex = start
    const end = close.exec(text)?.index ?? text.length
    parts.push({ start, end })
    const open = /<pre\b/gi
    open.lastIndex = end
    start = open.exec(text)?.index ?? -1
  }
  let at = 0
  return (start, end) => {
    while ((parts[at]?.end ?? end) <= start) at += 1
    return (parts[at]?.start ?? end) < end
  }
}

const looseSeverity = (severity: ScanSeverity, place: LoosePlace, isKnown: boolean): ScanSeverity => {
  if (isKnown) return place === 'data' ? 'low' : 'medium'
  return severity === 'high' && place === 'data' ? 'medium' : severity
}

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
