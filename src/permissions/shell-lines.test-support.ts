import type { Skill } from '../core/skill.ts'
import type { Verdict } from '../core/trajectory.ts'
import { parseGrant } from './parse-grant.ts'
import { evalDefaults, type PolicyLayers, policyAuthorizer, safeDefaults } from './policy-authorizer.ts'

export const skillWith = (allowedTools?: readonly string[], name = 's'): Skill => ({
  name,
  description: 'd',
  source: 'suite',
  dir: '/s',
  file: '/s/SKILL.md',
  hiddenFromModel: false,
  hiddenFromUser: false,
  allowedTools,
  tags: [],
  metadata: {},
  extra: {},
})

type Call = {
  readonly input: unknown
  readonly tool?: string
  readonly skill?: Skill
  readonly loaded?: readonly Skill[]
}

/** The verdict over a call of a provided shell. */
export const verdictOf = async (
  layers: Partial<PolicyLayers>,
  { input, tool = 'bash', skill, loaded = [] }: Call,
): Promise<Verdict> => {
  const authorizer = policyAuthorizer({ defaults: safeDefaults, configured: undefined, runtime: undefined, ...layers })
  const decision = await authorizer.decide({
    tool: 'call_tool',
    target: tool,
    params: { tool, input },
    skill,
    loaded: skill ? [skill] : loaded,
  })
  return decision.verdict
}

/** Every place that a rule which lets a line pass may stand in, and whether it does there. */
export const coverage = async (rules: readonly string[], command: string, tool = 'bash') => {
  const call = { input: { command }, tool }
  return {
    configuration: (await verdictOf({ configured: { allow: [...rules] } }, call)) === 'allow',
    grant: (await verdictOf({ granted: rules.map(grantOf) }, call)) === 'allow',
    skill: (await verdictOf({ defaults: evalDefaults }, { ...call, skill: skillWith(rules) })) === 'allow',
    runtime: (await verdictOf({ defaults: evalDefaults, runtime: { allow: [...rules] } }, call)) === 'allow',
  }
}

const grantOf = (rule: string) => parseGrant(rule.replace(/^Bash\((.*)\)$/s, 'Bash:$1'))

export const everywhere = (isCovered: boolean): Awaited<ReturnType<typeof coverage>> => ({
  configuration: isCovered,
  grant: isCovered,
  skill: isCovered,
  runtime: isCovered,
})

export const covers = async (rule: string, command: string): Promise<boolean> =>
  (await verdictOf({ configured: { allow: [rule] } }, { input: { command } })) === 'allow'

/** Whether a rule that forbids stops a line, the shell being open otherwise. */
export const stops = async (rule: string, command: string, tool = 'bash'): Promise<boolean> =>
  (await verdictOf({ defaults: evalDefaults, configured: { deny: [rule] } }, { input: { command }, tool })) === 'deny'
