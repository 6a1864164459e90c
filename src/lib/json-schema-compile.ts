import type { Ajv, Options, ValidateFunction } from 'ajv'
import { SkillsEvalError } from '../core/errors.ts'
import { withinDeadline } from './deadline.ts'
import { findMissingRef, findSchemaFault, type SchemaFault } from './json-schema-fault.ts'
import { describeIssue, type SchemaIssue } from './json-schema-issue.ts'
import { loadRegexEngine, type SafeRegex } from './regex-engine.ts'
import { visibleLine } from './visible.ts'

export type CompiledSchema =
  | {
      readonly ok: true
      /**
       * All that is wrong with a value (the first 1,000 issues); []: it is valid. Throws a SkillsEvalError when that can't
       * be found out: `json_schema_timeout` (after 250 ms), `json_too_deep`, `regex_timeout`.
       */
      validate(value: unknown): SchemaIssue[]
    }
  | ({ readonly ok: false } & SchemaFault)

const TIMEOUT_MS = 250
const MAX_ISSUES = 1_000

/** Loads the drafts of JSON Schema; what it gives compiles a schema by the one that its `$schema` names. */
export const loadSchemaDrafts = async (): Promise<(schema: unknown) => CompiledSchema> => {
  const [latest, older, oldest, formats, compileRegex] = await Promise.all([
    import('ajv/dist/2020.js'),
    import('ajv/dist/2019.js'),
    import('ajv'),
    import('ajv-formats'),
    loadRegexEngine(),
  ])
  const regex = (pattern: string): SafeRegex => compilePattern(pattern, compileRegex)
  const options: Options = {
    allErrors: true,
    strictSchema: true,
    // Valid schemas that leave a type out are no mistake.
    strictTypes: false,
    strictTuples: false,
    strictRequired: false,
    // `required: [constructor]` asks for a member, not for what every object inherits.
    ownProperties: true,
    // Schemas come and go: neither their ids nor they themselves may pile up.
    addUsedSchema: false,
    logger: false,
    validateSchema: false, // Done before, to know where the fault is.
    code: { regExp: Object.assign(regex, { code: 'regex' }) },
  }
  // A draft takes some milliseconds to set up: only those that are asked for are.
  const draft = (make: () => Ajv): (() => Ajv) => once(() => formats.default.default(make()).addVocabulary(['example']))
  const drafts: readonly (readonly [RegExp, () => Ajv])[] = [
    [/^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/, draft(() => new latest.Ajv2020(options))],
    [/^https?:\/\/json-schema\.org\/draft\/2019-09\/schema#?$/, draft(() => new older.Ajv2019(options))],
    [/^https?:\/\/json-schema\.org\/draft-07\/schema#?$/, draft(() => new oldest.Ajv(options))],
  ]

  return (schema) => {
    const { $schema = 'https://json-schema.org/draft/2020-12/schema', ...rest } = isRecord(schema) ? schema : {}
    const [, ajv] = drafts.find(([name]) => typeof $schema === 'string' && name.test($schema)) ?? []
    if (ajv === undefined) {
      return fault('/$schema', `${visibleLine(String($schema), 100)} is not supported: 2020-12, 2019-09 and draft-07 are`)
    }
    return compileBy(ajv(), isRecord(schema) ? rest : schema, regex)
  }
}

const compileBy = (ajv: Ajv, schema: unknown, regex: (pattern: string) => SafeRegex): CompiledSchema => {
  if (!isRecord(schema) && typeof schema !== 'boolean') return fault('', 'a schema is a map, true or false')
  // Ajv forgets by id what it has compiled: its own meta-schemas must not be among that.
  if (isRecord(schema) && String(schema.$id).includes('json-schema.org')) return fault('/$id', 'this id is taken')
  // What `$async` makes of a schema answers later than anybody here waits.
  const keywords = new Set(Object.keys(ajv.RULES.keywords).filter((keyword) => keyword !== '$async'))
  const found = findSchemaFault(schema, keywords, (pattern) => patternFault(regex, pattern))
  if (found !== undefined) return { ok: false, ...found }
  try {
    if (!ajv.validateSchema(schema)) {
      const [issue = { pointer: '', message: 'not a JSON Schema' }] = (ajv.errors ?? []).map(describeIssue)
      return fault(issue.pointer, issue.message)
    }
    allowExtensions(ajv, schema)
    return { ok: true, validate: validator(ajv.compile(schema), mayTakeLong(schema)) }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const missing = 'missingRef' in error ? String(error.missingRef) : undefined
    return missing === undefined
      ? fault('', visibleLine(error.message, 300))
      : { ok: false, ...findMissingRef(schema, missing) }
  } finally {
    if (isRecord(schema)) ajv.removeSchema(schema)
  }
}

const validator = (isValid: ValidateFunction, isWatched: boolean): ((value: unknown) => SchemaIssue[]) => {
  return (value) => {
    const result = decide(() => isValid(value), isWatched)
    if (result.ok && result.value) return []
    if (result.ok) return (isValid.errors ?? []).slice(0, MAX_ISSUES).map(describeIssue)
    throw new SkillsEvalError('json_schema_timeout', `a value takes longer than ${TIMEOUT_MS} ms to validate`, {
      hint: 'Use fewer alternatives and references in the schema, or look at a part of the value.',
    })
  }
}

const decide = (isValid: () => boolean, isWatched: boolean): WithinDeadline<boolean> => {
  try {
    return isWatched ? withinDeadline(TIMEOUT_MS, isValid) : { ok: true, value: isValid() }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new SkillsEvalError('json_too_deep', 'a value is nested too deeply to be validated', { cause: error })
  }
}

// References can make the work grow exponentially, comparing all elements and some formats quadratically; the rest is
// linear in the value, and a watchdog would cost more than validating.
const mayTakeLong = (schema: unknown): boolean => {
  const dear = ['$ref', '$dynamicRef', '$recursiveRef', 'uniqueItems', 'format']
  return [...subschemasOf(schema)].some(({ schema: part }) => dear.some((keyword) => Object.hasOwn(part, keyword)))
}

const allowExtensions = (ajv: Ajv, schema: unknown): void => {
  for (const { schema: part } of subschemasOf(schema)) {
    for (const keyword of Object.keys(part)) {
      if (keyword.startsWith('x-') && !Object.hasOwn(ajv.RULES.keywords, keyword)) ajv.addKeyword(keyword)
    }
  }
}

// The drafts read patterns with the flag u; many in use are valid only without it.
const compilePattern = (pattern: string, compileRegex: (body: string, flags: string) => SafeRegex): SafeRegex => {
  const regex = patternIsUnicode(pattern) ? compileRegex(pattern, 'u') : compileRegex(pattern, '')
  // Ajv tells patterns apart by their text.
  return { ...regex, toString: () => regex.source }
}

const patternIsUnicode = (pattern: string): boolean => {
  try {
    return new RegExp(pattern, 'u').unicode
  } catch {
    return false
  }
}

const patternFault = (pattern: string): string | undefined => {
  const fault = isValidRegex(pattern)
}

const once = <T>(make: () => T): (() => T) => {
  const made: { value: T }[] = []
  return () => {
    const [held = { value: make() }] = made
    made[0] = held
    return held.value
  }
}

const fault = (pointer: string, message: string): CompiledSchema => ({ ok: false, pointer, message })

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
