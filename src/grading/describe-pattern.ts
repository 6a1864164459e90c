import { jsonText } from '../lib/match-value.ts'
import type { ActionPattern } from '../schema/pattern.ts'
import { excerpt } from './excerpt.ts'

/** A pattern on one line, much as it was written: `run_script scripts/*.py`, `run_script {"exit_code":0}`. */
export const describePattern = (pattern: ActionPattern): string => {
  if (typeof pattern === 'string') return pattern
  const { action, ...rest } = pattern as Readonly<Record<string, unknown>>
  if (typeof action === 'string') return joined(action, Object.keys(rest).length === 0 ? undefined : rest)
  const [name = '', main] = Object.entries(pattern)[0] ?? []
  return joined(name, main)
}

export const describePatterns = (patterns: readonly ActionPattern[]): string =>
  excerpt(patterns.map(describePattern).join(', '), 0, 160)

const joined = (action: string, rest: unknown): string => {
  if (rest === undefined || rest === null) return action
  const text = typeof rest === 'string' && /^[\x20-\x7e\xa1-\u1fff]*$/.test(rest) ? rest : jsonText(rest)
  return `${action} ${excerpt(text, 0, 100)}`
}
