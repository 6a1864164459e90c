import type { SkillSource } from '../core/ports.ts'
import type { SkillIndex, SkillRoot } from '../core/skill.ts'
import type { Config } from '../schema/config.ts'
import { availableSkills, type RunTools } from '../skills/available-skills.ts'
import { type FittedIndex, fitIndex } from '../skills/fit-index.ts'
import { skillSource } from '../skills/skill-source.ts'
import type { Host } from './host.ts'
import { indexRoots } from './index-roots.ts'
import { bodyLimits, indexTokens } from './suite-skills.ts'

/** The skills of a task. */
export type AgentSkills = {
  /** Of all skills that were found. */
  index(): SkillIndex
  source(): SkillSource
  /** What the system prompt shows of them. */
  fitted(): FittedIndex
  /** Looks again at which of the tools that skills require are there. */
  refresh(): void
  /** Looks for skills anew. */
  reload(): void
}

export const agentSkills = (
  roots: readonly SkillRoot[],
  tools: RunTools,
  config: Config,
  host: Pick<Host, 'files'>,
): AgentSkills => {
  let all = indexRoots(roots, host)
  const sourceNow = (): SkillSource => availableSkills(skillSource(all, host.files, bodyLimits(config)), tools)
  let source = sourceNow()
  let fitted: FittedIndex | undefined
  const refresh = (): void => {
    source = sourceNow()
    fitted = undefined
  }
  return {
    index: () => all,
    source: () => source,
    fitted: () => {
      fitted ??= fitIndex(source.visible(), indexTokens(config))
      return fitted
    },
    refresh,
    reload: () => {
      all = indexRoots(roots, host)
      refresh()
    },
  }
}
