import { SkillsEvalError } from '../core/errors.ts'
import { boundedCache } from './bounded-cache.ts'
import { withinDeadline } from './deadline.ts'
import { loadRegexEngine, RegexTimeout, type SafeRegex, TIMEOUT_MS } from './regex-engine.ts'

export { RegexTimeout, type SafeRegex } from './regex-engine.ts'

export type RegexResult =
  | { readonly ok: true; readonly regex: SafeRegex }
  | { readonly ok: false; readonly message: string }

const MAX_LENGTH = 10_000

/**
 * Compiles a pattern in JavaScript's syntax, bare or as `/…/flags` (flags i m s g u; g makes no difference), so that
 * no pattern and no text can hang the run. It matches as in JavaScript, except that a character is a code point
 * also without the flag u (`.` matches a whole emoji), and that the flag i also folds `ſ` with s and `K` (the
 * Kelvin sign) with k. Compiled patterns are kept by their source.
 */
export const compileRegex = async (source: string): Promise<RegexResult> => {
  const compile = await loadRegexEngine()
  return compiled.get(source, () => {
    const pattern = readPattern(source)
    return pattern.ok ? { ok: true, regex: compile(pattern.body, pattern.flags) } : pattern
  })
}

/** What is wrong with the pattern, by the native engine; undefined: nothing. Loads and compiles nothing else. */
export const isValidRegex = (source: string): string | undefined => {
  const pattern = readPattern(source)
  return pattern.ok ? undefined : pattern.message
}

/**
 * The text with every match replaced, as String.replace does it (`$1`, `$<name>`, `$&`). Throws a RegexTimeout where that
 * takes longer than 250 ms, a SkillsEvalError for a pattern that is not valid.
 */
export const replaceMatches = (text: string, source: string, replacement: string): string => {
  const pattern = readPattern(source)
  if (!pattern.ok) throw new SkillsEvalError('bad_regex', pattern.message)
  const native = new RegExp(pattern.body, pattern.flags.includes('g') ? pattern.flags : `${pattern.flags}g`)
  const result = withinDeadline(TIMEOUT_MS, () => text.replace(native, replacement))
  if (!result.ok) throw new RegexTimeout(source)
  return result.value
}

const compiled = boundedCache<string, RegexResult>(1_000)

type Pattern =
  | { readonly ok: true; readonly body: string; readonly flags: string }
  | { readonly ok: false; readonly message: string }

// Letters that are no flags leave a bare pattern: /tmp/out is a path, not the pattern "tmp".
const literal = /^\/(.+)\/([dgimsuvy]*)$/s

/** Whether a source is written `/…/flags`; another may be a bare pattern, or no pattern at all. */
export const isRegexLiteral = (source: string): boolean => literal.test(source)

const readPattern = (source: string): Pattern => {
  if (source.length > MAX_LENGTH) return invalid(`the pattern is longer than ${MAX_LENGTH} characters`)
  const [, body = source, flags = ''] = literal.exec(source) ?? []
  const unknown = /[^gimsu]/.exec(flags)
  if (unknown !== null) return invalid(`the flag "${unknown[0]}" has no use here: flags are i, m, s, g and u`)
  try {
    new RegExp(body, flags)
    return { ok: true, body, flags }
  } catch (error) {
    const isInline = /^\(\?[imsux]+\)/.test(body)
    return invalid(`${reasonOf(error)}${isInline ? '; flags go after the pattern: /…/i' : ''}`)
  }
}

// The native message repeats the whole pattern, then says why.
const reasonOf = (error: unknown): string => {
  const message = error instanceof Error ? error.message : String(error)
  const reason = message.slice(message.lastIndexOf(': ') + 1).trim()
  return `not a regular expression: ${reason}`
}

const invalid = (message: string) => ({ ok: false, message }) as const
