import type { Config } from '../schema/config.ts'

/** What the configuration says of skills that run on their own. */
export const subagentLimits = ({ limits }: Config): { readonly depth?: number; readonly share?: number } => ({
  ...(limits?.subagent_depth === undefined ? {} : { depth: limits.subagent_depth }),
  ...(limits?.subagent_share === undefined ? {} : { share: limits.subagent_share }),
})
