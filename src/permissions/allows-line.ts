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

const coversWords = (rule: ToolRule, words: readonly ShellWord[]): boolean => {
  const { words: named, isOpen } = commandRule(rule.spec ?? '')
  if (named.every((word, i) => words[i]?.value === word)) {
    if (words.length === named.length && !(isOpen && isNeverOpen(programOf(named[0] ?? '')))) return true
    if (isOpen && isSafelyOpen(named, words)) return true
  }
  const inner = unwrap(words)
  return inner !== undefined && coversWords(rule, inner)
}

/** Whether whatever follows the named words is only an argument of the command that they name. */
const isSafelyOpen = (named: readonly string[], words: readonly ShellWord[]): boolean => {
  const program = programOf(named[0] ?? '')
  if (isInterpreter(program)) return namesScript(named.slice(1))
  return !isNeverOpen(program) && !mayRunAnother(program, words, named.length)
}

/** `python3 scripts/x.py …` runs x.py, `python3 -m pytest …` pytest; `python3 …` and `python3 -c …` run anything. */
const namesScript = ([first, second]: readonly string[]): boolean =>
  first !== undefined &&
  (first.startsWith('-') ? first === '-m' && second !== undefined : !/^\/(dev|proc)\//.test(first))
