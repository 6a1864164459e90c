import { actionTypeOf, normalizeParams } from '../core/actions.ts'
import { isRegexLiteral } from '../lib/regex.ts'
import { issuesOf } from '../lib/zod-issues.ts'
import { actionParamSchemas } from '../schema/action.ts'
import { below, type Finding } from './finding.ts'
import { actionsOf, rulesOf, scriptsOf } from './mock-actions.ts'
import type { Path } from './path.ts'
import { isRecord, type JsonRecord, listOr } from './record.ts'
import { explainIssues } from './zod-diagnostics.ts'

/**
 * Mistakes in the parameters of a mock's actions: what the agent would send back to a model as invalid. `raw` actions
 * are let through, they are wrong on purpose; so are texts. Paths start at the mock's value.
 */
export const mockFindings = (mock: unknown): Finding[] =>
  actionsOf(mock).flatMap(({ path, action }) => actionFindings(action).map((finding) => below(path, finding)))

/** The regular expressions (`/…/flags`) that the rules of a mock look for. */
export const mockRegexes = (mock: unknown): { readonly path: Path; readonly source: string }[] =>
  scriptsOf(mock).flatMap(({ path, script }) =>
    rulesOf(script).flatMap((rule, i) => {
      const when = isRecord(rule) && isRecord(rule.when) ? rule.when : {}
      return (['input', 'observation'] as const).flatMap((key) => {
        const source = when[key]
        if (typeof source !== 'string' || !isRegexLiteral(source)) return []
        return [{ path: [...path, 'rules', i, 'when', key], source }]
      })
    }),
  )

/** Those that a scripted judge looks for. */
export const judgeRegexes = (rules: unknown): { readonly path: Path; readonly source: string }[] =>
  listOr(rules).flatMap((rule, i) =>
    (['criterion', 'material'] as const).flatMap((key) => {
      const source = isRecord(rule) ? rule[key] : undefined
      return typeof source === 'string' && isRegexLiteral(source) ? [{ path: [i, key], source }] : []
    }),
  )

// Rows of a case share the actions that name no column: they are looked at once.
const known = new WeakMap<object, Finding[]>()

const actionFindings = (action: unknown): Finding[] => {
  if (!isRecord(action)) return []
  const findings = known.get(action) ?? findingsOf(action)
  known.set(action, findings)
  return findings
}

const findingsOf = (action: JsonRecord): Finding[] => {
  const [name = '', ...others] = Object.keys(action)
  const type = actionTypeOf(name)
  if (others.length > 0 || type !== name) return []
  const written = action[name]
  const params = normalizeParams(type, written)
  const schema = actionParamSchemas[type]
  return explainIssues(schema, params, issuesOf(schema, params)).map((finding) => ({
    ...finding,
    // A short form has no keys to point at.
    path: isRecord(written) ? [name, ...finding.path] : [name],
    at: isRecord(written) ? finding.at : 'value',
    message: `${name}: ${finding.message}`,
  }))
}
