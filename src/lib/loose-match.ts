import { compileRegex, isRegexLiteral } from './regex.ts'

/**
 * Whether a text is what an author's pattern looks for: `/…/flags` is a regular expression, any other text must be
 * contained, case ignored. Throws a RegexTimeout for an expression that takes too long.
 */
export const looselyMatches = async (pattern: string, text: string): Promise<boolean> => {
  if (!isRegexLiteral(pattern)) return text.toLowerCase().includes(pattern.toLowerCase())
  const compiled = await compileRegex(pattern)
  return compiled.ok && compiled.regex.test(text)
}
