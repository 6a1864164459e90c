import type { SafeRegex } from './regex-engine.ts'

const MAX_LENGTH = 10_000

/**
 * Compiles the `pattern` of a schema. The drafts read patterns with the flag u, but many in use are valid only without it,
 * so both are. Throws a SyntaxError for what is neither.
 */
export const compileSchemaPattern = (
  pattern: string,
  compileRegex: (body: string, flags: string) => SafeRegex,
): SafeRegex => {
  const regex = compileRegex(pattern, syntaxFault(pattern, 'u') === undefined ? 'u' : '')
  // Ajv tells patterns apart by their text.
  const named = { ...regex, toString: () => regex.source }
  return named
}

/** What is wrong with a pattern; undefined: nothing. */
export const schemaPatternFault = (pattern: string): string | undefined => {
  if (pattern.length > MAX_LENGTH) return `the pattern is longer than ${MAX_LENGTH} characters`
  return syntaxFault(pattern, 'u') === undefined ? undefined : syntaxFault(pattern, '')
}

const syntaxFault = (pattern: string, flags: string): string | undefined => {
  try {
    new RegExp(pattern, flags)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
