import type { Config } from '../schema/config.ts'

/** From how many tokens a request is shortened, where the configuration says. */
export const contextLimit = ({ limits }: Config): { readonly tokens?: number } =>
  limits?.context_tokens === undefined ? {} : { tokens: limits.context_tokens }

/** What the configuration says of skills that run on their own. */
export const subagentLimits = ({ limits }: Config): { readonly depth?: number; readonly share?: number } => ({
  ...(limits?.subagent_depth === undefined ? {} : { depth: limits.subagent_depth }),
  ...(limits?.subagent_share === undefined ? {} : { share: limits.subagent_share }),
})

/** Whether provided tools come with the skills that name them. */
export const offersPerSkill = ({ tools }: Config): boolean => tools?.offer === 'per_skill'
