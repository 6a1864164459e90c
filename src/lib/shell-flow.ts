import { type Command, forEachChild, parse, type SyntaxNode } from 'unbash'

/** A command as it stands in a script: what its words are once quotes are gone, and where it starts. */
export type FlowCommand = {
  /** A word that only running would tell is as it is written. */
  readonly words: readonly string[]
  readonly offset: number
}

/** What a shell script does with its commands, so far as it can be read without running it. */
export type ShellFlow = {
  readonly commands: readonly FlowCommand[]
  /** Commands that are piped into one another, in order. */
  readonly pipes: readonly (readonly FlowCommand[])[]
  /** Commands inside a substitution that the words or the input of another command are made of. */
  readonly fed: readonly { readonly into: FlowCommand; readonly from: readonly FlowCommand[] }[]
  /** Files that output is redirected to. */
  readonly written: readonly FlowCommand[]
}

const MAX_CHARACTERS = 65_536
/** Nested, each costs the parser a look at all that follows. */
const MAX_SUBSTITUTIONS = 1_000

/** Reads a script as bash does, for looking at, not for deciding; undefined where it is too large or no script. */
export const readShellFlow = (script: string): ShellFlow | undefined => {
  if (script.length > MAX_CHARACTERS) return undefined
  // Blanked, so that offsets stay.
  const text = script.replace(/[^\P{Cc}\n\t]/gu, ' ')
  if ((text.match(/\$[({[]|[<>]\(|`|<</g)?.length ?? 0) > MAX_SUBSTITUTIONS) return undefined
  try {
    return flowOf(parse(text))
  } catch {
    // The parser throws on nesting that is too deep for its stack: then there is no flow to look at.
    return undefined
  }
}

const flowOf = (root: SyntaxNode): ShellFlow => {
  const commands: FlowCommand[] = []
  const pipes: FlowCommand[][] = []
  const fed: { into: FlowCommand; from: FlowCommand[] }[] = []
  const written: FlowCommand[] = []
  const visit = (node: SyntaxNode): void => {
    const command = node.type === 'Command' ? commandOf(node) : undefined
    if (command) {
      commands.push(command)
      const from = insideOf(node)
      if (from.length > 0) fed.push({ into: command, from })
    }
    if (node.type === 'Pipeline') pipes.push(node.commands.map((each) => lastCommand(each)).filter((each) => !!each))
    if (node.type === 'Redirect' && node.target && node.operator.includes('>') && node.operator !== '>&')
      written.push({ words: [node.target.value], offset: node.pos })
    forEachChild(node, visit)
  }
  visit(root)
  return { commands, pipes, fed, written }
}

const commandOf = (node: Command): FlowCommand | undefined => {
  if (!node.name) return undefined
  const args = node.args.map((arg) => (arg.type === 'Word' ? arg.value : arg.text))
  return { words: [node.name.value, ...args], offset: node.pos }
}

/** Of a group or a loop in a pipe, what it runs last stands for it. */
const lastCommand = (node: SyntaxNode): FlowCommand | undefined =>
  node.type === 'Command' ? commandOf(node) : insideOf(node).at(-1)

const insideOf = (node: SyntaxNode): FlowCommand[] => {
  const inside: FlowCommand[] = []
  const visit = (child: SyntaxNode): void => {
    const command = child.type === 'Command' ? commandOf(child) : undefined
    if (command) inside.push(command)
    forEachChild(child, visit)
  }
  forEachChild(node, visit)
  return inside
}
