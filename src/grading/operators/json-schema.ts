import { loadJsonSchema } from '../../lib/json-schema.ts'
import type { Check } from '../../schema/check.ts'
import { GraderError } from '../grader-error.ts'
import type { GradingPorts } from '../ports.ts'
import type { Subject } from '../subject.ts'
import { notJson } from './is-json.ts'
import type { Verdict } from './verdict.ts'

const maxListed = 50

/** The text is JSON and valid against this schema; every error is listed with its pointer. A broken schema can't judge. */
export const jsonSchema = async (check: Check, subject: Subject, ports: GradingPorts): Promise<Verdict> => {
  const validate = await compileSchema(check.json_schema, ports)
  const read = subject.json()
  if (!read.ok) return { holds: false, message: notJson(read.problem, subject) }
  const issues = validate(read.value)
  if (issues.length === 0) return { holds: true }
  const lines = issues.slice(0, maxListed).map(({ pointer, message }) => `${pointer || '(the whole)'}: ${message}`)
  const more = issues.length > maxListed ? [`… ${issues.length - maxListed} more`] : []
  const errors = `${issues.length} ${issues.length === 1 ? 'error' : 'errors'}`
  return { holds: false, message: [`${errors} against the schema`, ...lines, ...more].join('\n') }
}

type Validate = (value: unknown) => readonly { readonly pointer: string; readonly message: string }[]

const compileSchema = async (schema: Check['json_schema'], ports: GradingPorts): Promise<Validate> => {
  const source = typeof schema === 'string' ? readSchema(schema, ports) : schema
  const compiled = (await loadJsonSchema()).compile(source)
  if (!compiled.ok) throw new GraderError(`the JSON Schema can't be used: ${compiled.pointer} ${compiled.message}`)
  return (value) => compiled.validate(value)
}

const readSchema = (path: string, ports: GradingPorts): unknown => {
  try {
    return ports.readSchema(path)
  } catch (error) {
    if (error instanceof SyntaxError) throw new GraderError(`${path} is no JSON: ${error.message}`, { cause: error })
    throw error
  }
}
