import { SkillsEvalError } from '../core/errors.ts'
import { boundedCache } from './bounded-cache.ts'
import { canonicalJson } from './hash.ts'
import { type CompiledSchema, loadSchemaDrafts } from './json-schema-compile.ts'

export type JsonSchemaCompiler = {
  /**
   * Compiles a schema, or says what is wrong with it. The same content is compiled once, and may not be changed later.
   * `validate` gives all that is wrong with a value (the first 1,000 issues); []: it is valid. It throws a SkillsEvalError
   * when that can't be found out: `json_schema_timeout` (after 250 ms), `json_too_deep`, `regex_timeout`.
   */
  compile(schema: unknown): CompiledSchema
}

/**
 * Loads a strict JSON Schema compiler: draft 2020-12, or 2019-09 or draft-07 where `$schema` says so. A keyword or format
 * that the draft does not know is a fault (but for keywords that start with `x-`). Formats are checked, patterns run in
 * linear time, and a `$ref` stays inside the schema: nothing is ever fetched.
 */
export const loadJsonSchema = (): Promise<JsonSchemaCompiler> => {
  loaded.compiler ??= load()
  return loaded.compiler
}

const loaded: { compiler?: Promise<JsonSchemaCompiler> } = {}

const load = async (): Promise<JsonSchemaCompiler> => {
  const compileSchema = await loadSchemaDrafts()
  const byContent = boundedCache<string, CompiledSchema>(200)
  // A suite's schema is asked for in every trial: finding it again must not cost reading it.
  const byIdentity = new WeakMap<object, CompiledSchema>()

  const compileOnce = (schema: unknown): CompiledSchema => {
    try {
      return byContent.get(canonicalJson(schema), () => compileSchema(schema))
    } catch (error) {
      if (error instanceof SkillsEvalError) return { ok: false, pointer: '', message: error.message }
      throw error
    }
  }

  return {
    compile(schema) {
      if (typeof schema !== 'object' || schema === null) return compileOnce(schema)
      const known = byIdentity.get(schema) ?? compileOnce(schema)
      byIdentity.set(schema, known)
      return known
    },
  }
}
