import { jsonText } from '../lib/match-value.ts'
import { type Check, type CheckOperator, type JsonPathCheck, operatorOf } from '../schema/check.ts'
import { excerpt, quote } from './excerpt.ts'

/** The name a check was given, or what it says: `contains "March"`, `not: is JSON`. */
export const checkName = (check: Check): string => check.name ?? describeCheck(check)

/** What a check says, whatever its name. */
export const describeCheck = (check: Check | JsonPathCheck): string => {
  const operator = operatorOf(check)
  if (operator === undefined) return 'nothing'
  return excerpt(`${check.not === true ? 'not: ' : ''}${describe(operator, check)}`, 0, 200)
}

const describe = (operator: CheckOperator, check: Check | JsonPathCheck): string => {
  switch (operator) {
    case 'equals':
      return `equals ${json(check.equals)}`
    case 'contains':
      return `contains ${json(check.contains)}`
    case 'contains_all':
      return `contains all of ${list(check.contains_all)}`
    case 'contains_any':
      return `contains any of ${list(check.contains_any)}`
    case 'starts_with':
      return `starts with ${json(check.starts_with)}`
    case 'ends_with':
      return `ends with ${json(check.ends_with)}`
    case 'regex':
      return `matches ${excerpt(check.regex ?? '', 0, 80)}`
    case 'length':
      return `has ${describeLength(check.length ?? { unit: 'chars' })}`
    case 'is_json':
      return check.is_json === false ? 'is no JSON' : 'is JSON'
    case 'json_schema':
      return typeof check.json_schema === 'string'
        ? `is valid against ${check.json_schema}`
        : 'is valid against a schema'
    case 'json_equals':
      return `equals the JSON ${json(check.json_equals)}`
    case 'json_path':
      return check.json_path === undefined ? '' : `${check.json_path.path} ${describeCheck(check.json_path)}`
    case 'similar':
      return describeSimilar(check.similar)
    case 'headings':
      return `has the headings ${list(check.headings)}`
    case 'script':
      return `${(check.script?.run ?? '').split('/').slice(-2).join('/')} holds`
    case 'rubric':
      return `meets ${list(typeof check.rubric === 'string' ? [check.rubric] : check.rubric)}`
  }
}

/** `at least 3 and at most 5 words`. */
export const describeLength = ({ min, max, unit }: NonNullable<Check['length']>): string => {
  const range = [...(min === undefined ? [] : [`at least ${min}`]), ...(max === undefined ? [] : [`at most ${max}`])]
  return `${range.join(' and ') || 'any number of'} ${unit}`
}

const describeSimilar = (similar: Check['similar']): string =>
  similar === undefined ? '' : `is similar to ${quote(similar.to, 0, 60)} (${similar.by} at least ${similar.at_least})`

const json = (value: unknown): string =>
  typeof value === 'string' ? quote(value, 0, 60) : excerpt(jsonText(value), 0, 60)

const list = (values: readonly string[] | undefined): string =>
  excerpt((values ?? []).map((value) => quote(value, 0, 60)).join(', '), 0, 160)
