import { actionTypeOf } from '../core/actions.ts'
import { isFree, parseToolRule, ruleNames } from '../core/tool-rule.ts'
import { globFault } from '../lib/glob.ts'
import { nearestName } from '../lib/nearest.ts'
import { patternsOf } from './case-checks.ts'
import { below, type Finding } from './finding.ts'
import type { Path } from './path.ts'
import { isRecord, type JsonRecord, listOr } from './record.ts'

/**
 * Rules of a policy that misspell one of our tools, can never match or do nothing: a fence with a mistyped name stands
 * before nothing. Names in `provided` are tools of the run. Paths start at the policy; assumes no shape.
 */
export const policyFindings = (policy: unknown, provided: ReadonlySet<string> = new Set()): Finding[] => {
  if (!isRecord(policy)) return []
  return (['allow', 'ask', 'deny'] as const).flatMap((list) =>
    listOr(policy[list]).flatMap((rule, i) =>
      typeof rule === 'string' ? ruleFindings(rule, list, provided).map((told) => at([list, i], told)) : [],
    ),
  )
}

/** The same for a case: its `permissions` and `constraints.forbidden_tools`. Paths start at the case. */
export const casePolicyFindings = (merged: JsonRecord): Finding[] => {
  const provided = new Set(isRecord(merged.tools) ? Object.keys(merged.tools) : [])
  const constraints = isRecord(merged.constraints) ? merged.constraints : {}
  return [
    ...[...provided].flatMap(ownNameFinding),
    ...calledToolFindings(merged, provided),
    ...policyFindings(merged.permissions, provided).map((finding) => below(['permissions'], finding)),
    ...forbiddenToolFindings(constraints.forbidden_tools, provided).map((finding) =>
      below(['constraints', 'forbidden_tools'], finding),
    ),
  ]
}

/** A double beside an action of the same name: nobody could tell which of the two is meant. */
const ownNameFinding = (name: string): Finding[] =>
  actionTypeOf(name) === undefined
    ? []
    : [
        {
          path: ['tools', name],
          at: 'key',
          code: 'tool-name',
          message: `\`${name}\` is an action of every agent: a tool of this name does not take its place`,
          hint: `Give the tool another name, such as \`my_${name}\`; what files hold is laid down with \`files\`.`,
          severity: 'warning',
        },
      ]

/** Patterns that name a tool which nearly is one of the case: a `never` of it would hold for ever. */
const calledToolFindings = (merged: JsonRecord, provided: ReadonlySet<string>): Finding[] =>
  patternsOf(isRecord(merged.expected) ? merged.expected : {}).flatMap(({ path, pattern }) => {
    const key = isRecord(pattern) && pattern.action === 'call_tool' ? 'tool' : 'call_tool'
    // A call of a tool that there is not is an action too, and ends in an error.
    if (isRecord(pattern) && (pattern.status === 'error' || pattern.status === 'denied')) return []
    const name = isRecord(pattern) ? pattern[key] : undefined
    const meant = typeof name === 'string' && !provided.has(name) ? nearestName(name, [...provided]) : undefined
    if (meant === undefined) return []
    const told = {
      code: 'unknown-tool',
      message: `there is no tool \`${String(name)}\``,
      hint: `Did you mean \`${meant}\`?`,
    }
    return [at(['expected', ...path, key], told)]
  })

const forbiddenToolFindings = (names: unknown, provided: ReadonlySet<string>): Finding[] =>
  listOr(names).flatMap((name, i) => {
    const meant =
      typeof name === 'string' && !provided.has(name) ? nearestName(name, [...ownNames, ...provided]) : undefined
    return meant === undefined ? [] : [at([i], misspelt(String(name), meant))]
  })

type Told = Omit<Finding, 'path' | 'at'>

const at = (path: Path, told: Told): Finding => ({ path, at: 'value', ...told })

const ownNames = ruleNames.filter((name) => /^[a-z]+(_[a-z]+)*$/.test(name) && name !== 'network')

const ruleFindings = (written: string, list: 'allow' | 'ask' | 'deny', provided: ReadonlySet<string>): Told[] => {
  const rule = parseToolRule(written)
  // The schema has refused what has no shape of a rule.
  if (!rule) return [meaningless(written, 'its parentheses do not match')]
  const name = written.replace(/\(.*/s, '').trim()
  const meant = rule.kind === 'name' && !provided.has(name) ? nearestName(name, ruleNames) : undefined
  if (meant !== undefined) return [misspelt(name, meant)]
  if (rule.problem !== undefined) return [meaningless(written, rule.problem)]
  const fault = rule.kind === 'path' || rule.kind === 'name' ? patternFault(rule.spec) : undefined
  if (fault !== undefined) return [{ code: 'rule', message: `the rule \`${written}\`: the pattern ${fault}` }]
  if (!rule.tools.every(isFree) || list === 'allow') return []
  const message = `\`${name}\` is outside every fence: the rule \`${written}\` does nothing`
  return [{ code: 'rule', message, severity: 'warning' }]
}

const meaningless = (written: string, problem: string): Told => ({
  code: 'rule',
  message: `the rule \`${written}\` means nothing: ${problem}`,
})

const patternFault = (spec: string | undefined): string | undefined =>
  spec === undefined || spec === '' ? undefined : globFault(spec)

const misspelt = (name: string, meant: string): Told => ({
  code: 'unknown-tool',
  message: `there is no tool \`${name}\``,
  hint: `Did you mean \`${meant}\`? One that the run provides under that name is written \`call_tool(${name})\`.`,
})
