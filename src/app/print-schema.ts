import * as z from 'zod'
import type { SchemaName } from '../core/schema-names.ts'
import { agentEventSchema } from '../schema/agent-event.ts'
import { calibrationSchema } from '../schema/calibration.ts'
import { cassetteSchema } from '../schema/cassette.ts'
import { checkHistorySchema } from '../schema/check-history.ts'
import { compareSchema } from '../schema/compare.ts'
import { configSchema } from '../schema/config.ts'
import { coverageSchema } from '../schema/coverage.ts'
import { feedbackSchema } from '../schema/feedback.ts'
import { hubIndexSchema, hubSourceSchema } from '../schema/hub.ts'
import { lockSchema, manifestSchema } from '../schema/pack.ts'
import { proofSchema } from '../schema/proof.ts'
import { runSchema } from '../schema/run.ts'
import { scanSchema } from '../schema/scan.ts'
import { suiteSchema } from '../schema/suite.ts'

type Json = Readonly<Record<string, unknown>>

/** The JSON Schema (draft 2020-12) of a format that we own, as authors write it. */
export const jsonSchemaOf = (name: SchemaName): Json => {
  switch (name) {
    case 'suite':
      return suiteJsonSchema()
    case 'run':
      return toJsonSchema(runSchema)
    case 'cassette':
      return toJsonSchema(cassetteSchema)
    case 'config':
      return toJsonSchema(configSchema)
    case 'compare':
      return toJsonSchema(compareSchema)
    case 'calibration':
      return toJsonSchema(calibrationSchema)
    case 'coverage':
      return toJsonSchema(coverageSchema)
    case 'audit':
      return toJsonSchema(checkHistorySchema)
    case 'feedback':
      return toJsonSchema(feedbackSchema)
    case 'scan':
      return toJsonSchema(scanSchema)
    case 'manifest':
      return toJsonSchema(manifestSchema)
    case 'lock':
      return toJsonSchema(lockSchema)
    case 'agent-event':
      return toJsonSchema(agentEventSchema)
    case 'hub':
      return toJsonSchema(hubIndexSchema)
    case 'hub-source':
      return toJsonSchema(hubSourceSchema)
    case 'proof':
      return toJsonSchema(proofSchema)
  }
}

const toJsonSchema = (schema: z.ZodType): Json =>
  z.toJSONSchema(schema, { io: 'input', target: 'draft-2020-12', unrepresentable: 'any' }) as Json

const placeholder = {
  type: 'string',
  pattern: '^\\{\\{[^{}]+\\}\\}$',
  description: "A column of `each`: takes the row's value.",
}

/** In cases and their defaults, `{{column}}` may stand where a number, a boolean, a list or one of some words is wanted. */
const suiteJsonSchema = (): Json => {
  const { properties, $defs, ...rest } = toJsonSchema(suiteSchema) as Json & {
    readonly properties: Json
    readonly $defs?: Json
  }
  const { cases, defaults, ...others } = properties
  return {
    ...rest,
    properties: { ...others, defaults: inside(defaults), cases: inside(cases) },
    ...($defs ? { $defs: inside($defs) } : {}),
  }
}

/** Keywords whose values are schemas by name, a schema, or lists of schemas. */
const named = ['properties', '$defs', 'patternProperties']
const single = ['items', 'additionalProperties', 'propertyNames', 'not']
const listed = ['anyOf', 'oneOf', 'allOf', 'prefixItems']

const isMap = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

const mapValues = (map: Json, change: (value: unknown) => unknown): Json =>
  Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]))

/** The schemas within a schema (or a map of schemas) with room for placeholders; the outermost stays what it is. */
const inside = (schema: unknown): unknown => {
  if (!isMap(schema)) return schema
  const isMapOfSchemas = !('type' in schema) && Object.values(schema).every(isMap)
  if (isMapOfSchemas) return mapValues(schema, inside)
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      if (named.includes(key) && isMap(value)) return [key, mapValues(value, withPlaceholder)]
      if (single.includes(key)) return [key, key === 'propertyNames' ? value : withPlaceholder(value)]
      if (listed.includes(key) && Array.isArray(value)) return [key, value.map(inside)]
      return [key, value]
    }),
  )
}

const withPlaceholder = (schema: unknown): unknown => {
  if (!isMap(schema)) return schema
  const changed = inside(schema)
  return takesPlaceholder(schema) ? { anyOf: [changed, placeholder] } : changed
}

const takesPlaceholder = (schema: Json): boolean =>
  ['integer', 'number', 'boolean', 'array'].includes(String(schema.type)) ||
  Array.isArray(schema.enum) ||
  'const' in schema ||
  (Array.isArray(schema.anyOf) && schema.anyOf.every((one) => isMap(one) && takesPlaceholder(one)))
