import * as z from 'zod'
import { configSchema } from '../schema/config.ts'
import { runSchema } from '../schema/run.ts'
import { suiteSchema } from '../schema/suite.ts'

export const schemaNames = ['suite', 'run', 'config'] as const
export type SchemaName = (typeof schemaNames)[number]

const schemas = { suite: suiteSchema, run: runSchema, config: configSchema } as const

/** The JSON Schema (draft 2020-12) of a format that we own, as authors write it. */
export const jsonSchemaOf = (name: SchemaName): unknown =>
  z.toJSONSchema(schemas[name], { io: 'input', target: 'draft-2020-12', unrepresentable: 'any' })
