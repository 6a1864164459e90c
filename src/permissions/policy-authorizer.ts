import type { ActionType } from '../core/actions.ts'
import { SkillsEvalError } from '../core/errors.ts'
import type { Authorizer, Decision, PermissionRequest } from '../core/ports.ts'
import type { Verdict } from '../core/trajectory.ts'
import type { Policy } from '../schema/policy.ts'
import { coversUse, parseToolRule, type ToolRule, unreadableRule } from './tool-rule.ts'

export type PolicyLayers = {
  /** What holds where the configuration says nothing. */
  readonly defaults: Readonly<Partial<Record<ActionType, Verdict>>>
  readonly configured: Policy | undefined
  /** The run-time policy: only ever narrows, unless it is trusted. */
  readonly runtime: Policy | undefined
  readonly trustRuntime?: boolean
  /** What a person granted by name for this run: lifts `ask` and what is only closed by default, nothing else. */
  readonly granted?: readonly ToolRule[]
}

/** Low-risk tools alone: nothing runs, is written or leaves the machine unless somebody wrote that it may. */
export const safeDefaults: PolicyLayers['defaults'] = { read_file: 'allow', list_dir: 'allow', grep: 'allow' }

/** In an eval, scripts and writes stay inside the case's throw-away workspace, and provided tools are test doubles. */
export const evalDefaults: PolicyLayers['defaults'] = {
  ...safeDefaults,
  run_script: 'allow',
  write_file: 'allow',
  call_tool: 'allow',
}

/** What belongs to having skills at all: outside every fence. */
const free: ReadonlySet<ActionType> = new Set<ActionType>([
  'select_skills',
  'search_skills',
  'load_resource',
  'update_plan',
  'final_answer',
])

/** What changes the world beyond a skill's own script: allowing the whole tool is not naming what it may do. */
const highRisk: ReadonlySet<ActionType> = new Set<ActionType>(['write_file', 'delete_file', 'network_request'])

const rank: Readonly<Record<Verdict, number>> = { allow: 0, ask: 1, deny: 2 }

/**
 * configured ∩ the skill's allowed-tools ∩ run-time policy. In each layer deny beats ask beats allow; across layers
 * the strictest decides and its rule is the one that is named.
 */
