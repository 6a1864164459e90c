import { type ActionType, actionTypeOf, mainParam } from '../core/actions.ts'
import { globFault } from '../lib/glob.ts'
import { nearest } from '../lib/nearest.ts'
import { actionParamSchemas } from '../schema/action.ts'
import { checkOperators } from '../schema/check.ts'
import { checksInMatcher, patternsOf } from './case-checks.ts'
import { below, type Finding } from './finding.ts'
import type { Path } from './path.ts'
import { isRecord, type JsonRecord, listOr, recordOr } from './record.ts'

/**
 * Patterns that are well-formed and still mean nothing: an operator that no pattern may have, a path that is no glob, an
 * `output` that is no check, a parameter that the action does not have.
 * Looks at the patterns of actions and those of doubles' inputs; paths start at the case.
 */
export const patternFindings = (merged: JsonRecord): Finding[] => [
  ...patternsOf(recordOr(merged.expected)).flatMap(({ path, pattern }) =>
    actionPatternFindings(pattern).map((finding) => below(['expected', ...path], finding)),
  ),
  ...Object.entries(recordOr(merged.tools)).flatMap(([name, double]) =>
    listOr(recordOr(double).when).flatMap((clause, i) =>
      operatorFindings(recordOr(clause).input, [...notInPatterns, ...onJson], 'input').map((finding) =>
        below(['tools', name, 'when', i, 'input'], finding),
      ),
    ),
  ),
]

const actionPatternFindings = (pattern: unknown): Finding[] => {
  if (!isRecord(pattern)) return []
  const operators = operatorFindings(pattern, notInPatterns, 'action')
  const [short = ''] = Object.keys(pattern)
  if (typeof pattern.action !== 'string') {
    const type = actionTypeOf(short)
    if (type === undefined) return operators
    return [
      ...operators,
      ...globFindings(mainParam(type), pattern[short], [short]),
      ...shortUnknown(pattern[short], type, short),
    ]
  }
  const globs = (['path', 'url'] as const).flatMap((key) => globFindings(key, pattern[key], [key]))
  const type = actionTypeOf(pattern.action)
  const unknown = type === undefined ? [] : unknownParams(pattern, type)
  return [...operators, ...globs, ...unknown, ...outputFindings(pattern.output)]
}

/** What no pattern can do: these judge a whole answer. */
const notInPatterns = ['similar', 'headings', 'script', 'rubric']
const onJson = ['json_schema', 'json_equals', 'json_path']

const operatorFindings = (matcher: unknown, refused: readonly string[], what: string): Finding[] =>
  checksInMatcher(matcher).flatMap(({ path, check }): Finding[] => {
    const operator = refused.find((name) => Object.hasOwn(check, name))
    // A map below an operator's name that is no operand of it is one to match in part.
    if (operator !== undefined && typeof check[operator] === 'object') {
      const message = `\`${operator}\` can't be used in a pattern of an ${what}`
      return [{ path: [...path, operator], at: 'key', code: 'pattern', message }]
    }
    if (typeof check.json_schema !== 'string') return []
    const message = 'a JSON Schema in a pattern must be inline'
    return [{ path: [...path, 'json_schema'], at: 'value', code: 'pattern', message }]
  })

const globFindings = (param: string, value: unknown, path: Path): Finding[] => {
  const fault = (param === 'path' || param === 'url') && typeof value === 'string' ? globFault(value) : undefined
  return fault === undefined ? [] : [{ path, at: 'value', code: 'glob', message: `the pattern ${fault}` }]
}

const ofEveryAction = ['action', 'status', 'exit_code', 'skill', 'output']

const unknownParams = (pattern: JsonRecord, type: ActionType): Finding[] => {
  const known = [...ofEveryAction, ...Object.keys(actionParamSchemas[type].shape)]
  return Object.keys(pattern).flatMap((key): Finding[] => {
    if (known.includes(key)) return []
    const [guess] = nearest(key, known, 1)
    const message = `${type} has no \`${key}\`: the pattern can't match`
    const hint = guess === undefined ? `It has ${known.join(', ')}.` : `Did you mean \`${guess}\`?`
    return [{ path: [key], at: 'key', code: 'unknown-parameter', message, hint }]
  })
}

/** The full form below the action's type: `{run_script: {path, exit_code}}`. A check map there is one of the main parameter. */
const shortUnknown = (main: unknown, type: ActionType, short: string): Finding[] => {
  if (!isRecord(main) || Object.keys(main).some((key) => ofCheckMaps.has(key))) return []
  if (type === 'select_skills' && Object.hasOwn(main, 'name')) return []
  return unknownParams(main, type).map((finding) => below([short], finding))
}

const ofCheckMaps: ReadonlySet<string> = new Set([...checkOperators, 'not', 'ignore_case'])

/** An observation is a text: a map that is no check is held against the JSON in it, if that has its keys. */
const outputFindings = (output: unknown): Finding[] => {
  if (!isRecord(output) || checksInMatcher(output).some(({ path }) => path.length === 0)) return []
  const [key = ''] = Object.keys(output)
  const [guess] = nearest(key, checkOperators, 1)
  if (guess === undefined) return []
  const message = `\`output\` has no operator, and is matched against JSON`
  return [
    {
      path: ['output', key],
      at: 'key',
      code: 'no-operator',
      message,
      hint: `Did you mean \`${guess}\`?`,
      severity: 'warning',
    },
  ]
}
