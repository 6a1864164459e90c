import { escapePointer, subschemasOf } from './json-schema-walk.ts'
import { nearest } from './nearest.ts'
import { visibleLine } from './visible.ts'

/** Something wrong with a schema itself, and where in it (a JSON Pointer). */
export type SchemaFault = { readonly message: string; readonly pointer: string }

const MAX_DEPTH = 64
const MAX_SUBSCHEMAS = 10_000

/**
 * What can be said of a schema before it is compiled: too deep (compiling recurses) or too large, words that are none of
 * its draft, patterns that are no regular expressions. `keywords` are the draft's; those that start with `x-` are anybody's.
 */
export const findSchemaFault = (
  schema: unknown,
  keywords: ReadonlySet<string>,
  patternFault: (pattern: string) => string | undefined,
): SchemaFault | undefined => {
  let count = 0
  for (const { schema: part, pointer, depth } of subschemasOf(schema)) {
    count += 1
    if (depth > MAX_DEPTH) return { pointer, message: `nested deeper than ${MAX_DEPTH} schemas` }
    if (count > MAX_SUBSCHEMAS) return { pointer, message: `more than ${MAX_SUBSCHEMAS} schemas in one` }
    for (const [keyword, value] of Object.entries(part)) {
      const at = `${pointer}/${escapePointer(keyword)}`
      if (!keywords.has(keyword) && !keyword.startsWith('x-'))
        return { pointer: at, message: unknownWord(keyword, keywords) }
      const fault = patternsIn(keyword, value)
        .map(patternFault)
        .find((each) => each !== undefined)
      if (fault !== undefined) return { pointer: at, message: fault }
    }
  }
  return undefined
}

/** The first `$ref` that leads nowhere inside the schema, given the target that could not be found. */
export const findMissingRef = (schema: unknown, missing: string): SchemaFault => {
  const known = [...subschemasOf(schema)]
  const parts = known.flatMap(({ schema: part, pointer }) =>
    typeof part.$ref === 'string' ? [{ ref: part.$ref, pointer: `${pointer}/$ref` }] : [],
  )
  const part = parts.find(({ ref }) => missing.endsWith(ref)) ?? parts.find(({ ref }) => !ref.startsWith('#'))
  const ref = visibleLine(part?.ref ?? missing, 100)
  return {
    pointer: part?.pointer ?? '',
    message: `"$ref": "${ref}" is not defined in this schema: put what it means under $defs, nothing is fetched`,
  }
}

const unknownWord = (keyword: string, keywords: ReadonlySet<string>): string => {
  const [meant] = nearest(keyword, keywords)
  const hint = meant === undefined ? '' : `; did you mean "${meant}"?`
  return `unknown keyword "${visibleLine(keyword, 60)}"${hint}`
}

const patternsIn = (keyword: string, value: unknown): readonly string[] => {
  if (keyword === 'pattern') return typeof value === 'string' ? [value] : []
  const isMap = keyword === 'patternProperties' && typeof value === 'object' && value !== null
  return isMap ? Object.keys(value) : []
}
