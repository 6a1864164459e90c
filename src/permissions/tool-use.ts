import type { ActionType } from '../core/actions.ts'
import type { PermissionRequest } from '../core/ports.ts'
import { isShellTool, plainToolName } from '../core/shell-tool.ts'
import type { ShellLine } from '../lib/shell.ts'
import { lineOfWords } from './touches-line.ts'

/** A request as rules are compared with it. */
export type ToolUse = {
  readonly tool: ActionType
  readonly target: string
  readonly args: readonly string[]
  /** What a provided shell is to run; undefined for everything else. */
  readonly line: ShellLine | undefined
  /** Reads a line that is a word of another. */
  readonly read: (text: string) => ShellLine
}

/** Shells that read quotes, parentheses and backslashes in another way than bash. */
const otherShells: ReadonlySet<string> = new Set(['fish', 'cmd', 'powershell', 'pwsh'])

/** A line that every shell reads alike: one command of plain words. */
const isPlain = (line: string): boolean => /^\w[\w.-]*(?: +[\w./:=+-]+)*$/.test(line)

/**
 * What a request uses. A call of a provided shell is its line: `Bash(…)` rules speak of that, parsed by a real shell
 * parser, which is loaded only then. A line that is not one text in `command` or `cmd` can't be read.
 */
export const toolUse = async ({ tool, target, params }: PermissionRequest): Promise<ToolUse> => {
  const args = Array.isArray(params.args) ? params.args.map(String) : []
  const plain = { tool, target, args, line: undefined, read: () => unknownLine }
  // grep's main parameter is what is searched for; rules are about where.
  if (tool === 'grep') return { ...plain, target: typeof params.path === 'string' ? params.path : '.' }
  if (tool !== 'call_tool' || !isShellTool(target)) return plain
  const { readShellLine } = await import('../lib/shell.ts')
  const isOther = otherShells.has(plainToolName(target))
  const read: ToolUse['read'] = (line) => (isOther && !isPlain(line) ? notBash : readShellLine(line))
  return { ...plain, line: lineOf(params.input, read), read }
}

const lineOf = (input: unknown, read: ToolUse['read']): ShellLine => {
  // Some hand on an object as text.
  if (typeof input === 'string') return /^\s*[[{"]/.test(input) && isJson(input) ? unknownLine : read(input)
  if (typeof input !== 'object' || input === null) return unknownLine
  const { command, cmd, ...rest } = input as Record<string, unknown>
  const line = command ?? cmd
  const isAmbiguous =
    (command !== undefined && cmd !== undefined) || Object.keys(rest).some((key) => !harmless.has(key))
  if (isAmbiguous) return unknownLine
  if (typeof line === 'string') return read(line)
  const isWords = Array.isArray(line) && line.length > 0 && line.every((word) => typeof word === 'string')
  return isWords ? bothReadings(lineOfWords(line), read(line.join(' '))) : unknownLine
}

/** Some run the words as they are, some join them to a line for a shell. */
const bothReadings = (one: ShellLine, other: ShellLine): ShellLine => ({
  commands: [...one.commands, ...other.commands],
  assigned: [...one.assigned, ...other.assigned],
  besides: [...one.besides, ...other.besides],
  fault: one.fault ?? other.fault,
})

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** What a shell may be told besides its line without becoming another command. */
const harmless: ReadonlySet<string> = new Set(['description', 'timeout', 'timeout_ms', 'reason', 'explanation'])

const unknownLine: ShellLine = { commands: [], assigned: [], besides: [], fault: 'no line in command or cmd' }

const notBash: ShellLine = { ...unknownLine, fault: 'a line for another shell than bash' }
