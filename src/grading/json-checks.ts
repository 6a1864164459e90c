import { extractJson } from '../lib/json.ts'
import { compileJsonPath } from '../lib/json-path.ts'
import { loadJsonSchema } from '../lib/json-schema.ts'
import { type CheckMap, compileMatcher, type Matcher } from '../lib/match-value.ts'
import type { JsonPathCheck } from '../schema/check.ts'
import { GraderError } from './grader-error.ts'
import { firstDifference } from './json-equality.ts'
import { isEqualSelection } from './operators/json-path.ts'

/**
 * The checks on JSON that a pattern may have beside those on text: `json_equals`, `json_schema` (inline) and
 * `json_path`. They look at the value itself, or at the JSON in it where it is a string.
 */
export const jsonChecks = (check: CheckMap): Promise<Matcher> | undefined => {
  if (Object.hasOwn(check, 'json_equals')) return Promise.resolve(jsonEquals(check))
  if (Object.hasOwn(check, 'json_schema')) return jsonSchema(check.json_schema)
  if (Object.hasOwn(check, 'json_path')) return jsonPath(check.json_path as JsonPathCheck)
  return undefined
}

const onJson = (holds: (value: unknown) => boolean): Matcher => {
  return (value) => {
    if (typeof value !== 'string') return holds(value)
    const read = extractJson(value)
    return read.ok && holds(read.value)
  }
}

const jsonEquals = (check: CheckMap): Matcher =>
  onJson((value) => firstDifference(check.json_equals, value, check) === undefined)

const jsonSchema = async (schema: unknown): Promise<Matcher> => {
  if (typeof schema === 'string') throw new GraderError('a JSON Schema in an action pattern must be inline')
  const compiled = (await loadJsonSchema()).compile(schema)
  if (!compiled.ok)
    throw new GraderError(`the JSON Schema in an action pattern can't be used: ${compiled.pointer} ${compiled.message}`)
  return onJson((value) => compiled.validate(value).length === 0)
}

const jsonPath = async (query: JsonPathCheck): Promise<Matcher> => {
  const { path, not = false, ...operator } = query
  const compiled = await compileJsonPath(path)
  if (!compiled.ok) throw new GraderError(`the JSONPath ${path} can't be used: ${compiled.message}`)
  if (Object.hasOwn(query, 'equals') || Object.hasOwn(query, 'json_equals')) {
    return onJson((value) => {
      const values = compiled.select(value)
      return isEqualSelection(query, values) ? !not : not && values.length > 0
    })
  }
  const matches = await compileMatcher(operator, jsonChecks)
  return onJson((value) => {
    const values = compiled.select(value)
    return values.length > 0 && values.every((selected) => matches(selected) !== not)
  })
}
