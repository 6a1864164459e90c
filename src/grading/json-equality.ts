import { isMap, jsonText } from '../lib/match-value.ts'
import { assign } from './assignment.ts'
import { excerpt } from './excerpt.ts'
import { GraderError } from './grader-error.ts'

/** JSON Pointers (RFC 6901), relative to the whole value; `*` stands for any key or index. */
export type JsonRules = {
  /** What is below them is not compared. */
  readonly ignore?: readonly string[] | undefined
  /** Numbers may differ by this much. */
  readonly tolerance?: number | undefined
  /** Lists whose items may come in any order. */
  readonly unordered?: readonly string[] | undefined
}

export type JsonDifference = { readonly pointer: string; readonly what: string }

/** The first place where two JSON values differ under these rules; undefined where they are equal. */
export const firstDifference = (
  expected: unknown,
  actual: unknown,
  rules: JsonRules = {},
): JsonDifference | undefined =>
  walk(comparable(expected, rules), comparable(actual, rules), {
    pointer: '',
    unordered: (rules.unordered ?? []).map(segments),
    tolerance: rules.tolerance,
    depth: 0,
  })

/** The value with what is ignored taken out, keys sorted, and unordered lists in an order that depends on nothing else. */
export const comparable = (value: unknown, { ignore = [], unordered = [] }: JsonRules): unknown =>
  ignore.length + unordered.length === 0 ? value : reduce(value, ignore.map(segments), unordered.map(segments), 0)

type Segments = readonly string[]
type Place = {
  readonly pointer: string
  readonly unordered: readonly Segments[]
  readonly tolerance: number | undefined
  readonly depth: number
}

const segments = (pointer: string): Segments =>
  pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))

/** The pointers that go on below `key`, without their first segment. */
const below = (pointers: readonly Segments[], key: string): readonly Segments[] =>
  pointers.filter(([first]) => first === key || first === '*').map((pointer) => pointer.slice(1))

const pointsHere = (pointers: readonly Segments[]): boolean => pointers.some((pointer) => pointer.length === 0)

const reduce = (
  value: unknown,
  ignore: readonly Segments[],
  unordered: readonly Segments[],
  depth: number,
): unknown => {
  // Only the answer may be this deep, so this makes a difference and no error.
  if (depth > maxDepth) return '(nested too deeply)'
  // The place itself stays: a list must not move up, and a key that is there or not is no difference either way.
  if (pointsHere(ignore)) return null
  if (Array.isArray(value)) {
    const items = value.map((item, i) => reduce(item, below(ignore, `${i}`), below(unordered, `${i}`), depth + 1))
    if (!pointsHere(unordered)) return items
    return items
      .map((item) => [jsonText(item), item] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, item]) => item)
  }
  if (!isMap(value)) return value
  const kept = Object.keys(value)
    .filter((key) => !pointsHere(below(ignore, key)))
    .sort()
  return Object.fromEntries(
    kept.map((key) => [key, reduce(value[key], below(ignore, key), below(unordered, key), depth + 1)]),
  )
}

const walk = (expected: unknown, actual: unknown, place: Place): JsonDifference | undefined => {
  if (place.depth > maxDepth) throw new GraderError(`the expected value is nested deeper than ${maxDepth} levels`)
  if (expected === actual) return undefined
  if (Array.isArray(expected) && Array.isArray(actual)) return walkList(expected, actual, place)
  if (isMap(expected) && isMap(actual)) return walkMap(expected, actual, place)
  if (typeof expected === 'number' && typeof actual === 'number' && isNear(expected, actual, place.tolerance))
    return undefined
  return { pointer: place.pointer, what: `expected ${short(expected)}, was ${short(actual)}` }
}

const walkMap = (
  expected: Readonly<Record<string, unknown>>,
  actual: Readonly<Record<string, unknown>>,
  place: Place,
): JsonDifference | undefined => {
  for (const key of Object.keys(expected)) {
    const at = inside(place, key)
    if (!Object.hasOwn(actual, key))
      return { pointer: at.pointer, what: `is missing, expected ${short(expected[key])}` }
    const difference = walk(expected[key], actual[key], at)
    if (difference !== undefined) return difference
  }
  const extra = Object.keys(actual).find((key) => !Object.hasOwn(expected, key))
  return extra === undefined
    ? undefined
    : { pointer: inside(place, extra).pointer, what: `is not expected, was ${short(actual[extra])}` }
}

const walkList = (
  expected: readonly unknown[],
  actual: readonly unknown[],
  place: Place,
): JsonDifference | undefined => {
  if (pointsHere(place.unordered)) return walkUnordered(expected, actual, place)
  for (const [i, item] of expected.entries()) {
    const at = inside(place, `${i}`)
    if (i >= actual.length) return { pointer: at.pointer, what: `is missing, expected ${short(item)}` }
    const difference = walk(item, actual[i], at)
    if (difference !== undefined) return difference
  }
  if (actual.length <= expected.length) return undefined
  const { pointer } = inside(place, `${expected.length}`)
  return { pointer, what: `is not expected, was ${short(actual[expected.length])}` }
}

const walkUnordered = (
  expected: readonly unknown[],
  actual: readonly unknown[],
  place: Place,
): JsonDifference | undefined => {
  if (expected.length !== actual.length)
    return {
      pointer: place.pointer,
      what: `expected ${expected.length} items in any order, there were ${actual.length}`,
    }
  const missing = place.tolerance === undefined ? leftOver(expected, actual) : unassigned(expected, actual, place)
  return missing === undefined ? undefined : { pointer: place.pointer, what: `has no item ${short(missing)}` }
}

/** The first expected item that is not among the others; both lists are in canonical form. */
const leftOver = (expected: readonly unknown[], actual: readonly unknown[]): unknown => {
  const counts = new Map<string, number>()
  for (const item of actual) counts.set(jsonText(item), (counts.get(jsonText(item)) ?? 0) + 1)
  return expected.find((item) => {
    const left = counts.get(jsonText(item)) ?? 0
    counts.set(jsonText(item), left - 1)
    return left === 0
  })
}

// Nearness is not transitive, so the first item that fits may be one that another item needs.
const unassigned = (expected: readonly unknown[], actual: readonly unknown[], place: Place): unknown => {
  const fits = (e: number, a: number): boolean => walk(expected[e], actual[a], inside(place, `${e}`)) === undefined
  return expected[assign(expected.length, actual.length, fits).indexOf(-1)]
}

const inside = ({ pointer, unordered, tolerance, depth }: Place, key: string): Place => ({
  pointer: `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`,
  unordered: unordered.length === 0 ? unordered : below(unordered, key),
  tolerance,
  depth: depth + 1,
})

// Without the last term 1.1 would not be within 0.1 of 1: the difference of the two doubles is a hair more.
const isNear = (a: number, b: number, tolerance: number | undefined): boolean =>
  tolerance !== undefined && Math.abs(a - b) <= tolerance + Number.EPSILON * Math.max(Math.abs(a), Math.abs(b))

const short = (value: unknown): string => excerpt(jsonText(value), 0, 80)

const maxDepth = 1000
