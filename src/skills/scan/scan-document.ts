import { visibleLine } from '../../lib/visible.ts'
import type { CodeLanguage } from './code-language.ts'
import { isForbidden } from './plain-prohibition.ts'
import { scanCode } from './scan-code.ts'
import type { ScanLog, ScannedText } from './scan-log.ts'
import { scanLoose } from './scan-loose.ts'
import { scanProse } from './scan-prose.ts'
import { isAddressed, unseenParts } from './unseen-markdown.ts'

const MAX_PARTS = 500

/** What instructions say, show as code, and hide. */
export const scanDocument = (source: ScannedText, log: ScanLog): void => {
  scanProse(source, 'instructions', log)
  const lineAt = lineCounter(source)
  for (const part of first(unseenParts(source), source, log)) {
    const said = scanProse({ file: source.file, text: part.text, line: lineAt(part.offset) }, 'comment', log)
    if (said.size === 0 && !isAddressed(part.text)) continue
    log.report('hidden-instructions', source.file, `${part.what} speaks to the agent`, {
      severity: said.size > 0 ? 'high' : 'medium',
      at: { source, offset: part.offset },
      excerpt: visibleLine(part.text.trim(), 160),
    })
  }
  // What stands in fences is looked at as code, the rest as what somebody may type off.
  let rest = ''
  for (const { language, text, offset } of first(fencedCode(source.text), source, log)) {
    scanCode({ file: source.file, text, line: lineAt(offset) }, language, 'instructions', log)
    rest += source.text.slice(rest.length, offset) + text.replace(/[^\n]/g, ' ')
  }
  const told = scanLoose({ ...source, text: rest + source.text.slice(rest.length) }, 'instructions', log)
  for (const { text, offset, isForbidden } of first(shellSpans(source.text), source, log))
    if (!isForbidden && !told.has(source.text.lastIndexOf('\n', offset)))
      scanCode({ file: source.file, text, line: lineAt(offset) }, 'unknown', 'instructions', onlyGrave(log))
  for (const { text, offset } of first(scripts(source.text), source, log))
    scanCode({ file: source.file, text, line: lineAt(offset) }, 'javascript', 'instructions', log)
}

/** What stands in the script elements of a page. */
function* scripts(text: string): Generator<{ readonly text: string; readonly offset: number }> {
  let at = 0
  for (const { index } of text.matchAll(/<script\b/gi)) {
    if (index < at) continue
    const close = /<\/script/gi
    close.lastIndex = index
    const end = close.exec(text)?.index ?? text.length
    yield { text: text.slice(index, end), offset: index }
    at = end
  }
}

/** Code spans, `pre` elements and indented lines in which something is piped or put in, as a shell would. */
function* shellSpans(
  text: string,
): Generator<{ readonly text: string; readonly offset: number; readonly isForbidden: boolean }> {
  for (const match of text.matchAll(
    /(`{1,2})(?!`)([^`\n]{8,500})\1(?!`)|<(?:pre|code)\b[^>]{0,80}>([^<`]{8,2000})<\/|^(?: {4}|\t)[^\n]{8,500}$/gm,
  )) {
    const code = match[2] ?? match[3] ?? match[0]
    if (/[|<]|\$\(/.test(code) && /:\/\/|\w\.\w{2,12}\/|\$\{?\w/.test(code))
      yield {
        text: code.replaceAll('\\|', '|'),
        offset: match.index,
        isForbidden: match[2] !== undefined && isForbiddenSpan(text, match.index, match[0].length),
      }
  }
}

const isForbiddenSpan = (text: string, offset: number, length: number): boolean => {
  const lineStart = Math.max(text.lastIndexOf('\n', offset - 1) + 1, offset - 200)
  const end = offset + length
  // Code in a line that is indented is not prose.
  const before = text.slice(lineStart, offset)
  return (
    !/^(?: {4}|\t)\s*(?![-*+\s]|\d{1,3}[.)])/.test(before) && isForbidden(before, text.slice(end, end + 300), 'command')
  )
}

/** Passes on what is high: the rest is said of code spans too often to be worth a line. */
const onlyGrave = (log: ScanLog): ScanLog => ({
  ...log,
  report: (rule, file, message, details) => {
    if (details?.severity === 'high' && rule === 'download-run') log.report(rule, file, message, details)
  },
})

function* first<T>(parts: Iterable<T>, { file }: ScannedText, log: ScanLog): Generator<T> {
  let count = 0
  for (const part of parts) {
    count += 1
    if (count > MAX_PARTS) {
      log.report('not-checked', file, `only ${MAX_PARTS} comments and ${MAX_PARTS} pieces of code were looked at`)
      return
    }
    yield part
  }
}

/** Lines of offsets that mostly grow: each is counted from the one before. */
const lineCounter = ({ text, line }: ScannedText): ((offset: number) => number) => {
  let at = 0
  let lines = line
  return (offset) => {
    if (offset < at) {
      at = 0
      lines = line
    }
    for (let next = text.indexOf('\n', at); next !== -1 && next < offset; next = text.indexOf('\n', at)) {
      at = next + 1
      lines += 1
    }
    return lines
  }
}

export type FencedCode = { readonly language: CodeLanguage; readonly text: string; readonly offset: number }

/** The fenced blocks of a Markdown text; of those without a language, the lines that look like a shell's. */
export function* fencedCode(text: string): Generator<FencedCode> {
  let open: { readonly mark: string; readonly info: string; readonly offset: number } | undefined
  let at = 0
  while (at < text.length) {
    const next = text.indexOf('\n', at)
    const end = next === -1 ? text.length : next
    const [, mark = '', info = ''] =
      /^[ \t>]{0,20}(`{3,}|~{3,})[ \t]{0,5}([^`\n]{0,100})/.exec(text.slice(at, Math.min(end, at + 200))) ?? []
    if (open === undefined && mark !== '') open = { mark, info, offset: end + 1 }
    else if (open !== undefined && mark.startsWith(open.mark) && info.trim() === '') {
      yield block(open.info, text.slice(open.offset, at), open.offset)
      open = undefined
    }
    at = end + 1
  }
  if (open !== undefined) yield block(open.info, text.slice(open.offset), open.offset)
}

const block = (info: string, text: string, offset: number): FencedCode => {
  const [name = ''] = info
    .trim()
    .toLowerCase()
    .split(/[\s{:,]/)
  const language = languages.get(name) ?? (name === '' && /^\s*\$ |\|\s*(?:ba)?sh\b/m.test(text) ? 'shell' : 'other')
  // Prompts are no part of a command; blanked, so that columns stay.
  return { language, text: language === 'shell' ? text.replace(/^([ \t]*)[$>](?= )/gm, '$1 ') : text, offset }
}

const languages: ReadonlyMap<string, CodeLanguage> = new Map<string, CodeLanguage>([
  ...['sh', 'bash', 'zsh', 'shell', 'console', 'terminal', 'shellsession', 'ksh', 'fish'].map(
    (name) => [name, 'shell'] as const,
  ),
  ...['py', 'python', 'python3'].map((name) => [name, 'python'] as const),
  ...['js', 'javascript', 'mjs', 'ts', 'typescript', 'jsx', 'tsx', 'node'].map((name) => [name, 'javascript'] as const),
])
