import type { FlowCommand, ShellFlow } from '../../lib/shell-flow.ts'
import { visibleLine } from '../../lib/visible.ts'
import type { CodeLanguage } from './code-language.ts'
import type { CodePattern } from './code-patterns.ts'
import type { ScanLog, ScannedText } from './scan-log.ts'
import type { ScanRuleId } from './scan-rules.ts'
import { expandedFlow } from './shell-words.ts'

type Severity = CodePattern['severity']
type Report = (rule: ScanRuleId, message: string, severity: Severity, offset: number) => void

const high: Severity = { script: 'high', instructions: 'high' }

/**
 * What a shell script does with its commands, by a parser: quotes and line ends that hide a command from a pattern do not
 * hide it from this.
 */
export const scanShell = (source: ScannedText, language: CodeLanguage, report: Report, log: ScanLog): void => {
  const flow = expandedFlow(source.text)
  if (flow === undefined) {
    // What may be no shell at all is looked at by patterns alone.
    if (language === 'shell')
      log.report('not-checked', source.file, 'shell that is too large or too deep to be read', { severity: 'medium' })
    return
  }
  for (const pipe of flow.pipes) {
    const last = pipe.findLast((command) => runsItsInput(command))
    const before = last === undefined ? [] : pipe.slice(0, pipe.indexOf(last))
    if (last !== undefined) judgeFeed(last, before, 'is piped into', report)
  }
  for (const { into, from } of flow.fed) if (runsItsWords(into)) judgeFeed(into, from, 'is given to', report)
  judgeDownloaded(flow, report)
  for (const command of flow.commands) judgeCommand(command, report)
  for (const { words, offset } of flow.written) judgeTarget(words[0] ?? '', offset, report)
}

/** The program and its words behind `sudo`, `env A=b`, `nohup` and the like. */
const unwrapped = ({ words }: FlowCommand): readonly string[] => {
  let at = 0
  while (at < words.length - 1 && wrappers.has(programOf(words[at] ?? ''))) {
    at += 1
    while (at < words.length - 1 && /^-|^\w+=|^\d+[smh]?$/.test(words[at] ?? '')) at += 1
  }
  return words.slice(at)
}

const programOf = (word: string): string => word.slice(word.lastIndexOf('/') + 1).toLowerCase()

const wrappers = new Set([
  'sudo',
  'doas',
  'env',
  'nohup',
  'time',
  'command',
  'exec',
  'nice',
  'stdbuf',
  'builtin',
  'xargs',
  'timeout',
  'setsid',
  'ionice',
  'unbuffer',
  'busybox',
  'toybox',
])
const interpreters = /^(?:(?:ba|z|da|k|a|fi)?sh|python[\d.]*|node|perl|ruby|php|deno|bun|lua|osascript|pwsh)$/
const downloaders =
  /^(?:curl|wget|wget2|aria2c|axel|fetch|lwp-request|w3m|links|GET|xh|lynx|http|https|nc|ncat|netcat|ftp|scp|rsync|gh|aws|gsutil)$/

const isDownload = (command: FlowCommand): boolean => downloaders.test(programOf(unwrapped(command)[0] ?? ''))

const isDecoder = (command: FlowCommand): boolean => {
  const [program = '', ...args] = unwrapped(command)
  switch (programOf(program)) {
    case 'base64':
    case 'base32':
      return args.some((arg) => /^(?:-[a-z]*[dD][a-z]*|--decode)$/.test(arg))
    case 'xxd':
      return args.some((arg) => /^-[a-z]*r/.test(arg))
    case 'openssl':
      return args[0] === 'enc' || args[0] === 'base64'
    case 'tr':
      // Letters moved by half the alphabet.
      return args.some((arg) => /n-z\s?a-m/i.test(arg))
    case 'gzip':
    case 'bzip2':
    case 'xz':
    case 'zstd':
      return args.some((arg) => /^(?:-[a-z]*d[a-z]*|--decompress|--uncompress)$/.test(arg))
    case 'rev':
    case 'zcat':
    case 'gunzip':
    case 'bzcat':
    case 'xzcat':
    case 'uudecode':
      return true
    default:
      return false
  }
}

