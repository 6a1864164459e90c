import {
  type Assignment,
  type Command,
  forEachChild,
  type ParsedScript,
  parse,
  type Redirect,
  type SyntaxNode,
  type Word,
} from 'unbash'
import { hasDoubtfulComment } from './shell-comments.ts'

const MAX_CHARACTERS = 65_536
/** Nested, each costs the parser a look at all that follows. */
const MAX_SUBSTITUTIONS = 1_000

/** One word of a command. */
export type ShellWord = {
  /** What the program is given; undefined where only running the line would tell. */
  readonly value: string | undefined
  /** Certainly one word, and no option: it begins with a known character that is no dash. */
  readonly isOperand: boolean
}

/** A variable and what is put into it; undefined where only running the line would tell. */
export type ShellValue = { readonly name: string; readonly value: string | undefined }

/** A shell line, taken apart but not judged. */
export type ShellLine = {
  /**
   * Every simple command, also those inside substitutions, functions, here-documents and conditions. A condition in
   * `[[ … ]]` is one of that name, and what arithmetic evaluates one of `let`.
   */
  readonly commands: readonly (readonly ShellWord[])[]
  /** What is put into variables, before a command or alone. */
  readonly assigned: readonly ShellValue[]
  /** What the line does besides running those commands: `redirection to a file`, `assignment`. */
  readonly besides: readonly string[]
  /** Why it can't be read; then the rest says nothing. */
  readonly fault: string | undefined
}

