import { actionTypeOf } from '../core/actions.ts'
import { UsageError } from '../core/errors.ts'
import type { JsonSchema } from '../core/model.ts'
import type { ProvidedTool, ToolResult } from '../core/ports.ts'
import { visibleLine } from '../lib/visible.ts'
import { untilAborted } from './until-aborted.ts'

export type ToolDefinition<Input> = {
  /** Letters, digits, `_` and `-`, 64 at most; no action and no tool of an MCP server has it. */
  readonly name: string
  readonly description: string
  /** JSON Schema of the input, checked before `run` is called; without it any object will do. */
  readonly input?: JsonSchema
  /** What it returns is told the model: a text as it is, anything else as JSON. What it throws is an error for the model. */
  run(input: Input, options: { readonly signal: AbortSignal }): unknown
}

/**
 * A tool of the caller's for `runAgent` and `runSuites`. Each call of it is permitted by the policy like that of any
 * tool (`call_tool(NAME)`), and what it answers is recorded with the model's answers.
 */
export const defineTool = <Input = Readonly<Record<string, unknown>>>(
  definition: ToolDefinition<Input>,
): ProvidedTool => {
  const { name, description, input: parameters = {} } = definition
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name) || name.startsWith('mcp__') || actionTypeOf(name) !== undefined) {
    throw new UsageError('bad_tool', `a tool can't be called ${visibleLine(name, 80)}`, {
      hint: 'A name has letters, digits, _ and -, 64 at most, and is none of an action or of an MCP server.',
    })
  }
  return {
    name,
    description,
    parameters,
    call: async (given, options) => {
      options.signal.throwIfAborted()
      try {
        return told(await untilAborted(() => definition.run(given as Input, options), options.signal))
      } catch (error) {
        options.signal.throwIfAborted()
        return { status: 'error', text: error instanceof Error ? error.message : String(error) }
      }
    },
  }
}

const told = (value: unknown): ToolResult => ({
  status: 'ok',
  text: typeof value === 'string' ? value : (JSON.stringify(value) ?? 'null'),
})
