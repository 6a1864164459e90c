import * as starter from '../app/init-project.ts'
import { jsonSchemaOf } from '../app/print-schema.ts'
import type { SchemaName } from '../core/schema-names.ts'
import type { CommonOptions } from './common-options.ts'
import { processHost } from './process-host.ts'

type Flags = CommonOptions & { readonly root?: string }

export const initProject = async (dir: string, flags: Flags): Promise<number> =>
  starter.initProject(dir, processHost(flags.C))

export const newSkill = async (name: string, flags: Flags): Promise<number> =>
  starter.newSkill(name, flags.root ?? 'skills', processHost(flags.C))

export const newEval = async (name: string, flags: Flags): Promise<number> =>
  starter.newEval(name, flags.root ?? 'skills', processHost(flags.C))

export const printSchema = async (name: SchemaName): Promise<number> => {
  process.stdout.write(`${JSON.stringify(jsonSchemaOf(name), null, 2)}\n`)
  return 0
}
