import { relativePath } from '../core/relative-path.ts'
import type { ToolUse } from './tool-use.ts'

const interpreters: ReadonlyMap<string, readonly string[]> = new Map([
  ['py', ['python3', 'python']],
  ['sh', ['bash', 'sh']],
  ['bash', ['bash']],
  ['js', ['node']],
  ['mjs', ['node']],
  ['cjs', ['node']],
  ['ts', ['node']],
])

/** The ways in which running this script can be written as a command: its words, taken as they are. */
export const scriptCommands = ({ target, args }: ToolUse): readonly (readonly string[])[] => {
  const result = relativePath(target)
  const script = 'path' in result ? result.path : target
  const extension = /\.([^./]+)$/.exec(script)?.[1]?.toLowerCase() ?? ''
  const starts = [[script], [`./${script}`], ...(interpreters.get(extension) ?? []).map((program) => [program, script])]
  return starts.map((start) => [...start, ...args])
}
