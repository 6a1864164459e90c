import { commandRule, type ToolRule } from '../core/tool-rule.ts'
import type { ShellLine, ShellValue, ShellWord } from '../lib/shell.ts'
import { isEvaluator, isFinder, isInterpreter, isShell, mayLaunch, mayRunAnother, programOf } from './shell-programs.ts'

const MAX_DEPTH = 6
const MAX_WORDS = 500
const MAX_READS = 200

/**
 * Whether a deny or ask rule may mean something in the line: any command of it, however wrapped. In doubt it does: a
 * line, a command's name or a piece of code that can't be read passes no fence.
 */
export const touchesLine = (rule: ToolRule, { line, read }: { line: ShellLine; read: ReadLine }): boolean => {
  if (rule.spec === undefined || rule.problem !== undefined) return true
  let left = MAX_READS
  const readSome: ReadLine = (text) => (left-- > 0 ? read(text) : unreadLine)
  return touches(line, { named: commandRule(rule.spec).words, read: readSome, depth: 0 })
}

/** The same of one command whose words are all known. */
export const touchesCommand = (rule: ToolRule, words: readonly string[]): boolean =>
  touchesLine(rule, { line: lineOfWords(words), read: () => unreadLine })

const unreadLine: ShellLine = { commands: [], assigned: [], besides: [], fault: 'not read' }

/** A command without a shell: its words are what they are. */
export const lineOfWords = (words: readonly string[]): ShellLine => ({
  commands: [words.map((value) => ({ value, isOperand: !value.startsWith('-') }))],
  assigned: [],
  besides: [],
  fault: undefined,
})

/** How a word is read that is a line itself: the argument of `sh -c`. */
type ReadLine = (text: string) => ShellLine

type Search = { readonly named: readonly string[]; readonly read: ReadLine; readonly depth: number }

const deeper = (search: Search): Search => ({ ...search, depth: search.depth + 1 })

const touches = (line: ShellLine, search: Search): boolean =>
  line.fault !== undefined ||
  search.depth > MAX_DEPTH ||
  line.besides.some((beside) => beside === 'comment' || beside === 'history expansion') ||
  line.assigned.some((value) => touchesValue(value, search)) ||
  line.commands.some((words) => touchesWords(words, search))

/** Programs take commands from variables: `GIT_PAGER='rm x' git log`. */
const touchesValue = ({ name, value }: ShellValue, search: Search): boolean => {
  const holdsCommand = /COMMAND|PAGER|EDITOR|VISUAL|ASKPASS|BROWSER|SHELL|SSH|RSH/i.test(name)
  if (value === undefined) return holdsCommand
  const line = search.read(value)
  return line.fault === undefined ? touches(line, deeper(search)) : holdsCommand || names(search.named, value)
}

/** Whether a text that can't be read has the program's name in it. */
const names = ([program = '']: readonly string[], text: string): boolean =>
  folded(text).includes(folded(programOf(program)))

