import type { Files, SkillSource } from '../core/ports.ts'
import type { Skill, SkillIndex, SkillRoot } from '../core/skill.ts'
import type { Config } from '../schema/config.ts'
import { availableSkills, type RunTools } from '../skills/available-skills.ts'
import { indexSkills } from '../skills/index-skills.ts'
import { renderIndex } from '../skills/render-index.ts'
import { skillSource } from '../skills/skill-source.ts'
import { bodyLimits } from './suite-skills.ts'

/** The skills of a task, which a person may take away and bring back between two requests. */
export type AgentSkills = {
  /** Of all skills that were found, those that are disabled too. */
  index(): SkillIndex
  source(): SkillSource
  renderedIndex(): string
  disabled(): readonly string[]
  setDisabled(names: readonly string[]): void
  /** Looks for skills anew. */
  reload(): void
}

export const agentSkills = (
  roots: readonly SkillRoot[],
  tools: RunTools,
  config: Config,
  files: Files,
): AgentSkills => {
  let all = indexSkills(roots, files)
  let off: readonly string[] = []
  const isOn = ({ name }: Skill): boolean => !off.includes(name)
  const sourceNow = (): SkillSource =>
    availableSkills(skillSource({ ...all, skills: all.skills.filter(isOn) }, files, bodyLimits(config)), tools)
  let source = sourceNow()
  const refresh = (): void => {
    source = sourceNow()
  }
  return {
    index: () => all,
    source: () => source,
    renderedIndex: () => {
      const visible = source.visible()
      return visible.length === 0 ? '' : renderIndex(visible)
    },
    disabled: () => off,
    setDisabled: (names) => {
      off = [...new Set(names)].sort()
      refresh()
    },
    reload: () => {
      all = indexSkills(roots, files)
      refresh()
    },
  }
}
