import { actionTypeOf } from '../core/actions.ts'
import { nearest } from '../lib/nearest.ts'
import { actionParamSchemas } from '../schema/action.ts'
import { checkOperators } from '../schema/check.ts'
import { checksInMatcher, patternsOf } from './case-checks.ts'
import { below, type Finding } from './finding.ts'
import { isRecord, type JsonRecord, recordOr } from './record.ts'

const ofEveryAction = ['action', 'status', 'exit_code', 'skill', 'output']

/**
 * Action patterns that are well-formed and still can match nothing: a parameter that the action does not have (a
 * warning: models may send what they like), an `output` that is neither text nor a check.
 */
export const patternFindings = (merged: JsonRecord): Finding[] =>
  patternsOf(recordOr(merged.expected)).flatMap(({ path, pattern }) =>
    isRecord(pattern) && typeof pattern.action === 'string'
      ? [...unknownParams(pattern, pattern.action), ...outputFindings(pattern.output)].map((finding) =>
          below(['expected', ...path], finding),
        )
      : [],
  )

const unknownParams = (pattern: JsonRecord, action: string): Finding[] => {
  const type = actionTypeOf(action)
  if (type === undefined) return []
  const known = [...ofEveryAction, ...Object.keys(actionParamSchemas[type].shape)]
  return Object.keys(pattern).flatMap((key): Finding[] => {
    if (known.includes(key)) return []
    const [guess] = nearest(key, known, 1)
    const message = `${type} has no \`${key}\`: the pattern can't match`
    const hint = guess === undefined ? `It has ${known.join(', ')}.` : `Did you mean \`${guess}\`?`
    return [{ path: [key], at: 'key', code: 'unknown-parameter', message, hint, severity: 'warning' }]
  })
}

const outputFindings = (output: unknown): Finding[] => {
  if (!isRecord(output) || checksInMatcher(output).some(({ path }) => path.length === 0)) return []
  const [key = ''] = Object.keys(output)
  const [guess] = nearest(key, checkOperators, 1)
  const message = '`output` needs exactly one operator'
  const hint = guess === undefined ? `One of ${checkOperators.join(', ')}.` : `Did you mean \`${guess}\`?`
  return [{ path: ['output', key], at: 'key', code: 'unknown-key', message, hint }]
}
