import type { Ajv, Options } from 'ajv'
import { findMissingRef, findSchemaFault, type SchemaFault } from './json-schema-fault.ts'
import { describeIssue, type SchemaIssue } from './json-schema-issue.ts'
import { compileSchemaPattern, schemaPatternFault } from './json-schema-pattern.ts'
import { schemaValidator } from './json-schema-validator.ts'
import { isRecord, subschemasOf } from './json-schema-walk.ts'
import { loadRegexEngine } from './regex-engine.ts'
import { visibleLine } from './visible.ts'

export type CompiledSchema =
  | { readonly ok: true; validate(value: unknown): SchemaIssue[] }
  | ({ readonly ok: false } & SchemaFault)

const LATEST = 'https://json-schema.org/draft/2020-12/schema'

// Without an id of its own the root is not found by the `$ref` "#".
const NAMELESS = 'https://schema.invalid/'

/** Loads the drafts of JSON Schema; what it gives compiles a schema by the one that its `$schema` names. */
export const loadSchemaDrafts = async (): Promise<(schema: unknown) => CompiledSchema> => {
  const [latest, older, oldest, formats, compileRegex] = await Promise.all([
    import('ajv/dist/2020.js'),
    import('ajv/dist/2019.js'),
    import('ajv'),
    import('ajv-formats'),
    loadRegexEngine(),
  ])
  const regExp = (pattern: string) => compileSchemaPattern(pattern, compileRegex)
  const options: Options = {
    allErrors: true,
    strictSchema: true,
    // Schemas that leave a type out are valid, and no mistake.
    strictTypes: false,
    strictTuples: false,
    strictRequired: false,
    // `required: [constructor]` asks for a member, not for what every object inherits.
    ownProperties: true,
    // Schemas come and go: their ids may not pile up, nor collide.
    addUsedSchema: false,
    validateSchema: false, // Done below, to know where the fault is.
    logger: false,
    code: { regExp: Object.assign(regExp, { code: 'regExp' }) },
  }
  // A draft takes some milliseconds to set up: only those that are asked for are.
  const draft = (make: () => Ajv, more: string[]): (() => Ajv) =>
    once(() => formats.default.default(make()).addVocabulary(['example', ...more]))
  const drafts: readonly (readonly [RegExp, () => Ajv])[] = [
    [/^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/, draft(() => new latest.Ajv2020(options), ['$anchor'])],
    [/^https?:\/\/json-schema\.org\/draft\/2019-09\/schema#?$/, draft(() => new older.Ajv2019(options), ['$anchor'])],
    [/^https?:\/\/json-schema\.org\/draft-07\/schema#?$/, draft(() => new oldest.Ajv(options), [])],
  ]

  return (given) => {
    const schema = typeof given === 'boolean' ? booleanSchema(given) : given
    if (!isRecord(schema)) return fault('', 'a schema is a map, true or false')
    const { $schema = LATEST, ...rest } = schema
    const [, ajv] = drafts.find(([name]) => typeof $schema === 'string' && name.test($schema)) ?? []
    const named = visibleLine(String($schema), 100)
    if (ajv === undefined) return fault('/$schema', `${named} is not supported: 2020-12, 2019-09 and draft-07 are`)
    return compileBy(ajv(), { $id: NAMELESS, ...rest })
  }
}

const booleanSchema = (allows: boolean): unknown => (allows ? {} : { not: {} })

const compileBy = (ajv: Ajv, schema: Readonly<Record<string, unknown>>): CompiledSchema => {
  const { $id } = schema
  if (typeof $id !== 'string') return fault('/$id', 'must be string')
  // Ajv forgets a schema by its id: that may not be the one of its own meta-schemas.
  if ($id.includes('json-schema.org')) return fault('/$id', 'this id is taken')
  // What `$async` makes of a schema answers later than anybody here waits.
  const keywords = new Set(Object.keys(ajv.RULES.keywords).filter((keyword) => keyword !== '$async'))
  const found = findSchemaFault(schema, keywords, schemaPatternFault)
  if (found !== undefined) return { ok: false, ...found }
  try {
    if (ajv.validateSchema(schema) !== true) {
      const [issue = { pointer: '', message: 'not a JSON Schema' }] = (ajv.errors ?? []).map(describeIssue)
      return { ok: false, ...issue }
    }
    allowExtensions(ajv, schema)
    return { ok: true, validate: schemaValidator(schema, ajv.compile(schema)) }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    if ('missingRef' in error) return { ok: false, ...findMissingRef(schema, String(error.missingRef)) }
    return fault('', visibleLine(error.message, 300))
  } finally {
    ajv.removeSchema(schema)
  }
}

const allowExtensions = (ajv: Ajv, schema: unknown): void => {
  for (const { schema: part } of subschemasOf(schema)) {
    for (const keyword of Object.keys(part)) {
      if (keyword.startsWith('x-') && !Object.hasOwn(ajv.RULES.keywords, keyword)) ajv.addKeyword(keyword)
    }
  }
}

const once = <T>(make: () => T): (() => T) => {
  const made: { readonly value: T }[] = []
  return () => {
    const [held = { value: make() }] = made
    made[0] = held
    return held.value
  }
}

const fault = (pointer: string, message: string): CompiledSchema => ({ ok: false, pointer, message })
