import type { ErrorObject } from 'ajv'
import { visibleLine } from './visible.ts'

/** Something wrong with a value: where it stands (a JSON Pointer, '' for the whole), and what it must be. */
export type SchemaIssue = { readonly pointer: string; readonly message: string }

const MOST_NAMED = 10

/** Says an error of the validator with the names and values that it leaves out. */
export const describeIssue = ({ instancePath, keyword, message, params, propertyName }: ErrorObject): SchemaIssue => {
  const told = message ?? `must satisfy "${keyword}"`
  const inName = propertyName === undefined ? '' : `the name ${json(propertyName)} `
  return {
    pointer: visibleLine(instancePath, 300),
    message: visibleLine(inName + detailed(keyword, told, params), 300),
  }
}

const detailed = (keyword: string, told: string, params: Readonly<Record<string, unknown>>): string => {
  switch (keyword) {
    case 'additionalProperties':
      return `must not have the property ${json(params.additionalProperty)}`
    case 'unevaluatedProperties':
      return `must not have the property ${json(params.unevaluatedProperty)}`
    case 'const':
      return `must be ${json(params.allowedValue)}`
    case 'enum':
      return `must be one of ${listed(params.allowedValues)}`
    default:
      return told
  }
}

const listed = (values: unknown): string => {
  if (!Array.isArray(values)) return json(values)
  const shown = values.slice(0, MOST_NAMED).map(json).join(', ')
  return values.length > MOST_NAMED ? `${shown} and ${values.length - MOST_NAMED} more` : shown
}

const json = (value: unknown): string => visibleLine(JSON.stringify(value) ?? 'undefined', 100)
