/** A schema inside a schema, and where it stands. */
export type Subschema = {
  readonly schema: Readonly<Record<string, unknown>>
  readonly pointer: string
  readonly depth: number
}

/** All schemas inside a JSON Schema and itself, outer ones first, without recursion. Values such as `const` are none. */
export function* subschemasOf(root: unknown): Generator<Subschema> {
  const found: { readonly node: unknown; readonly pointer: string; readonly depth: number }[] = [
    { node: root, pointer: '', depth: 0 },
  ]
  // The list grows while it is walked.
  for (const { node, pointer, depth } of found) {
    if (!isRecord(node)) continue
    yield { schema: node, pointer, depth }
    for (const [keyword, value] of Object.entries(node)) {
      const at = `${pointer}/${escapePointer(keyword)}`
      if (SINGLE.has(keyword) && isRecord(value)) found.push({ node: value, pointer: at, depth: depth + 1 })
      if ((LISTS.has(keyword) && Array.isArray(value)) || (MAPS.has(keyword) && isRecord(value))) {
        for (const [key, member] of Object.entries(value)) {
          found.push({ node: member, pointer: `${at}/${escapePointer(key)}`, depth: depth + 1 })
        }
      }
    }
  }
}

/** A key as a part of a JSON Pointer (RFC 6901). */
export const escapePointer = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1')

const SINGLE = new Set([
  ...['additionalItems', 'additionalProperties', 'contains', 'contentSchema', 'else', 'if', 'items', 'not'],
  ...['propertyNames', 'then', 'unevaluatedItems', 'unevaluatedProperties'],
])
const LISTS = new Set(['allOf', 'anyOf', 'items', 'oneOf', 'prefixItems'])
const MAPS = new Set(['$defs', 'definitions', 'dependencies', 'dependentSchemas', 'patternProperties', 'properties'])

/** Whether a value is a map, as opposed to a list, a scalar or null. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