const folded = (text: string): string => text.toLowerCase().replaceAll(/['"\\]/g, '')

const touchesWords = (words: readonly ShellWord[], search: Search): boolean => {
  const [name] = words
  if (name?.value === undefined || words.length > MAX_WORDS || isMeant(search.named, words)) return true
  const program = programOf(name.value)
  if (isInterpreter(program)) return touchesCode(program, words.slice(1), search)
  if (isFinder(program)) return touchesFound(words.slice(1), search)
  if (isEvaluator(program)) return words.slice(1).some(({ value }) => touchesSubscript(value, search))
  if (program === '.' || program === 'source') return touchesCode('sh', words.slice(1), search)
  if (readsCommands(program, words, search)) return true
  if (mayLaunch(program)) return touchesWrapped(words.slice(1), search)
  return mayRunAnother(program, words, 1)
}

/** Whether what runs, or a part of it, comes from standard input: `at now`, `xargs env`, `xargs git`. */
const readsCommands = (program: string, words: readonly ShellWord[], { named }: Search): boolean => {
  if (/^(at|batch|crontab|parallel)$/.test(program)) return true
  if (program !== 'xargs') return false
  return words.slice(1).some(({ value = '' }, i) => {
    const inner = programOf(value)
    return (
      isInterpreter(inner) || (mayLaunch(inner) && inner !== '-') || isMeant(named, [...words.slice(i + 1), unknown])
    )
  })
}

const unknown: ShellWord = { value: undefined, isOperand: false }

/** `unset 'a[$(rm x)]'` runs rm. */
const touchesSubscript = (value: string | undefined, search: Search): boolean =>
  value !== undefined && /[$`]/.test(value) && touches(search.read(value), deeper(search))

/** Options may stand anywhere: `git -C x push` is what `git push` means. */
const isMeant = ([program = '', ...rest]: readonly string[], words: readonly ShellWord[]): boolean => {
  const isSame = plainProgram(words[0]?.value ?? '') === plainProgram(program)
  // A script may be run as it is: `scripts/x.py` for `python3 scripts/x.py`.
  const isItself = !isSame && isInterpreter(programOf(program)) && rest[0] !== undefined && !rest[0].startsWith('-')
  if (!isSame) return isItself && isMeant(rest, words)
  let at = 1
  for (const word of rest) {
    while (at < words.length && words[at]?.value !== undefined && !isWord(word, words[at]?.value ?? '')) at++
    if (at >= words.length) return false
    // What is not known may be this word and all that follow.
    if (words[at]?.value === undefined) return true
    at++
  }
  return true
}

/** `python`, `python3` and `python3.11` may be one program. */
const plainProgram = (value: string): string => {
  const program = programOf(value)
  return isInterpreter(program) && !isShell(program) ? program.replace(/[\d.]+$/, '') : program
}

/** Whether two words may mean one thing: a file has as many paths as there are folders to start from. */
const isWord = (named: string, value: string): boolean =>
  named === value || (/[/.]/.test(named) && programOf(named) === programOf(value)) || value.startsWith(`${named}=`)

const touchesCode = (program: string, words: readonly ShellWord[], search: Search): boolean => {
  if (words.some(({ value }) => value === undefined)) return true
  const values = words.map(({ value = '' }) => value)
  const [first = ''] = values
  if (/^(-m|-V|--version|--help)$/.test(first) && !isShell(program)) return false
  if (/awk$/.test(program) && !isShell(program)) return values.some((value) => /system|getline|[|>@]/.test(value))
  if (/^(deno|bun)$/.test(program) && /^(eval|x|exec|repl)$/.test(first)) return true
  // A file of code is a program like any other; code in the line or on standard input is part of the line.
  if (first !== '' && !first.startsWith('-')) return /^\/+(dev|proc)\//.test(first) || isMeant(search.named, words)
  const code = values.findIndex((value) => /^-[^-]*c/.test(value))
  if (!isShell(program) || code < 0) return true
  return values.slice(code + 1).some((value) => touches(search.read(value), deeper(search)))
}

/** What a search runs on what it finds stands behind an option. */
const touchesFound = (words: readonly ShellWord[], search: Search): boolean => {
  const at = words.findIndex(({ value }) => value === undefined || /^(-(exec|ok)|-[^-]*[xX]|--ex)/.test(value))
  if (at < 0) return false
  const run = words.slice(at)
  // Braces stand for a name that is found.
  const filled = run.map((word) => (/\{.*\}/.test(word.value ?? '') ? unknown : word))
  return filled.some((_, i) => i > 0 && isMeant(search.named, filled.slice(i))) || touchesWrapped(run, search)
}

const touchesWrapped = (words: readonly ShellWord[], search: Search): boolean => {
  if (words.some(({ value }) => value === undefined || /^(-I.*|-i|-S.*|--(repl|split).*)$/.test(value))) return true
  if (words.some((_, i) => mayStartCommand(words.slice(i), search))) return true
  const values = words.map(({ value = '' }) => value)
  // What a wrapper is given may be a line of its own: in one word, or in all of them.
  return [...values.filter((value) => /[\s;&|`$(<\\'"=!+:]/.test(value)), values.join(' ')]
    .flatMap((value) => [value, value.replace(/^(--?[\w-]+=|[A-Za-z_]\w*=|[+:!]+)/, '')])
    .some((value) => touches(search.read(value), deeper(search)))
}

const mayStartCommand = (words: readonly ShellWord[], search: Search): boolean => {
  const program = programOf(words[0]?.value ?? '')
  if (isMeant(search.named, words)) return true
  return isInterpreter(program) ? touchesCode(program, words.slice(1), search) : mayRunAnother(program, words, 1)
}
