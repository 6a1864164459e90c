import type { AgentSession } from '../schema/agent-session.ts'
import { type ControlledSkills, controlledSkills } from '../skills/controlled-skills.ts'
import type { AgentWorld } from './agent-world.ts'

/** The skills of a chat. */
export type ChatSkills = {
  readonly skills: ControlledSkills
  /** As it was at the start of the chat: what became of the skills since is told. */
  readonly renderedIndex: string
  /** What the stored chat has of them. */
  kept(): Pick<AgentSession, 'disabled' | 'told'>
}

/** The skills of a chat, in the state in which a stored one was left. */
export const chatSkills = (world: Pick<AgentWorld, 'skills'>, found: AgentSession | undefined): ChatSkills => {
  let isRead = true
  const load = () => {
    // They were read as the world was opened.
    if (!isRead) world.skills.reload()
    isRead = false
    return world.skills.source()
  }
  const skills = controlledSkills(load, found)
  const renderedIndex = found?.told.index ?? world.skills.fitted().text
  const kept = () => {
    const { disabled, told } = skills.kept()
    return {
      disabled: [...disabled],
      told: { index: renderedIndex, skills: { ...told.skills }, disabled: [...told.disabled] },
    }
  }
  return { skills, renderedIndex, kept }
}
