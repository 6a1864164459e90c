import { type FlowCommand, readShellFlow, type ShellFlow } from '../../lib/shell-flow.ts'

/**
 * A shell script's flow with the words that it puts together itself written out: variables that it sets to a plain text, lists
 * in braces, and the separator that is spelt as a variable. Undefined where it can't be read.
 */
export const expandedFlow = (script: string): ShellFlow | undefined => {
  const flow = readShellFlow(script)
  if (flow === undefined || !/[$,]/.test(script)) return flow
  const values = assignmentsOf(script)
  const expand = ({ words, offset }: FlowCommand): FlowCommand => ({
    words: words.flatMap((word) => expanded(word, values)),
    offset,
  })
  return {
    commands: flow.commands.map(expand),
    pipes: flow.pipes.map((pipe) => pipe.map(expand)),
    fed: flow.fed.map(({ into, from }) => ({ into: expand(into), from: from.map(expand) })),
    written: flow.written.map(expand),
  }
}

/** Of a name that is set more than once, what a scan would rather know of is not clear: the last one is taken. */
const assignmentsOf = (script: string): ReadonlyMap<string, string> =>
  new Map(
    Array.from(
      script.matchAll(
        /(?<![\w$-])([A-Za-z_]\w{0,40})=(?:"([^"$`\n]{1,300})"|'([^'\n]{1,300})'|([^\s"'$`;|&()<>]{1,300}))/g,
      ),
      ([, name = '', double, single, plain]) => [name, double ?? single ?? plain ?? ''] as const,
    ),
  )

const expanded = (word: string, values: ReadonlyMap<string, string>): readonly string[] => {
  if (!/[${]/.test(word)) return [word]
  const [, list] = /^\{([^{}\s]+,[^{}\s]*)\}$/.exec(word) ?? []
  if (list !== undefined) return list.split(',')
  const spaced = word.replace(/\$\{?IFS(?:%\?\?|[^}\w][^}]{0,10})?\}?(?:\$\d)?/g, ' ')
  const whole = /^\$\{?([A-Za-z_]\w{0,40})\}?$/.exec(spaced)
  const text = spaced.replace(
    /\$(?:\{([A-Za-z_]\w{0,40})(?::?-[^}]{0,80})?\}|([A-Za-z_]\w{0,40}))/g,
    (all, braced, name) => {
      const value = values.get(braced ?? name)
      return value === undefined ? all : value
    },
  )
  // Only a variable that stands by itself is split, as a shell does where it is not quoted.
  return whole !== null || spaced !== word ? text.split(/\s+/).filter((part) => part !== '') : [text]
}