export const policyAuthorizer = (layers: PolicyLayers): Authorizer => {
  const configured = compile(layers.configured)
  const runtime = compile(layers.runtime)
  const skills = new Map<readonly string[], readonly ToolRule[]>()
  const skillRules = (declared: readonly string[]): readonly ToolRule[] => {
    const known = skills.get(declared) ?? declared.flatMap((written) => parseToolRule(written) ?? [])
    skills.set(declared, known)
    return known
  }

  const configuredDecision = (request: PermissionRequest): Decision => {
    const matched = firstMatch(configured, request, 'configuration')
    if (matched?.verdict === 'deny') return matched
    const grant = layers.granted?.find((rule) => covers(rule, request))
    if (grant) return { verdict: 'allow', rule: `--allow ${grant.written}` }
    if (matched) return isTooWide(matched, request) ? asked(matched) : matched
    const trusted = layers.trustRuntime ? firstMatch(runtime, request, 'trusted suite') : undefined
    if (trusted) return trusted
    const verdict = layers.defaults[request.tool] ?? 'deny'
    return { verdict, rule: `default: ${verdict} ${request.tool}` }
  }

  const isTooWide = ({ verdict, spec }: Match, { tool }: PermissionRequest): boolean =>
    verdict === 'allow' && highRisk.has(tool) && layers.defaults[tool] !== 'allow' && namesNothing(spec)

  const skillDecision = (request: PermissionRequest): Decision | undefined => {
    // An action that names no skill may be any loaded one's; one that declares nothing opens nothing for the others.
    const fences = (request.skill ? [request.skill] : request.loaded).filter((skill) => skill.allowedTools)
    if (fences.length === 0) return undefined
    for (const { name, allowedTools } of fences) {
      const found = skillRules(allowedTools ?? []).find((rule) => covers(rule, request))
      if (found) return { verdict: 'allow', rule: `skill ${name}: allowed-tools ${found.written}` }
    }
    const told = fences.map(
      ({ name, allowedTools }) => `skill ${name}: allowed-tools (${allowedTools?.join(' ') || 'nothing'})`,
    )
    return { verdict: 'deny', rule: `${told.join(', ')} does not cover it` }
  }

  const runtimeDecision = (request: PermissionRequest): Decision | undefined => {
    const matched = firstMatch(runtime, request, 'run-time policy')
    if (matched) return matched
    if (layers.runtime?.allow === undefined || safeDefaults[request.tool] === 'allow') return undefined
    return { verdict: 'deny', rule: 'run-time policy: permissions.allow does not name it' }
  }

  return {
    decide: async (request) => {
      if (free.has(request.tool)) return { verdict: 'allow', rule: `default: allow ${request.tool}` }
      try {
        const decisions = [configuredDecision(request), skillDecision(request), runtimeDecision(request)]
        return strictest(decisions.filter((decision) => decision !== undefined))
      } catch (error) {
        if (!(error instanceof SkillsEvalError)) throw error
        return { verdict: 'deny', rule: 'default: deny what no rule can be compared with', reason: error.message }
      }
    },
    mayAllow: (tool) => {
      if (free.has(tool)) return true
      if (deniedWholly(configured, tool) || deniedWholly(runtime, tool)) return false
      const named = (rules: Compiled) => [...rules.allow, ...rules.ask].some((rule) => rule.tools.includes(tool))
      const isGranted = layers.granted?.some((rule) => rule.tools.includes(tool)) === true
      const opened = (layers.defaults[tool] ?? 'deny') !== 'deny' || named(configured) || isGranted
      if (!opened) return layers.trustRuntime === true && named(runtime)
      return layers.runtime?.allow === undefined || safeDefaults[tool] === 'allow' || named(runtime)
    },
  }
}

type Compiled = Readonly<Record<Verdict, readonly ToolRule[]>>

const compile = (policy: Policy | undefined): Compiled => ({
  allow: (policy?.allow ?? []).flatMap((written) => parseToolRule(written) ?? []),
  // A fence that can't be read is not left open: it stands before everything.
  ask: (policy?.ask ?? []).map((written) => parseToolRule(written) ?? unreadableRule(written)),
  deny: (policy?.deny ?? []).map((written) => parseToolRule(written) ?? unreadableRule(written)),
})

type Match = Decision & { readonly spec: string | undefined }

const covers = (rule: ToolRule, request: PermissionRequest): boolean =>
  coversUse(rule, request.tool, request.target, argsOf(request))

const namesNothing = (spec: string | undefined): boolean => spec === undefined || /^[*/.]+$/.test(spec)

const asked = ({ rule }: Match): Decision => ({
  verdict: 'ask',
  rule: `${rule} (names no path or host, so each is asked)`,
})

const firstMatch = (rules: Compiled, request: PermissionRequest, layer: string): Match | undefined => {
  for (const verdict of ['deny', 'ask', 'allow'] as const) {
    const found = rules[verdict].find((rule) => covers(rule, request))
    if (found) return { verdict, rule: `${layer}: ${verdict} ${found.written}`, spec: found.spec }
  }
  return undefined
}

const deniedWholly = (rules: Compiled, tool: ActionType): boolean =>
  rules.deny.some((rule) => rule.spec === undefined && rule.tools.includes(tool))

const strictest = (decisions: readonly Decision[]): Decision =>
  decisions.reduce((worst, next) => (rank[next.verdict] > rank[worst.verdict] ? next : worst))

const argsOf = ({ params }: PermissionRequest): readonly string[] =>
  Array.isArray(params.args) ? params.args.map(String) : []
