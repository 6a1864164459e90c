import * as z from 'zod'
import { nearest } from '../lib/nearest.ts'
import { issuesOf } from '../lib/zod-issues.ts'
import type { Finding } from './finding.ts'
import { depthIn, formatPath, type Path, pathKey, valueAt } from './path.ts'
import { describeType, describeValue, either } from './plain-words.ts'
import { isRecord } from './record.ts'
import { keysOf, schemasAt, unwrap } from './schema-walk.ts'
import { expectedTypes, pickBranch } from './union-branch.ts'

type Issue = z.core.$ZodIssue

export type ExplainOptions = {
  /** Where a key that is not known here may stand, as a sentence for the hint. */
  readonly homeOf?: (key: string) => string | undefined
  /** The most findings that are worth having; 100 unless told. */
  readonly limit?: number
}

/**
 * What zod found, in the words of whoever wrote the value: paths from `input`'s root, nearest valid keys and values as
 * hints. Of a union the branch is explained whose shape the value comes nearest to.
 */
export const explainIssues = (
  schema: z.ZodType,
  input: unknown,
  issues: readonly Issue[],
  { homeOf, limit = 100 }: ExplainOptions = {},
): Finding[] => {
  const scene = { schemas: [schema], root: input, path: [], homeOf }
  const told = explainAll(issues.slice(0, limit), scene)
  const rest = issues.length - limit
  return [
    ...told.map(({ guess: _guess, missing: _missing, ...finding }) => finding),
    ...(rest > 0 ? [more([], rest, 'mistake', '')] : []),
  ]
}

const more = (path: Path, count: number, what: string, where: string): Finding => ({
  path,
  at: 'value',
  code: 'more',
  rest: count,
  message: `and ${count} more ${what}${count === 1 ? '' : 's'}${where}`,
})

/** The value that issues are about, where it lies, and what may hold for it. */
type Scene = {
  readonly schemas: readonly unknown[]
  readonly root: unknown
  readonly path: Path
  readonly homeOf: ExplainOptions['homeOf']
}

/** A finding with what it says about keys: the valid one that was guessed, the one that is not there. */
type Told = Finding & { readonly guess?: string; readonly missing?: string }

const explainAll = (issues: readonly Issue[], scene: Scene): Told[] => {
  const told = restoreUnions(issues, scene).flatMap((issue) => explain(issue, scene))
  const unknown = told.filter((one) => one.code === 'unknown-key')
  if (unknown.length === 0) return told
  // A misspelt key is one mistake, though it is both a key too many and one too few, and breaks the rules of its map.
  const isExplained = (one: Told): boolean =>
    unknown.some(
      ({ path, guess }) =>
        (one.code === 'missing-key' && one.missing === guess && samePath(one.path, path.slice(0, -1))) ||
        (one.code === 'rule' && samePath(one.path, path.slice(0, -1))),
    )
  return told.filter((one) => !isExplained(one))
}

/**
 * Where one form of a union fails less badly than the others, zod gives the issues of that form alone, which need not be
 * the form that was meant: all are tried again.
 */
const restoreUnions = (issues: readonly Issue[], { schemas, root }: Scene): readonly Issue[] => {
  const restored = new Set<string>()
  return issues.flatMap((issue) => {
    const { path, union } = unionOf(issue, schemas)
    if (union === undefined || depthIn(root, path) < path.length) return [issue]
    const key = pathKey(path)
    if (restored.has(key)) return []
    restored.add(key)
    const errors = union.options.map((option) => [...issuesOf(option as z.ZodType, valueAt(root, path))])
    return [{ code: 'invalid_union', errors, path: [...path], message: issue.message, input: undefined } as const]
  })
}

