import type { ProvidedTool, ToolResult } from '../core/ports.ts'
import { compileMatcher } from '../lib/match-value.ts'
import type { ToolDouble } from '../schema/suite.ts'

/**
 * A tool whose answers the suite wrote: `returns`, `returns_each` (one per call, then an error), `when` patterns with
 * `otherwise`, or an `error`. Made anew for each trial: its count of calls is its own.
 */
export const testDouble = (name: string, double: ToolDouble): ProvidedTool => {
  let calls = 0
  return {
    name,
    description: double.description ?? `The tool ${name}.`,
    parameters: double.input_schema ?? {},
    call: async (input) => {
      calls += 1
      return answer(double, input, calls)
    },
  }
}

const answer = async (double: ToolDouble, input: unknown, call: number): Promise<ToolResult> => {
  if (double.error !== undefined) return failed(double.error)
  if (double.returns_each !== undefined) {
    const { length } = double.returns_each
    if (call > length) return failed(`the test double has ${length} answers and this is call ${call}`)
    return returned(double.returns_each[call - 1])
  }
  for (const clause of double.when ?? []) {
    const matches = await compileMatcher(clause.input)
    if (matches(input)) return clause.error === undefined ? returned(clause.returns) : failed(clause.error)
  }
  if (double.otherwise?.error !== undefined) return failed(double.otherwise.error)
  if (double.otherwise) return returned(double.otherwise.returns)
  return double.when ? failed('no "when" of the test double matches this input') : returned(double.returns)
}

const returned = (value: unknown): ToolResult => ({
  status: 'ok',
  text: typeof value === 'string' ? value : (JSON.stringify(value) ?? 'null'),
})

const failed = (text: string): ToolResult => ({ status: 'error', text })
