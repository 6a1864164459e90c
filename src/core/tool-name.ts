import { actionTypeOf } from './actions.ts'
import { UsageError } from './errors.ts'

/** Whether a tool that a caller provides can be called so: as providers allow it, and no action nor tool of a server is. */
export const isToolName = (name: unknown): name is string =>
  typeof name === 'string' &&
  /^[A-Za-z0-9_-]{1,64}$/.test(name) &&
  !name.startsWith('mcp__') &&
  actionTypeOf(name) === undefined

export const badToolName = (name: unknown): UsageError =>
  new UsageError('bad_tool', `a tool can't be called ${JSON.stringify(String(name).slice(0, 80))}`, {
    hint: 'A name has letters, digits, _ and -, 64 at most, and is none of an action or of an MCP server.',
  })
