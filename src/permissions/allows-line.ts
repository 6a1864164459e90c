import { commandRule, type ToolRule } from '../core/tool-rule.ts'
import type { ShellLine, ShellWord } from '../lib/shell.ts'
import { isInterpreter, isNeverOpen, mayRunAnother, programOf, unwrap } from './shell-programs.ts'

/**
 * The rules that together cover every command of a line; undefined where one is left over, or where the line does
 * something that no rule about commands speaks of. In doubt it is not covered.
 */
export const rulesForLine = (rules: readonly ToolRule[], line: ShellLine): readonly ToolRule[] | undefined => {
  const usable = rules.filter((rule) => rule.kind === 'command' && rule.problem === undefined)
  const whole = usable.find((rule) => rule.spec === undefined)
  if (whole) return [whole]
  if (line.fault !== undefined || line.besides.length > 0 || line.commands.length === 0) return undefined
  const used = new Set<ToolRule>()
  for (const words of line.commands) {
    const rule = usable.find((candidate) => coversWords(candidate, words))
    if (!rule) return undefined
    used.add(rule)
  }
  return [...used]
}

/** Nobody wraps a command more often, but for one who wants to see this run for long. */
const MAX_WRAPPERS = 8

const coversWords = (rule: ToolRule, words: readonly ShellWord[], wrappers = 0): boolean => {
  const { words: named, isOpen } = commandRule(rule.spec ?? '')
  if (named.every((word, i) => words[i]?.value === word)) {
    if (words.length === named.length && isSafeAlone(named, isOpen)) return true
    if (isOpen && isSafelyOpen(named, words)) return true
  }
  const inner = wrappers < MAX_WRAPPERS ? unwrap(words) : undefined
  return inner !== undefined && coversWords(rule, inner, wrappers + 1)
}

/** Whether the named words are all that decides what runs: `sh` and `python3 -` run what stands on standard input. */
const isSafeAlone = (named: readonly string[], isOpen: boolean): boolean => {
  const program = programOf(named[0] ?? '')
  if (isInterpreter(program)) return named.slice(1).some((word) => /^[^-]|^--?(version|help)$|^-[Vh]$/.test(word))
  return !(isOpen && isNeverOpen(program))
}

/** Whether whatever follows the named words is only an argument of the command that they name. */
const isSafelyOpen = (named: readonly string[], words: readonly ShellWord[]): boolean => {
  const program = programOf(named[0] ?? '')
  if (isInterpreter(program)) return namesScript(program, named.slice(1))
  return !isNeverOpen(program) && !mayRunAnother(program, words, named.length)
}

/** `python3 scripts/x.py …` runs x.py, `python3 -m pytest …` pytest; `python3 …` and `python3 -c …` run anything. */
const namesScript = (program: string, [first, second]: readonly string[]): boolean => {
  if (first === undefined) return false
  if (first.startsWith('-')) return first === '-m' && second !== undefined && /^(python|pypy)/.test(program)
  // Theirs is a subcommand.
  if (/^(deno|bun)$/.test(program) && /^(run|x|exec|eval|repl|create|init|install|add)$/.test(first))
    return first === 'run' && second !== undefined && !second.startsWith('-')
  return !/^\/+(dev|proc)\//.test(first)
}
