import type { ActionParams } from '../core/actions.ts'
import type { BodyText } from '../core/model.ts'
import type { AgentStop } from '../core/outcome.ts'
import type { SkillSource } from '../core/ports.ts'
import type { Skill, SkillBody } from '../core/skill.ts'
import { argumentNames, fillPlaceholders, placeholdersIn, skillFolderPlaceholder } from '../lib/placeholders.ts'
import { coordinatorsFirst } from './coordinators-first.ts'
import type { RunState } from './run-state.ts'
import type { RunAlone, SubagentEnd } from './subagent.ts'

export type Selection = {
  readonly text: string
  readonly loaded: readonly string[]
  readonly failed: readonly string[]
  readonly bodies: readonly BodyText[]
  readonly subagents: readonly SubagentEnd[]
  readonly stop?: AgentStop
}

export type SelectionTurn = {
  readonly turn: number
  /** So many bodies were loaded in this turn, of so many that may be. */
  readonly already: number
  readonly maxBodies: number
  readonly runAlone: RunAlone
}

/**
 * Loads the bodies of the named skills, at most `maxBodies` in one turn. A skill that runs on its own is run instead,
 * and what it answered takes the place of its body.
 */
export const selectSkills = async (
  params: ActionParams['select_skills'],
  state: RunState,
  skills: SkillSource,
  at: SelectionTurn,
): Promise<Selection> => {
  const subagents: SubagentEnd[] = []
  const loaded: string[] = []
  const failed: string[] = []
  const parts: string[] = []
  const bodies: BodyText[] = []
  let room = at.maxBodies - at.already
  for (const ref of coordinatorsFirst(params.skills, skills)) {
    const byUser = state.asked.has(ref.name)
    const skill = skills.resolve(ref, byUser ? 'user' : 'model')
    if ('problem' in skill) {
      failed.push(ref.name)
      parts.push(skill.problem)
      continue
    }
    if (isLoaded(skill, state)) {
      loaded.push(skill.name)
      parts.push(alreadyLoaded(skill))
      record(state, skill, at.turn)
      continue
    }
    if (skill.runsAlone) {
      const end = await at.runAlone(skill, params.task, at.turn)
      if ('problem' in end) {
        failed.push(skill.name)
        parts.push(end.problem)
        continue
      }
      record(state, skill, at.turn, byUser ? 'user' : 'model')
      loaded.push(skill.name)
      parts.push(end.text)
      subagents.push(end)
      if (end.stop) return { text: parts.join('\n\n'), loaded, failed, bodies, subagents, stop: end.stop }
      continue
    }
    if (room <= 0) {
      failed.push(skill.name)
      parts.push(
        `${skill.name} was not loaded: at most ${at.maxBodies} skills are loaded in one turn. Select it in your next turn.`,
      )
      continue
    }
    const text = loadBody(skill, state, skills, at.turn, 'model')
    if ('problem' in text) {
      failed.push(skill.name)
      parts.push(text.problem)
      continue
    }
    room -= 1
    loaded.push(skill.name)
    parts.push(text.text)
    bodies.push(bodyText(skill, text.text))
  }
  return { text: parts.join('\n\n'), loaded, failed, bodies, subagents }
}

const record = (state: RunState, skill: Skill, turn: number, by: 'model' | 'user' = 'model'): void => {
  state.trajectory.push({ type: 'selected', turn, skill: skill.name, source: skill.source, by })
}

/** Whether the conversation has its instructions as they are. */
export const isLoaded = ({ name }: Skill, state: RunState): boolean =>
  state.loaded.has(name) && !state.outdated.has(name)

/** What is said instead of a body that is in the conversation already. */
export const alreadyLoaded = (skill: Skill): string => `${skill.name} is already loaded; its instructions are above.`

/** The same, where the user names the skill again, with words for its placeholders. */
export const loadedWithArguments = (skill: Skill): string =>
  `${skill.name} is already loaded; its instructions are above. Where they have arguments, what the user says now is meant.`

/**
 * Reads a body, marks the skill as loaded and says so on the trajectory. `given`: what a person who named the skill
 * said behind its name, for the placeholders in its body; `isTaken` where it found its place there.
 */
export const loadBody = (
  skill: Skill,
  state: RunState,
  skills: SkillSource,
  turn: number,
  by: 'model' | 'user',
  given?: string,
): { readonly text: string; readonly isTaken: boolean } | { readonly problem: string } => {
  const body = skills.body(skill)
  if ('problem' in body) return body
  const { text, isTaken } = filled(skill, body, given)
  if (placeholdersIn(body.text, argumentNames(skill.extra.arguments)).some((one) => one !== skillFolderPlaceholder))
    state.takesArguments.add(skill.name)
  state.loaded.set(skill.name, skill)
  state.outdated.delete(skill.name)
  state.trajectory.push({ type: 'selected', turn, skill: skill.name, source: skill.source, by })
  state.trajectory.push({
    type: 'disclosed',
    turn,
    skill: skill.name,
    level: 'body',
    path: 'SKILL.md',
    bytes: body.bytes,
  })
  return { text: wrapBody(skill, { ...body, text }), isTaken }
}

export const bodyText = ({ name }: Skill, text: string, given?: string): BodyText => ({
  skill: name,
  text,
  ...(given === undefined ? {} : { given }),
})

/** Whether a model that was given these instructions would be given others now. */
export const isOtherBody = ({ text, given }: BodyText, skill: Skill, now: SkillBody): boolean =>
  text !== wrapBody(skill, { ...now, text: filled(skill, now, given).text })

const filled = (skill: Skill, body: SkillBody, given: string | undefined) =>
  fillPlaceholders(body.text, { names: argumentNames(skill.extra.arguments), given, folder: skill.dir })

/** The instructions as the model is given them. */
const wrapBody = (skill: Skill, body: SkillBody): string => {
  const files = [...body.resources, ...(body.resourcesOmitted > 0 ? [`… and ${body.resourcesOmitted} more`] : [])]
  return [
    `<skill name="${attribute(skill.name)}" source="${skill.source}" folder="${attribute(skill.dir)}">`,
    body.text.trim(),
    ...(files.length === 0 ? [] : ['<files>', ...files, '</files>']),
    ...body.warnings.map((warning) => `<note>${warning}</note>`),
    '</skill>',
  ].join('\n')
}

const attribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
