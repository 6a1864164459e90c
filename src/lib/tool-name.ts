import { matchesGlob } from './glob.ts'

/** Whether a pattern names a provided tool: its name, a glob, or `mcp__files` for the whole server, as other runtimes have it. */
export const matchesToolName = (pattern: string, name: string): boolean =>
  matchesGlob(pattern, name) || (isServerPrefix(pattern) && name.startsWith(`${pattern}__`))

export const isServerPrefix = (pattern: string): boolean => /^mcp__[A-Za-z0-9-]+(_[A-Za-z0-9-]+)*$/.test(pattern)