/** Reads a line as bash does. Never throws; what it is not sure of is a `fault` or stands in `besides`. */
export const readShellLine = (text: string): ShellLine => {
  if (text.length > MAX_CHARACTERS) return unreadable(`longer than ${MAX_CHARACTERS} characters`)
  // Shells disagree about these: one drops a NUL, the next ends the line; CR is a blank to some and a letter to others.
  if (/[^\P{Cc}\n\t]/u.test(text)) return unreadable('a control character')
  if ((text.match(/\$[({[]|[<>]\(|`|<</g)?.length ?? 0) > MAX_SUBSTITUTIONS)
    return unreadable(`more than ${MAX_SUBSTITUTIONS} substitutions`)
  const commands: (readonly ShellWord[])[] = []
  const assigned: ShellValue[] = []
  const besides = new Set<string>()
  let fault: string | undefined
  const visit = (node: SyntaxNode, parent?: SyntaxNode): void => {
    fault ??= faultOf(node)
    const beside = besideOf(node, parent)
    if (beside !== undefined) besides.add(beside)
    if (node.type === 'Assignment') assigned.push(...valuesOf(node))
    const words = commandOf(node)
    if (words) commands.push(words)
    forEachChild(node, (child) => visit(child, node))
  }
  try {
    const script = parse(text)
    visit(script)
    if (hasDoubtfulComment(text, script)) besides.add('comment')
  } catch (error) {
    return unreadable(error instanceof Error ? error.message : 'not a shell line')
  }
  return { commands, assigned, besides: [...besides], fault }
}

const unreadable = (fault: string): ShellLine => ({ commands: [], assigned: [], besides: [], fault })

const faultOf = (node: SyntaxNode): string | undefined => {
  switch (node.type) {
    case 'Script':
      return (node as ParsedScript).errors?.[0]?.message
    case 'CommandExpansion':
    case 'ProcessSubstitution':
    case 'ArithmeticCommandExpansion':
      return node.script ? undefined : 'a substitution that can not be read'
    case 'HereDoc':
      return node.closing ? undefined : 'a here-document without an end'
    default:
      return undefined
  }
}

const besideOf = (node: SyntaxNode, parent: SyntaxNode | undefined): string | undefined => {
  switch (node.type) {
    case 'Statement':
      return node.background ? 'background' : undefined
    case 'Redirect':
      return isHarmless(node) ? undefined : 'redirection to a file'
    case 'HereDoc':
    case 'HereString':
      return node.descriptor?.type === 'FileDescriptorVariable' ? 'assignment' : undefined
    case 'Assignment':
      return 'assignment'
    case 'Function':
      return 'function'
    case 'Coproc':
      return 'background'
    case 'For':
    case 'Select':
      // The loop's variable may be one that programs heed: PATH, LD_PRELOAD, http_proxy.
      return node.type === 'For' && isPlainVariable(node.name.value) ? undefined : 'assignment'
    // Arithmetic evaluates what its variables hold, and that may be a command: a[$(id)].
    case 'TestCommand':
    case 'ArithmeticCommand':
    case 'ArithmeticFor':
    case 'ArithmeticExpansion':
      return 'arithmetic or test'
    case 'ExtendedGlob':
      return 'extended glob'
    case 'ParameterExpansion':
      return node.prefix === '!' || node.index || !isPlainOperation(node.operation)
        ? 'expansion that evaluates'
        : undefined
    case 'Word':
      return node.parts === undefined && expandsHistory(node.text) ? 'history expansion' : undefined
    case 'Literal':
      // `[!a]` is a pattern.
      return expandsHistory(parent?.type === 'Glob' ? node.text.replace(/^!/, '') : node.text)
        ? 'history expansion'
        : undefined
    default:
      return undefined
  }
}

/** zsh ties some lower-case names to those in capitals: `path` is PATH. */
const isPlainVariable = (name: string): boolean => /^[a-z]+[0-9]*$/.test(name) && !/path$|^(argv|prompt)$/.test(name)

/** At a terminal `!!:s/x/;y/` is replaced before the line is parsed, outside single quotes. */
const expandsHistory = (text: string): boolean => {
  const isQuoted = /^'|^\$'/.test(text)
  return !isQuoted && /(?<![\\{$])!(?![\s=("']|:\s|:?$)/.test(text)
}

type Operation = Extract<SyntaxNode, { type: 'ParameterExpansion' }>['operation']

const isPlainOperation = (operation: Operation): boolean => {
  if (!operation) return true
  if (operation.type === 'Default') return !operation.operator.includes('=')
  return operation.type === 'Remove' || operation.type === 'Replace' || operation.type === 'CaseModification'
}

/** Into or out of nowhere, or from one stream to another. */
const isHarmless = ({ operator, descriptor, target }: Redirect): boolean => {
  if (descriptor?.type === 'FileDescriptorVariable' || !target) return false
  const value = literalOf(target)
  if (operator === '>&' || operator === '<&') return value !== undefined && /^(\d+|-)$/.test(value)
  return value === '/dev/null'
}

const commandOf = (node: SyntaxNode): ShellWord[] | undefined => {
  if (node.type === 'Command') return node.name && wordsOf(node)
  if (node.type === 'TestUnary') return [named('[['), shellWord(node.operand)]
  if (node.type === 'TestBinary') return [named('[['), shellWord(node.left), shellWord(node.right)]
  return node.type === 'ArithmeticWord' ? [named('let'), named(node.value)] : undefined
}

const named = (value: string): ShellWord => ({ value, isOperand: true })

const valuesOf = ({ name, value, index }: Assignment): ShellValue[] => {
  const words = value.type === 'Word' ? [value] : value.elements
  return [...words, ...(index ? [index] : [])].map((word) => ({ name, value: literalOf(word) }))
}

const wordsOf = ({ name, args }: Command): ShellWord[] => [
  ...(name ? [shellWord(name)] : []),
  ...args.map((arg) => {
    if (arg.type === 'Word') return shellWord(arg)
    const value = arg.value.type === 'Word' ? literalOf(arg.value) : undefined
    return { value: value === undefined ? undefined : `${arg.name}=${value}`, isOperand: true }
  }),
]

const shellWord = (word: Word): ShellWord => {
  const value = literalOf(word)
  return { value, isOperand: value === undefined ? isOperand(word) : !value.startsWith('-') }
}

type Part = NonNullable<Word['parts']>[number]

const literalOf = (word: Word): string | undefined =>
  word.parts === undefined || word.parts.every(isLiteral) ? word.value : undefined

const isLiteral = (part: Part): boolean =>
  part.type === 'Literal' ||
  part.type === 'SingleQuoted' ||
  part.type === 'AnsiCQuoted' ||
  (part.type === 'DoubleQuoted' && part.parts.every(({ type }) => type === 'Literal'))

/** Unquoted expansions and braces may become several words; the first character must be known. */
const isOperand = ({ parts = [] }: Word): boolean => {
  if (parts.length === 1 && parts[0]?.type === 'ProcessSubstitution') return true
  const [first] = parts
  const start = first?.type === 'DoubleQuoted' ? first.parts[0] : first
  const known = start && 'value' in start && start.type !== 'Glob' ? start.value : ''
  return (
    known !== '' &&
    !known.startsWith('-') &&
    parts.every((part) => isLiteral(part) || part.type === 'DoubleQuoted' || part.type === 'Glob')
  )
}
