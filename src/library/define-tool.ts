import { UsageError } from '../core/errors.ts'
import type { JsonSchema } from '../core/model.ts'
import type { ProvidedTool, ToolResult } from '../core/ports.ts'
import { badToolName, isToolName } from '../core/tool-name.ts'
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
 * tool (`call_tool(NAME)`), and what it answers is recorded with the model's answers. Throws a UsageError `bad_tool`; one
 * for an `input` that is no JSON Schema comes from the run.
 */
export const defineTool = <Input = Readonly<Record<string, unknown>>>(
  definition: ToolDefinition<Input>,
): ProvidedTool => {
  const { name, description, input: parameters = {} } = definition
  if (!isToolName(name)) throw badToolName(name)
  const wrong = (what: string) => new UsageError('bad_tool', `the tool ${name} ${what}`)
  if (typeof description !== 'string') throw wrong('has no description, which is a text')
  if (typeof definition.run !== 'function') throw wrong('has no function `run`')
  if (typeof parameters !== 'object' || parameters === null || Array.isArray(parameters)) {
    throw wrong('has an `input` that is no JSON Schema, which is an object')
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
