import { commandRule, type ToolRule } from '../core/tool-rule.ts'
import type { ShellLine, ShellWord } from '../lib/shell.ts'
import { isFinder, isInterpreter, isRunner, isShell, mayRunAnother, programOf } from './shell-programs.ts'

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

const unreadLine: ShellLine = { commands: [], besides: [], fault: 'not read' }

/** A command without a shell: its words are what they are. */
export const lineOfWords = (words: readonly string[]): ShellLine => ({
  commands: [words.map((value) => ({ value, isOperand: !value.startsWith('-') }))],
  besides: [],
  fault: undefined,
})

/** How a word is read that is a line itself: the argument of `sh -c`. */
type ReadLine = (text: string) => ShellLine

type Search = { readonly named: readonly string[]; readonly read: ReadLine; readonly depth: number }

const deeper = (search: Search): Search => ({ ...search, depth: search.depth + 1 })

const touches = (line: ShellLine, search: Search): boolean =>
  line.fault !== undefined || search.depth > MAX_DEPTH || line.commands.some((words) => touchesWords(words, search))

const touchesWords = (words: readonly ShellWord[], search: Search): boolean => {
  const [name] = words
  if (name?.value === undefined || words.length > MAX_WORDS || isMeant(search.named, words)) return true
  const program = programOf(name.value)
  if (isInterpreter(program)) return touchesCode(program, words.slice(1), search)
  if (isFinder(program)) return touchesFound(words.slice(1), search)
  if (isRunner(program)) return touchesWrapped(words.slice(1), search)
  return mayRunAnother(program, words, 1)
}

/** Options may stand anywhere: `git -C x push` is what `git push` means. */
const isMeant = ([program = '', ...rest]: readonly string[], words: readonly ShellWord[]): boolean => {
  if (programOf(words[0]?.value ?? '') !== programOf(program)) return false
  let at = 1
  for (const word of rest) {
    while (at < words.length && words[at]?.value !== undefined && words[at]?.value !== word) at++
    if (at >= words.length) return false
    // What is not known may be this word and all that follow.
    if (words[at]?.value === undefined) return true
    at++
  }
  return true
}

const touchesCode = (program: string, words: readonly ShellWord[], search: Search): boolean => {
  if (words.some(({ value }) => value === undefined)) return true
  const values = words.map(({ value = '' }) => value)
  const [first = ''] = values
  if (/^(-m|-V|--version|--help)$/.test(first) && !isShell(program)) return false
  // A file of code is a program like any other; code in the line or on standard input is part of the line.
  if (first !== '' && !first.startsWith('-')) return /^\/(dev|proc)\//.test(first)
  const code = values.findIndex((value) => /^-[^-]*c/.test(value))
  if (!isShell(program) || code < 0) return true
  return values.slice(code + 1).some((value) => touches(search.read(value), deeper(search)))
}

/** What a search runs on what it finds stands behind an option. */
const touchesFound = (words: readonly ShellWord[], search: Search): boolean => {
  const at = words.findIndex(({ value }) => value === undefined || /^(-(exec|ok)|-[^-]*[xX]|--ex)/.test(value))
  return at >= 0 && touchesWrapped(words.slice(at), search)
}

const touchesWrapped = (words: readonly ShellWord[], search: Search): boolean => {
  if (words.some(({ value }) => value === undefined || /^(-I.*|-i|-S.*|--(repl|split).*)$/.test(value))) return true
  if (words.some((_, i) => mayStartCommand(words.slice(i), search))) return true
  const values = words.map(({ value = '' }) => value)
  // What a wrapper is given may be a line of its own: in one word, or in all of them.
  return [...values.filter((value) => /[\s;&|`$(<\\'"]/.test(value)), values.join(' ')]
    .map((value) => value.replace(/^[A-Za-z_]\w*=/, ''))
    .some((value) => touches(search.read(value), deeper(search)))
}

const mayStartCommand = (words: readonly ShellWord[], search: Search): boolean => {
  const program = programOf(words[0]?.value ?? '')
  if (isMeant(search.named, words)) return true
  return isInterpreter(program) ? touchesCode(program, words.slice(1), search) : mayRunAnother(program, words, 1)
}
