import { isSlipOf } from '../lib/nearest.ts'
import { actionTypes } from '../schema/action.ts'
import type { Finding } from './finding.ts'
import type { Path } from './path.ts'
import { isRecord, type JsonRecord, listOr } from './record.ts'

/**
 * Rules of a policy whose tool is nearly one of ours: a fence with a mistyped name stands before nothing. Names in
 * `provided` are tools of the run. Paths start at the policy.
 */
export const policyFindings = (policy: unknown, provided: ReadonlySet<string> = new Set()): Finding[] => {
  if (!isRecord(policy)) return []
  return (['allow', 'ask', 'deny'] as const).flatMap((key) => namesFindings(policy[key], [key], provided))
}

/** The same for a case: its `permissions` and `constraints.forbidden_tools`. Paths start at the case. */
export const casePolicyFindings = (merged: JsonRecord): Finding[] => {
  const provided = new Set(isRecord(merged.tools) ? Object.keys(merged.tools) : [])
  const constraints = isRecord(merged.constraints) ? merged.constraints : {}
  return [
    ...policyFindings(merged.permissions, provided).map((found) => ({
      ...found,
      path: ['permissions', ...found.path],
    })),
    ...namesFindings(constraints.forbidden_tools, ['constraints', 'forbidden_tools'], provided),
  ]
}

/** `Grep` is what another runtime calls ours: its names are capitalised words. */
const isKnown = (name: string): boolean => actionTypes.some((type) => type === name) || name === 'Grep'

const namesFindings = (list: unknown, path: Path, provided: ReadonlySet<string>): Finding[] =>
  listOr(list).flatMap((written, i) => {
    const name = typeof written === 'string' ? (/^\s*([^\s()]+)/.exec(written)?.[1] ?? '') : ''
    if (provided.has(name) || isKnown(name)) return []
    const meant = actionTypes.find((type) => isSlipOf(name, type))
    if (meant === undefined) return []
    const message = `there is no tool ${name}`
    const hint = `Did you mean \`${meant}\`? A tool that the run provides is named by \`call_tool(${name})\`.`
    return [{ path: [...path, i], at: 'value' as const, code: 'unknown-tool', message, hint }]
  })
