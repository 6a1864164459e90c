import { SkillsEvalError } from '../core/errors.ts'
import { relativePath } from '../core/relative-path.ts'
import { globFault, isGlob, matchesGlob, unescapeGlob } from './glob.ts'
import { extractJson } from './json.ts'
import { compileRegex } from './regex.ts'

export type Matcher = (value: unknown) => boolean
export type CheckMap = Readonly<Record<string, unknown>>

/** Compiles a check that is not about plain text, to be asked of a value; undefined: it is no such check. */
export type MoreChecks = (check: CheckMap) => Promise<Matcher> | undefined

/**
 * Compiles a pattern for JSON values. A map with one check operator is a check on the value's text (a string as it
 * is, a list of strings joined with spaces, anything else as JSON; `equals` of something else than a string compares
 * values); another map matches in part; a list element by element; a string below `path` or `url` as a glob or
 * exactly, elsewhere exactly; null also what is absent. Throws a SkillsEvalError for a pattern that means nothing;
 * the matcher throws a RegexTimeout.
 */
export const compileMatcher = async (pattern: unknown, more: MoreChecks = () => undefined): Promise<Matcher> => {
  if (Array.isArray(pattern)) return listMatcher(pattern, more)
  if (pattern === null) return (value) => value === null || value === undefined
  if (!isMap(pattern)) return (value) => value === pattern
  const operator = operatorIn(pattern)
  if (operator === undefined) return compileFields(pattern, more)
  const holds = (await compileCheck(operator, pattern)) ?? (await more(pattern))
  if (holds === undefined) throw new SkillsEvalError('invalid_pattern', `${operator} can't be used in a pattern`)
  return pattern.not === true ? (value) => !holds(value) : holds
}

/** Compiles a map to match in part, also one that looks like a check. */
export const compileFields = async (pattern: CheckMap, more: MoreChecks): Promise<Matcher> => {
  const entries = await Promise.all(
    Object.entries(pattern).map(async ([key, wanted]) => [key, await fieldMatcher(key, wanted, more)] as const),
  )
  return (value) =>
    isMap(value) && entries.every(([key, matches]) => matches(Object.hasOwn(value, key) ? value[key] : undefined))
}

/** The text that a check in a pattern looks at; '' for what is absent. */
export const textOf = (value: unknown): string => {
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(' ')
  return value === undefined ? '' : jsonText(value)
}

/** A value as JSON; '' where it is nested too deeply to be written. */
export const jsonText = (value: unknown): string => {
  try {
    return JSON.stringify(value) ?? ''
  } catch (error) {
    if (error instanceof RangeError) return ''
    throw error
  }
}

/** Both sides of a comparison that ignores case go through this. */
export const foldCase = (text: string, ignoreCase: unknown): string => (ignoreCase === true ? text.toLowerCase() : text)

export type LengthUnit = 'chars' | 'words' | 'lines'
type LengthRange = { readonly min?: number; readonly max?: number; readonly unit?: LengthUnit }

/** Code points, words between Unicode white space, or lines (a line end at the very end begins no further line). */
export const textLength = (text: string, unit: LengthUnit): number => {
  switch (unit) {
    case 'chars':
      return codePoints(text)
    case 'words':
      return text.match(/\S+/gu)?.length ?? 0
    case 'lines':
      return text === '' ? 0 : text.replace(/\r?\n$/, '').split(/\r\n|\n|\r/).length
  }
}

/** Whether two JSON values are equal, whatever the order of keys; false for what is nested over 1,000 deep. */
export const deepEqual = (a: unknown, b: unknown, depth = 0): boolean => {
  if (a === b) return true
  if (depth > 1000) return false
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((item, i) => deepEqual(item, b[i], depth + 1))
  if (!isMap(a) || !isMap(b)) return false
  const keys = Object.keys(a)
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && deepEqual(a[key], b[key], depth + 1))
  )
}

export const isMap = (value: unknown): value is CheckMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether a pattern is a check on a value's text rather than a map to match in part. */
export const isCheckMap = (pattern: unknown): pattern is CheckMap => isMap(pattern) && operatorIn(pattern) !== undefined

const listMatcher = async (patterns: readonly unknown[], more: MoreChecks): Promise<Matcher> => {
  const matchers = await Promise.all(patterns.map((pattern) => compileMatcher(pattern, more)))
  return (value) =>
    Array.isArray(value) && value.length === matchers.length && matchers.every((matches, i) => matches(value[i]))
}

const fieldMatcher = (key: string, wanted: unknown, more: MoreChecks): Promise<Matcher> | Matcher => {
  if (typeof wanted !== 'string' || (key !== 'path' && key !== 'url')) return compileMatcher(wanted, more)
  const isLike = globTest(wanted)
  if (key === 'url') return (value) => typeof value === 'string' && isLike(value)
  const isSameFile = globTest(normalisedPattern(wanted))
  return (value) => typeof value === 'string' && (isLike(value) || isSameFile(normalised(value)))
}

