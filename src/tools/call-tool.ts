import type { ProvidedTool, Tool } from '../core/ports.ts'
import { loadJsonSchema } from '../lib/json-schema.ts'
import { nearest } from '../lib/nearest.ts'

const mostIssues = 10

/** Reaches the tools that the run provides; their input is checked against their own schema on every call. */
export const callToolTool = (provided: readonly ProvidedTool[]): Tool => ({
  type: 'call_tool',
  risk: 'medium',
  run: async (params, { signal }) => {
    const name = String(params.tool)
    const tool = provided.find((candidate) => candidate.name === name)
    if (!tool) {
      const names = provided.map((candidate) => candidate.name)
      const sorted = [...new Set([...nearest(name, names), ...names])]
      return { status: 'error', text: `there is no tool ${name}; there is: ${sorted.join(', ') || 'none'}` }
    }
    const input = params.input ?? {}
    const issues = await schemaIssues(tool, input)
    if (issues.length > 0) return { status: 'error', text: `the input of ${name} is not valid: ${issues.join('; ')}` }
    return tool.call(input, { signal })
  },
})

const schemaIssues = async (tool: ProvidedTool, input: unknown): Promise<string[]> => {
  if (tool.checksInput || Object.keys(tool.parameters).length === 0) return []
  const compiled = (await loadJsonSchema()).compile(tool.parameters)
  if (!compiled.ok) return [`its schema is broken: ${compiled.message}`]
  const issues = compiled.validate(input)
  const told = issues.slice(0, mostIssues).map(({ pointer, message }) => `${pointer || 'it'} ${message}`)
  return issues.length > mostIssues ? [...told, `and ${issues.length - mostIssues} more`] : told
}