/** An interpreter that is given no program of its own reads one from its input. */
const runsItsInput = (command: FlowCommand): boolean => {
  const [program = '', ...args] = unwrapped(command)
  // A shell that is handed what it reads as its program.
  if (/^(?:\/\S*\/)?xargs$/.test(command.words[0] ?? '') && interpreters.test(programOf(program))) return true
  // What is copied into a shell as it passes.
  if (programOf(program) === 'tee') return args.some((arg) => /^>\(\s{0,5}\S{0,40}?(?:ba|z|da|k|a)?sh\b/.test(arg))
  if (program === 'eval') return args.some((arg) => arg.includes('$'))
  if (/^(?:source|\.)$/.test(program)) return args[0] === '/dev/stdin'
  if (!interpreters.test(programOf(program)) && !/^\$\{?(?:SHELL|BASH|0)\}?$/.test(program)) return false
  const own = args.find((arg) => arg !== '-' && (!/^-/.test(arg) || /^-[a-z]*[ce]$|^-[mp]$|^--eval$/.test(arg)))
  return own === undefined || own === '/dev/stdin' || args.includes('-s')
}

const runsItsWords = (command: FlowCommand): boolean => {
  const [program = ''] = unwrapped(command)
  return /^(?:eval|source|\.|tee|\$\{?(?:SHELL|BASH)\}?)$/.test(program) || interpreters.test(programOf(program))
}

const judgeFeed = (into: FlowCommand, from: readonly FlowCommand[], how: string, report: Report): void => {
  const name = visibleLine(programOf(unwrapped(into)[0] ?? ''), 40)
  const download = from.find(isDownload)
  const decoder = from.find(isDecoder)
  if (download) report('download-run', `a download ${how} an interpreter (${name})`, high, download.offset)
  else if (decoder) report('encoded-payload', `decoded text ${how} an interpreter (${name})`, high, decoder.offset)
  else if (from.some((command) => isUnknown(command)))
    report(
      'dynamic-code',
      'what an unknown command prints is run',
      { script: 'medium', instructions: 'low' },
      into.offset,
    )
}

/** Only running it would tell what it is, or what it prints comes from a file. */
const isUnknown = (command: FlowCommand): boolean => {
  const [program = ''] = unwrapped(command)
  return /[$*?[]/.test(program) || /^(?:cat|tail|head|sed|dd|cut|tr|awk|strings)$/.test(programOf(program))
}

/** A download that is laid down first and run then. */
const judgeDownloaded = ({ commands, written }: ShellFlow, report: Report): void => {
  const downloads = commands.filter((command) => isFetch(command))
  if (downloads.length === 0) return
  const files = new Set(
    downloads.flatMap((command) => [
      ...filesOf(command),
      ...written.flatMap(({ words: [file = ''], offset }) =>
        offset > command.offset && offset < command.offset + 400 && offset <= nextOf(commands, command) ? [file] : [],
      ),
    ]),
  )
  for (const command of commands) {
    const [program = '', ...args] = unwrapped(command)
    const isRun = interpreters.test(programOf(program)) || /^(?:source|\.)$/.test(program)
    const [file] = isRun ? args.filter((arg) => !arg.startsWith('-')) : [program]
    if (file === undefined || (!isRun && !/[/$]/.test(program)) || !files.has(bare(file))) continue
    const [download] = downloads.filter(({ offset }) => offset < command.offset)
    if (download === undefined) continue
    report(
      'download-run',
      'a download is laid down and run',
      { script: 'high', instructions: 'medium' },
      download.offset,
    )
  }
}

const isFetch = (command: FlowCommand): boolean =>
  /^(?:curl|wget|wget2|aria2c|axel|fetch)$/.test(programOf(unwrapped(command)[0] ?? ''))

const nextOf = (commands: readonly FlowCommand[], { offset }: FlowCommand): number =>
  Math.min(...commands.flatMap((other) => (other.offset > offset ? [other.offset] : [])), Number.MAX_SAFE_INTEGER)

/** The names under which a download is laid down. */
const filesOf = (command: FlowCommand): readonly string[] => {
  const words = unwrapped(command)
  return words.flatMap((word, i) => {
    const next = words[i + 1] ?? ''
    if (/^(?:-[a-zA-Z]*[oO]|--output(?:-document)?)$/.test(word) && !/^(?:-|https?:)/.test(next)) return [bare(next)]
    const [, glued] = /^(?:--output(?:-document)?=|-[oO])([^-\s].*)$/.exec(word) ?? []
    if (glued !== undefined) return [bare(glued)]
    return /^\w{2,5}:\/\//.test(word) ? [bare(word.replace(/[?#].*$/, '').replace(/^.*\//, ''))] : []
  })
}

const bare = (file: string): string => file.replace(/^(?:\.\/)+/, '')

const judgeCommand = (command: FlowCommand, report: Report): void => {
  const words = unwrapped(command)
  const program = programOf(words[0] ?? '')
  const { offset } = command
  if (command.words.some((word) => /^(?:sudo|doas|pkexec)$/.test(programOf(word))))
    report('elevated-rights', 'more rights are taken', { script: 'medium', instructions: 'low' }, offset)
  if (/^(?:curl|wget|nc|ncat|netcat|ssh|scp|rsync|ftp|aria2c|dig|nslookup)$/.test(program) && !isLocal(words))
    report('network-access', 'the network is used', { script: 'low', instructions: 'info' }, offset)
  if (program === 'eval' && words.slice(1).some((word) => word.includes('$')))
    report('dynamic-code', 'text is run as code', { script: 'medium', instructions: 'low' }, offset)
  if (program === 'env' || program === 'printenv') {
    if (words.length === 1)
      report(
        'environment-dump',
        'all environment variables are read at once',
        { script: 'medium', instructions: 'low' },
        offset,
      )
  }
  if (program === 'tee' || program === 'cp' || program === 'mv' || program === 'install' || program === 'ln') {
    const targets = program === 'tee' ? words.slice(1) : words.slice(-1)
    for (const target of targets) judgeTarget(target, offset, report)
  }
}

const isLocal = (words: readonly string[]): boolean =>
  words.some((word) => /^(?:https?:\/\/)?(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/]|$)/.test(word))

const judgeTarget = (target: string, offset: number, report: Report): void => {
  const place: Severity = { script: 'medium', instructions: 'low' }
  const worse: Severity = { script: 'high', instructions: 'medium' }
  if (
    /\.(?:bashrc|bash_profile|zshrc|zprofile|profile)$|\/etc\/(?:cron|profile|systemd)|authorized_keys$|\.git\/hooks\//.test(
      target,
    )
  )
    report('persistence', 'a startup file, a timer or a hook is changed', worse, offset)
  else if (/^(?:~|\$HOME|\$\{HOME\})\/|^\/(?:etc|usr|var|opt|root|home|boot|lib)\//.test(target))
    report('writes-outside', 'a file in your home or of the system is written', place, offset)
}
