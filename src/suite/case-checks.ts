import type { CheckOperator } from '../schema/check.ts'
import type { Path } from './path.ts'
import { isRecord, type JsonRecord, listOr } from './record.ts'

/** A map of checks in `expected`, and where it stands from there. */
export type PlacedCheck = { readonly path: Path; readonly check: JsonRecord }

type Change = (check: JsonRecord, path: Path) => JsonRecord

/**
 * `expected` with every check in `output` and `files` replaced by what `change` makes of it; those within a check
 * (`checks`, `json_path`) first. Returns the same object where nothing changes.
 */
export const mapChecks = (expected: JsonRecord, change: Change): JsonRecord =>
  (['output', 'files'] as const).reduce((mapped, key) => mapKey(mapped, key, [], change), expected)

/** Every check of `output` and `files`, those within a check included. */
export const checksOf = (expected: JsonRecord): PlacedCheck[] => {
  const checks: PlacedCheck[] = []
  mapChecks(expected, (check, path) => {
    checks.push({ path, check })
    return check
  })
  return checks
}

const mapCheck = (check: JsonRecord, path: Path, change: Change): JsonRecord => {
  const inner = mapKey(check, 'checks', path, change)
  const { json_path: jsonPath } = inner
  if (!isRecord(jsonPath)) return change(inner, path)
  const mapped = mapCheck(jsonPath, [...path, 'json_path'], change)
  return change(mapped === jsonPath ? inner : { ...inner, json_path: mapped }, path)
}

const mapKey = (map: JsonRecord, key: string, path: Path, change: Change): JsonRecord => {
  const list = map[key]
  if (!Array.isArray(list)) return map
  const mapped = list.map((item, i) => (isRecord(item) ? mapCheck(item, [...path, key, i], change) : item))
  return mapped.some((item, i) => item !== list[i]) ? { ...map, [key]: mapped } : map
}

/** An action pattern of `expected.actions`, and where it stands from `expected`. */
export type PlacedPattern = { readonly path: Path; readonly pattern: unknown }

export const patternsOf = (expected: JsonRecord): PlacedPattern[] => {
  const actions = isRecord(expected.actions) ? expected.actions : {}
  const subagents = isRecord(actions.subagents) ? Object.entries(actions.subagents) : []
  return [
    ...patternsOfSequence(actions, ['actions']),
    ...subagents.flatMap(([name, sequence]) =>
      isRecord(sequence) ? patternsOfSequence(sequence, ['actions', 'subagents', name]) : [],
    ),
  ]
}

const patternsOfSequence = (actions: JsonRecord, at: Path): PlacedPattern[] => {
  const path = (...rest: Path): Path => [...at, ...rest]
  const lists = (['in_order', 'exactly', 'any_order', 'only', 'never'] as const).flatMap((key) =>
    listOr(actions[key]).map((pattern, i) => ({ path: path(key, i), pattern })),
  )
  const pairs = listOr(actions.before).flatMap((pair, i) =>
    isRecord(pair)
      ? (['first', 'then'] as const).map((key) => ({ path: path('before', i, key), pattern: pair[key] }))
      : [],
  )
  const counts = listOr(actions.count).flatMap((count, i) =>
    isRecord(count) ? [{ path: path('count', i, 'of'), pattern: count.of }] : [],
  )
  return [...lists, ...pairs, ...counts]
}

const operators: Readonly<Record<CheckOperator, true>> = {
  equals: true,
  contains: true,
  contains_all: true,
  contains_any: true,
  starts_with: true,
  ends_with: true,
  regex: true,
  length: true,
  is_json: true,
  json_schema: true,
  json_equals: true,
  json_path: true,
  similar: true,
  headings: true,
  script: true,
  rubric: true,
}

const siblings = new Set(['name', 'weight', 'not', 'ignore_case', 'trim', 'ignore', 'tolerance', 'unordered', 'judges'])

/** The checks within a pattern for values (of an action, of a double's input): maps with one operator, at any depth. */
export const checksInMatcher = (matcher: unknown, path: Path = []): PlacedCheck[] => {
  if (Array.isArray(matcher)) return matcher.flatMap((item, i) => checksInMatcher(item, [...path, i]))
  if (!isRecord(matcher)) return []
  const named = Object.keys(matcher).filter((key) => !siblings.has(key))
  const [only] = named
  if (named.length === 1 && only !== undefined && Object.hasOwn(operators, only)) return [{ path, check: matcher }]
  return Object.entries(matcher).flatMap(([key, value]) => checksInMatcher(value, [...path, key]))
}
