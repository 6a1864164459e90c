import type { ActionType } from '../core/actions.ts'
import { SkillsEvalError } from '../core/errors.ts'
import type { Authorizer, Decision, PermissionRequest } from '../core/ports.ts'
import { isShellTool } from '../core/shell-tool.ts'
import type { Skill } from '../core/skill.ts'
import { isFree, parseToolRule, type ToolRule, unreadableRule } from '../core/tool-rule.ts'
import type { Verdict } from '../core/trajectory.ts'
import type { Policy } from '../schema/policy.ts'
import { allowingRules, concerns, fencingRule, namesExactly, namesNothing } from './match-rule.ts'
import { type ToolUse, toolUse } from './tool-use.ts'

export type PolicyLayers = {
  /** What holds where the configuration says nothing. */
  readonly defaults: Readonly<Partial<Record<ActionType, Verdict>>>
  readonly configured: Policy | undefined
  /** The run-time policy: only ever narrows, unless it is trusted. */
  readonly runtime: Policy | undefined
  readonly trustRuntime?: boolean
  /**
   * Rules that a person granted for this run. They lift `ask` and what is denied by default alone: no deny rule, no
   * skill's declaration, no denial of the run-time policy.
   */
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

const rank: Readonly<Record<Verdict, number>> = { allow: 0, ask: 1, deny: 2 }

const highRisk: ReadonlySet<ActionType> = new Set<ActionType>(['write_file', 'delete_file', 'network_request'])

/**
 * configured ∩ the skill's allowed-tools ∩ run-time policy. In each layer deny beats ask beats allow; across layers
 * the strictest decides and its rule is the one that is named.
 *
 * A tool that the configuration opens for some uses is asked about for the others. Where the tool is high-risk, or the
 * provided tool is a shell, a rule that names nothing in particular (`write_file`, `write_file(**)`, `call_tool`) opens
 * it to be asked about, no further; what the defaults allow stays allowed.
 *
 * A line for a provided shell is judged by `Bash(…)` rules, each command of it; a rule that names the tool
 * (`call_tool(bash)`) lets any line pass where it stands in the configuration or a grant. No rule about commands is a
 * boundary: `Bash(git:*)` is a convenience, the sandbox is the fence.
 */
export const policyAuthorizer = (layers: PolicyLayers): Authorizer => {
  const configured = compile(layers.configured)
  const runtime = compile(layers.runtime)
  const granted = layers.granted ?? []
  const skillRules = declaredRules()

  const configuredDecision = (use: ToolUse): Configured => {
    const denied = fencingRule(configured.deny, use)
    if (denied) return { verdict: 'deny', rule: `configuration: deny ${denied.written}` }
    const given = allowingRules(granted, use)
    if (given) return allowedBy(given, '--allow')
    const asked = fencingRule(configured.ask, use)
    if (asked) return { verdict: 'ask', rule: `configuration: ask ${asked.written}`, ...exactness([asked]) }
    const isDefault = layers.defaults[use.tool] === 'allow'
    // A line may need what was granted beside what is configured.
    const allowed =
      allowingRules(configured.allow, use) ?? (use.line && allowingRules([...configured.allow, ...granted], use))
    if (allowed) return opened(allowed, 'configuration: allow', !isDefault && needsName(use))
    const trusted = layers.trustRuntime ? trustedDecision(use) : undefined
    if (trusted) return trusted
    const verdict = layers.defaults[use.tool] ?? 'deny'
    return verdict === 'deny' && opens(configured, use)
      ? { verdict: 'ask', rule: `default: ask ${use.tool}, which the configuration opens for other uses` }
      : { verdict, rule: `default: ${verdict} ${use.tool}`, isClosed: verdict === 'deny' }
  }

  const trustedDecision = (use: ToolUse): Decision | undefined => {
    const fenced = firstMatch({ ...runtime, allow: [] }, use, 'trusted suite')
    const allowed = fenced ? undefined : allowingRules(runtime.allow, use)
    // What a case does to its workspace is thrown away with it; what it sends is not.
    return allowed ? opened(allowed, 'trusted suite: allow', use.tool === 'network_request') : fenced
  }

  const skillDecision = ({ skill, loaded }: PermissionRequest, use: ToolUse): Decision | undefined => {
    const declaring = (skill ? [skill] : loaded).filter((one) => one.allowedTools !== undefined)
    if (declaring.length === 0) return undefined
    const rules = declaring.flatMap((one) => skillRules(one.allowedTools ?? []))
    const names = declaring.map(({ name }) => name).join(', ')
    const from = `${declaring.length === 1 ? 'skill' : 'skills'} ${names}: allowed-tools`
    const found = allowingRules(rules, use)
    if (found) return { verdict: 'allow', rule: `${from} ${writtenOf(found)}` }
    const declared = declaring.flatMap((one) => one.allowedTools ?? []).join(' ')
    return { verdict: 'deny', rule: `${from} (${declared || 'nothing'}) does not cover it` }
  }

  const runtimeDecision = (use: ToolUse): Decision | undefined => {
    const matched = firstMatch(runtime, use, 'run-time policy')
    if (matched) return matched.verdict === 'ask' && allowingRules(granted, use) ? undefined : matched
    if (layers.runtime?.allow === undefined || safeDefaults[use.tool] === 'allow') return undefined
    return { verdict: 'deny', rule: 'run-time policy: permissions.allow does not name it' }
  }

  return {
    decide: async (request) => {
      if (isFree(request.tool)) return { verdict: 'allow', rule: `default: allow ${request.tool}` }
      try {
        const use = await toolUse(request)
        const { isClosed, ...first } = configuredDecision(use)
        const narrower = [skillDecision(request, use), runtimeDecision(use)]
        // A grant lifts what is closed by default: where another layer denies too, that one has to be known.
        const decision = strictest(isClosed ? [...narrower, first] : [first, ...narrower])
        const { isExact: _, ...plain } = decision
        return first.isExact && decision.verdict !== 'deny' ? { ...plain, isExact: true } : plain
      } catch (error) {
        if (!(error instanceof SkillsEvalError)) throw error
        return { verdict: 'deny', rule: 'default: deny what no rule can be compared with', reason: error.message }
      }
    },
    mayAllow: (tool) => {
      if (isFree(tool)) return true
      if (deniedWholly(configured, tool) || deniedWholly(runtime, tool)) return false
      const named = (rules: readonly ToolRule[]) => rules.some((rule) => rule.tools.includes(tool) && !rule.problem)
      const isOpened =
        (layers.defaults[tool] ?? 'deny') !== 'deny' ||
        named([...configured.allow, ...configured.ask, ...granted]) ||
        (layers.trustRuntime === true && named([...runtime.allow, ...runtime.ask]))
      if (!isOpened) return false
      return (
        layers.runtime?.allow === undefined ||
        safeDefaults[tool] === 'allow' ||
        named([...runtime.allow, ...runtime.ask])
      )
    },
  }
}

/** What the configuration decides; `isClosed` where it is silent and the default denies, which a grant can lift. */
type Configured = Decision & { readonly isClosed?: boolean }

type Compiled = Readonly<Record<Verdict, readonly ToolRule[]>>

const compile = (policy: Policy | undefined): Compiled => ({
  allow: readRules(policy?.allow ?? []),
  // A fence that can't be read is not left open: it stands before everything.
  ask: (policy?.ask ?? []).map((written) => parseToolRule(written) ?? unreadableRule(written)),
  deny: (policy?.deny ?? []).map((written) => parseToolRule(written) ?? unreadableRule(written)),
})

const readRules = (written: readonly string[]): readonly ToolRule[] =>
  written.flatMap((one) => parseToolRule(one) ?? [])

/** The rules of declarations, each read once. */
const declaredRules = (): ((declared: NonNullable<Skill['allowedTools']>) => readonly ToolRule[]) => {
  const known = new Map<readonly string[], readonly ToolRule[]>()
  return (declared) => {
    const rules = known.get(declared) ?? readRules(declared)
    known.set(declared, rules)
    return rules
  }
}

const firstMatch = (rules: Compiled, use: ToolUse, layer: string): Decision | undefined => {
  const fence = (verdict: 'deny' | 'ask'): Decision | undefined => {
    const found = fencingRule(rules[verdict], use)
    return found && { verdict, rule: `${layer}: ${verdict} ${found.written}` }
  }
  const allowed = () => {
    const found = allowingRules(rules.allow, use)
    return found && allowedBy(found, `${layer}: allow`)
  }
  return fence('deny') ?? fence('ask') ?? allowed()
}

const allowedBy = (rules: readonly ToolRule[], layer: string): Decision => ({
  verdict: 'allow',
  rule: `${layer} ${writtenOf(rules)}`,
  ...exactness(rules),
})

/** What rules allow; where they must name what they open and do not, a person is asked. */
const opened = (rules: readonly ToolRule[], layer: string, mustName: boolean): Decision => {
  const decision = allowedBy(rules, layer)
  return mustName && rules.some(namesNothing)
    ? { verdict: 'ask', rule: `${decision.rule} (names no path, host or command, so each is asked)` }
    : decision
}

const exactness = (rules: readonly ToolRule[]): Pick<Decision, 'isExact'> =>
  rules.every(namesExactly) ? { isExact: true } : {}

const writtenOf = (rules: readonly ToolRule[]): string => rules.map(({ written }) => written).join(' ')

/** A shell is as dangerous as the tools of high risk. */
const needsName = ({ tool, target }: ToolUse): boolean =>
  highRisk.has(tool) || (tool === 'call_tool' && isShellTool(target))

const opens = ({ allow, ask }: Compiled, use: ToolUse): boolean =>
  [...allow, ...ask].some((rule) => rule.problem === undefined && concerns(rule, use))

const deniedWholly = (rules: Compiled, tool: ActionType): boolean =>
  rules.deny.some(
    (rule) =>
      (rule.spec === undefined || (rule.problem !== undefined && rule.kind !== 'name')) &&
      rule.tools.includes(tool) &&
      !(rule.kind === 'command' && tool === 'call_tool'),
  )

const strictest = (decisions: readonly (Decision | undefined)[]): Decision =>
  decisions
    .filter((decision) => decision !== undefined)
    .reduce((worst, next) => (rank[next.verdict] > rank[worst.verdict] ? next : worst))
