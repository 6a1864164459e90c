import picomatch from 'picomatch'
import { SkillsEvalError } from '../core/errors.ts'
import { boundedCache } from './bounded-cache.ts'
import { withinDeadline } from './deadline.ts'

const MAX_LENGTH = 1_000
const MAX_WILDCARDS = 32
const MAX_RANGE = 100
const TIMEOUT_MS = 250

type Glob = { readonly regex: RegExp; readonly wildcards: number; readonly choices: number }

/**
 * Whether the whole `path` (with `/` between its parts, on every system) matches the pattern: `*` and `?` within
 * one part, `**` as a whole part for any number of parts, `[a-z]`, `[!a]`, `{a,b}`, `{1..9}`, a backslash before
 * what is meant literally. Names that start with a dot match like any other; every other character, also `(`, `+`,
 * `|` and a leading `!`, means itself. `dir/**` matches `dir` too. Throws a SkillsEvalError: `invalid_glob` for what
 * `globFault` finds, `glob_timeout` when it can't be decided in 250 ms.
 */
export const matchesGlob = (pattern: string, path: string): boolean => {
  const glob = globs.get(pattern, () => compile(pattern))
  if (typeof glob === 'string')
    throw new SkillsEvalError('invalid_glob', `the pattern ${JSON.stringify(pattern)} ${glob}`)
  const { regex } = glob
  // The steps of backtracking grow with the power of the wildcards: typical patterns need no watchdog.
  if (glob.choices * path.length ** glob.wildcards < 1_000_000) return regex.test(path)
  const result = withinDeadline(TIMEOUT_MS, () => regex.test(path))
  if (result.ok) return result.value
  throw new SkillsEvalError(
    'glob_timeout',
    `whether a path matches ${JSON.stringify(pattern)} takes too long to find out`,
    {
      hint: 'Use fewer wildcards in one pattern.',
    },
  )
}

/** Whether the pattern has wildcards, so that it may match something else than itself; too long a text counts as one. */
export const isGlob = (pattern: string): boolean =>
  pattern.length > MAX_LENGTH || /[*?]|\[[^\]]+\]|\{[^{}]*(?:,|\.\.)/.test(pattern.replaceAll(/\\./gs, ''))

/** A pattern that matches this path and no other. */
export const escapeGlob = (path: string): string => path.replaceAll(/[\\*?[\]{}]/g, '\\$&')

/** The path that a pattern without wildcards stands for. */
export const unescapeGlob = (pattern: string): string => pattern.replaceAll(/\\([\\*?[\]{}])/g, '$1')

/** What is wrong with the pattern, said as the end of a sentence ("is empty"); undefined: nothing. */
export const globFault = (pattern: string): string | undefined => {
  const glob = globs.get(pattern, () => compile(pattern))
  return typeof glob === 'string' ? glob : undefined
}

const globs = boundedCache<string, Glob | string>(1_000)

const compile = (pattern: string): Glob | string => {
  if (pattern === '') return 'is empty'
  if (pattern.length > MAX_LENGTH) return `is longer than ${MAX_LENGTH} characters`
  const plain = onlyGlobs(pattern)
  const wildcards = plain.match(/(?<!\\)\*+/g)?.length ?? 0
  const choices = plain.match(/(?<!\\)[{,[]/g)?.length ?? 0
  if (wildcards + choices > MAX_WILDCARDS) return `has more than ${MAX_WILDCARDS} wildcards and alternatives`
  try {
    const regex = picomatch.makeRe(plain, {
      dot: true,
      noextglob: true,
      nonegate: true,
      windows: false,
      debug: true, // Otherwise a pattern that makes no regular expression would silently match nothing.
      expandRange,
    })
    return { regex, wildcards, choices: 2 ** choices }
  } catch {
    return 'can not be read: a bracket or brace is not closed, or a range runs backwards'
  }
}

/**
 * Escapes what picomatch reads as more than a glob (regular expression groups, alternatives and quantifiers), writes
 * `[!a]` as `[^a]`, and makes `**` that is not a whole part the same as `*`.
 */
const onlyGlobs = (pattern: string): string =>
  pattern.replaceAll(/\\.|\[!?[^\]/]+\]|\*\*+|[()|+"^$]/gs, (piece, at: number) => {
    if (piece.startsWith('[')) return piece.startsWith('[!') ? `[^${piece.slice(2)}` : piece
    if (!piece.startsWith('*')) return piece.length === 1 ? `\\${piece}` : piece
    const isWholePart = /(^|[/{,])$/.test(pattern.slice(0, at)) && /^($|[/},])/.test(pattern.slice(at + piece.length))
    return piece === '**' && isWholePart ? piece : '*'
  })

const expandRange = (from: string, to: string): string => {
  if (/^[a-z]$/i.test(from) && /^[a-z]$/i.test(to)) return `[${from}-${to}]`
  const [low, high] = [Number(from), Number(to)]
  const isRange = /^\d{1,6}$/.test(from) && /^\d{1,6}$/.test(to) && low <= high && high - low < MAX_RANGE
  if (!isRange) throw new RangeError(`not a range: ${from}..${to}`)
  return `(?:${Array.from({ length: high - low + 1 }, (_, index) => low + index).join('|')})`
}