const globTest = (wanted: string): ((text: string) => boolean) => {
  if (!isGlob(wanted)) {
    const meant = unescapeGlob(wanted)
    return (text) => text === meant
  }
  const fault = globFault(wanted)
  if (fault !== undefined)
    throw new SkillsEvalError('invalid_pattern', `the pattern ${JSON.stringify(wanted)} ${fault}`)
  return (text) => text === wanted || matchesGlob(wanted, text)
}

/** `./data//x.csv` and `data/x.csv` name the same file. */
const normalised = (path: string): string => {
  const result = relativePath(path)
  return 'path' in result ? result.path : path
}

/** The same of a pattern, whose backslashes no path may have. */
const normalisedPattern = (pattern: string): string => {
  if (!pattern.includes('\\')) return normalised(pattern)
  if ('problem' in relativePath(pattern.replaceAll(/\\[\\*?[\]{}]/g, 'x'))) return pattern
  return pattern
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/')
}

/** What the operand of each operator must be; a map that only looks like a check is one to match in part. */
const operands: Readonly<Record<string, (operand: unknown) => boolean>> = {
  equals: () => true,
  contains: isScalar,
  contains_all: isScalars,
  contains_any: isScalars,
  starts_with: isScalar,
  ends_with: isScalar,
  regex: (operand) => typeof operand === 'string',
  length: isLengthRange,
  is_json: (operand) => typeof operand === 'boolean',
  json_schema: (operand) => isMap(operand) || typeof operand === 'boolean' || typeof operand === 'string',
  json_equals: () => true,
  json_path: (operand) => isMap(operand) && typeof operand.path === 'string',
  similar: (operand) => isMap(operand) && typeof operand.to === 'string',
  headings: isScalars,
  script: (operand) => isMap(operand) && typeof operand.run === 'string',
}

const siblings = new Set(['name', 'weight', 'not', 'ignore_case', 'trim', 'ignore', 'tolerance', 'unordered'])

const operatorIn = (map: CheckMap): string | undefined => {
  const named = Object.keys(map).filter((key) => !siblings.has(key))
  const [operator] = named
  if (operator === undefined || named.length > 1 || !Object.hasOwn(operands, operator)) return undefined
  return operands[operator]?.(map[operator]) === true ? operator : undefined
}

function isScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

function isLengthRange(value: unknown): boolean {
  if (!isMap(value)) return false
  const { min = 0, max = 0, unit = 'chars', ...rest } = value
  const isUnit = unit === 'chars' || unit === 'words' || unit === 'lines'
  return typeof min === 'number' && typeof max === 'number' && isUnit && Object.keys(rest).length === 0
}

function isScalars(value: unknown): boolean {
  return Array.isArray(value) && value.every(isScalar)
}

const compileCheck = async (operator: string, check: CheckMap): Promise<Matcher | undefined> => {
  const operand = check[operator]
  const fold = (text: string): string => foldCase(text, check.ignore_case)
  const one = fold(textOf(operand))
  const several = Array.isArray(operand) ? operand.map((part) => fold(String(part))) : []
  const ofText = (holds: (text: string) => boolean): Matcher => {
    return (value) => holds(fold(textOf(value)))
  }
  switch (operator) {
    case 'equals':
      if (typeof operand !== 'string') return (value) => deepEqual(value, operand) || textOf(value) === textOf(operand)
      return check.trim === true ? ofText((text) => text.trim() === one.trim()) : ofText((text) => text === one)
    case 'contains':
      return ofText((text) => text.includes(one))
    case 'contains_all':
      return ofText((text) => several.every((part) => text.includes(part)))
    case 'contains_any':
      return ofText((text) => several.some((part) => text.includes(part)))
    case 'starts_with':
      return ofText((text) => text.startsWith(one))
    case 'ends_with':
      return ofText((text) => text.endsWith(one))
    case 'regex':
      return regexTest(one)
    case 'length':
      return lengthTest(operand as LengthRange)
    case 'is_json':
      return (value) => extractJson(textOf(value)).ok === operand
    default:
      return undefined
  }
}

const regexTest = async (source: string): Promise<Matcher> => {
  const compiled = await compileRegex(source)
  if (!compiled.ok) throw new SkillsEvalError('invalid_pattern', `${source}: ${compiled.message}`)
  return (value) => compiled.regex.test(textOf(value))
}

const lengthTest = ({ min = 0, max = Number.POSITIVE_INFINITY, unit = 'chars' }: LengthRange): Matcher => {
  return (value) => {
    const length = textLength(textOf(value), unit)
    return length >= min && length <= max
  }
}

const codePoints = (text: string): number => {
  let count = 0
  for (const _ of text) count++
  return count
}