/** The union whose forms an issue is about: one told apart by a key counts for all that lies in it. */
const unionOf = (issue: Issue, schemas: readonly unknown[]): { readonly path: Path; readonly union?: z.ZodUnion } => {
  const path = pathOf(issue)
  // What is wrong with a key says nothing of its value.
  if (issue.code === 'invalid_key') return { path }
  const unionAt = (length: number) =>
    schemasAt(schemas, path.slice(0, length))
      .map(unwrap)
      .find((schema) => schema instanceof z.ZodUnion)
  for (let length = 0; length < path.length; length += 1) {
    const union = unionAt(length)
    if (union instanceof z.ZodDiscriminatedUnion) return { path: path.slice(0, length), union }
  }
  const union = unionAt(path.length)
  if (union === undefined || (issue.code === 'invalid_union' && !(union instanceof z.ZodDiscriminatedUnion)))
    return { path }
  return { path, union }
}

const pathOf = (issue: Issue): Path => issue.path.filter((segment) => typeof segment !== 'symbol')

const samePath = (a: Path, b: Path): boolean => a.length === b.length && a.every((segment, i) => segment === b[i])

const explain = (issue: Issue, scene: Scene): Told[] => {
  const inner = pathOf(issue)
  const path = [...scene.path, ...inner]
  if (inner.length > 0 && depthIn(scene.root, inner) < inner.length) {
    // A rule may be about a key that need not be there: it says itself what is wrong.
    if (issue.code === 'custom') return [told('value', path.slice(0, -1), 'rule', issue.message)]
    return [missingKey(path, inner, scene)]
  }
  const value = valueAt(scene.root, inner)
  switch (issue.code) {
    case 'unrecognized_keys':
      return unknownKeys(issue.keys, path, schemasAt(scene.schemas, inner), scene)
    case 'invalid_union':
      return explainUnion(issue, value, path, { ...scene, schemas: schemasAt(scene.schemas, inner) })
    case 'invalid_type':
      return [wrongType([issue.expected], [describeType(issue.expected)], value, path)]
    case 'invalid_value':
      return [unknownValue(issue.values.map(String), value, path)]
    case 'invalid_key':
      return [told('key', path, 'format', issue.issues[0]?.message ?? 'is not a valid key')]
    case 'too_small':
      return [told('value', path, 'range', tooSmall(issue.origin, Number(issue.minimum), issue.inclusive, value))]
    case 'too_big':
      return [told('value', path, 'range', tooBig(issue.origin, Number(issue.maximum), issue.inclusive, value))]
    case 'invalid_format':
      return [told('value', path, 'format', `${issue.message}, got ${describeValue(value)}`)]
    case 'custom':
      return [told('value', path, 'rule', issue.message)]
    default:
      return [told('value', path, 'format', `is not valid, got ${describeValue(value)}`)]
  }
}

const told = (at: Finding['at'], path: Path, code: string, message: string): Told => {
  const label = formatPath(path)
  return { path, at, code, message: label === '' ? message : `\`${label}\`: ${message}` }
}

const inMap = (path: Path): string => (path.length === 0 ? '' : ` in \`${formatPath(path)}\``)

const MOST_KEYS = 100

const unknownKeys = (keys: readonly string[], path: Path, schemas: readonly unknown[], { homeOf }: Scene): Told[] => {
  const known = keysOf(schemas)
  const rest = keys.length - MOST_KEYS
  const told = keys.slice(0, MOST_KEYS).map((key): Told => {
    const home = homeOf?.(key)
    const guess = home === undefined ? nearest(key, known, 1)[0] : undefined
    const all = known.length <= 20 ? `Known keys: ${known.join(', ')}.` : undefined
    const hint = home ?? (guess === undefined ? all : `Did you mean \`${guess}\`?`)
    const message = `unknown key ${formatKey(key)}${inMap(path)}`
    return { path: [...path, key], at: 'key', code: 'unknown-key', message, ...withHint(hint), ...(guess && { guess }) }
  })
  return rest > 0 ? [...told, more(path, rest, 'unknown key', inMap(path))] : told
}

const formatKey = (key: string): string => `\`${formatPath([key])}\``

const withHint = (hint: string | undefined): { readonly hint?: string } => (hint === undefined ? {} : { hint })

