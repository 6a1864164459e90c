import { UsageError } from '../core/errors.ts'
import type { ProvidedTool } from '../core/ports.ts'
import { badToolName, isToolName } from '../core/tool-name.ts'
import { loadJsonSchema } from '../lib/json-schema.ts'
import { visibleLine } from '../lib/visible.ts'

/** Throws a UsageError where a caller's tools are no tools, two have one name, or the schema of one is broken. */
export const checkTools = async (tools: readonly ProvidedTool[]): Promise<void> => {
  const names = new Set<string>()
  for (const [i, tool] of tools.entries()) {
    const { name, description, parameters, call } = Object(tool) as Partial<ProvidedTool>
    if (typeof call !== 'function' || typeof description !== 'string') {
      throw new UsageError('bad_tool', `\`tools[${i}]\` is no tool`, { hint: 'Make it with defineTool.' })
    }
    if (!isToolName(name)) throw badToolName(name)
    if (names.has(name)) throw new UsageError('bad_tool', `two of \`tools\` are called ${name}`)
    names.add(name)
    const compiled = (await loadJsonSchema()).compile(parameters)
    if (!compiled.ok) {
      throw new UsageError('bad_tool', `the input of the tool ${name} is no JSON Schema: ${fault(compiled)}`)
    }
  }
}

const fault = ({ pointer, message }: { readonly pointer: string; readonly message: string }): string =>
  visibleLine([pointer, message].filter((part) => part !== '').join(' '), 300)
