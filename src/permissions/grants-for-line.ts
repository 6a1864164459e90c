import { isShellTool } from '../core/shell-tool.ts'
import { parseToolRule, type ToolRule } from '../core/tool-rule.ts'
import { rulesForLine } from './allows-line.ts'
import { namesExactly } from './match-rule.ts'
import { toolUse } from './tool-use.ts'

/**
 * The grants (`Bash:git status`), one for each command, that let just this line of a provided shell pass; undefined
 * where no rules about commands can, since the line does more than to run commands of plain words.
 */
export const grantsForLine = async (tool: string, input: unknown): Promise<readonly string[] | undefined> => {
  if (!isShellTool(tool)) return undefined
  const request = { tool: 'call_tool', target: tool, params: { tool, input }, skill: undefined, loaded: [] } as const
  const { line } = await toolUse(request)
  if (line === undefined) return undefined
  const texts = [...new Set(line.commands.map((words) => words.map(({ value }) => value ?? '$').join(' ')))]
  const rules: readonly ToolRule[] = texts.flatMap((text) => parseToolRule(`Bash(${text})`) ?? [])
  if (rules.length < texts.length || !rules.every(namesExactly) || rulesForLine(rules, line) === undefined)
    return undefined
  return texts.map((text) => `Bash:${text}`)
}