const missingKey = (path: Path, inner: Path, { root, schemas }: Scene): Told => {
  const parent = path.slice(0, -1)
  const key = String(path.at(-1))
  const map = valueAt(root, inner.slice(0, -1))
  // A map that takes any key says nothing about a misspelt one.
  const known = new Set(keysOf(schemasAt(schemas, inner.slice(0, -1))))
  const strange = isRecord(map) ? Object.keys(map).filter((one) => !known.has(one)) : []
  const misspelt = nearest(key, strange.slice(0, 100), 1)[0]
  const hint = misspelt === undefined ? undefined : `Did you mean it by \`${misspelt}\`?`
  const message = `missing key ${formatKey(key)}${inMap(parent)}`
  return { path: parent, at: 'value', code: 'missing-key', message, ...withHint(hint), missing: key }
}

const wrongType = (types: readonly string[], words: readonly string[], value: unknown, path: Path): Told => ({
  ...told('value', path, 'type', `expected ${either(words)}, got ${describeValue(value)}`),
  ...withHint(typeHint(types, value)),
})

const typeHint = (types: readonly string[], value: unknown): string | undefined => {
  if (value === null) return 'Give it a value, or remove the key.'
  const isPlain = typeof value === 'number' || typeof value === 'boolean'
  if (isPlain && types.includes('string')) return `Put it in quotes: "${value}".`
  const isNumber = typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value))
  if (isNumber && types.some((type) => type === 'number' || type === 'int')) return 'Remove the quotes.'
  const isScalar = typeof value !== 'object'
  return isScalar && types.includes('array') && !types.includes('string') ? 'Write a list: [ … ].' : undefined
}

const unknownValue = (values: readonly string[], value: unknown, path: Path): Told => {
  const [only] = values
  const expected = values.length === 1 ? only : values.length <= 8 ? `one of ${values.join(', ')}` : undefined
  const got = describeValue(value)
  const message = expected === undefined ? `${got} is not known here` : `expected ${expected}, got ${got}`
  const guess = typeof value === 'string' ? nearest(value, values, 1)[0] : undefined
  const hint =
    guess !== undefined
      ? `Did you mean \`${guess}\`?`
      : expected === undefined
        ? `One of ${values.join(', ')}.`
        : undefined
  return { ...told('value', path, 'unknown-value', message), ...withHint(hint) }
}

const entries = (count: number): string => (count === 1 ? 'one entry' : `${count} entries`)

const tooSmall = (origin: string, minimum: number, inclusive: boolean | undefined, value: unknown): string => {
  if (origin === 'string') return minimum === 1 ? 'must not be empty' : `must have at least ${minimum} characters`
  if (origin === 'array') return `needs at least ${entries(minimum)}`
  return `must be ${inclusive === false ? 'more than' : 'at least'} ${minimum}, got ${describeValue(value)}`
}

const tooBig = (origin: string, maximum: number, inclusive: boolean | undefined, value: unknown): string => {
  if (origin === 'string') return `must have at most ${maximum} characters`
  if (origin === 'array') return `may have at most ${entries(maximum)}`
  return `must be ${inclusive === false ? 'less than' : 'at most'} ${maximum}, got ${describeValue(value)}`
}

const explainUnion = (issue: z.core.$ZodIssueInvalidUnion, value: unknown, path: Path, scene: Scene): Told[] => {
  const branches = pickBranch(issue, value, scene.schemas)
  if (branches.length === 0) {
    const { types, words } = expectedTypes(issue)
    return [wrongType(types, words, value, path)]
  }
  const [best = { issues: [], schemas: [] }] = branches
  // Keys of each form that fits equally well are known here.
  const schemas = branches.flatMap((branch) => branch.schemas)
  const found = explainAll(best.issues, { ...scene, schemas, root: value, path })
  if (branches.length === 1) return found
  // Several forms fit equally well: none of their keys is more missing than the others.
  const isMissing = (one: Told): boolean => one.code === 'missing-key' && samePath(one.path, path)
  const others = found.filter((one) => !isMissing(one))
  if (others.length > 0) return others
  const keys = branches.flatMap(({ issues }) =>
    issues.flatMap(({ path: [key] }) => (key === undefined ? [] : [String(key)])),
  )
  const words = [...new Set(keys)].map(formatKey)
  return [{ path, at: 'value', code: 'missing-key', message: `needs ${either(words)}${inMap(path)}` }]
}
