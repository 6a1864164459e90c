import type { ActionParams } from '../core/actions.ts'
import type { BodyText } from '../core/model.ts'
import type { SkillSource } from '../core/ports.ts'
import type { Skill, SkillBody } from '../core/skill.ts'
import type { RunState } from './run-state.ts'

export type Selection = {
  readonly text: string
  readonly loaded: readonly string[]
  readonly failed: readonly string[]
  readonly bodies: readonly BodyText[]
}

/** Loads the bodies of the named skills, at most `maxBodies` in one turn (`already` were loaded in this one). */
export const selectSkills = (
  params: ActionParams['select_skills'],
  state: RunState,
  skills: SkillSource,
  at: { readonly turn: number; readonly already: number; readonly maxBodies: number },
): Selection => {
  const loaded: string[] = []
  const failed: string[] = []
  const parts: string[] = []
  const bodies: BodyText[] = []
  let room = at.maxBodies - at.already
  for (const ref of params.skills) {
    const skill = skills.resolve(ref)
    if ('problem' in skill) {
      failed.push(ref.name)
      parts.push(skill.problem)
      continue
    }
    if (state.loaded.has(skill.name)) {
      loaded.push(skill.name)
      parts.push(alreadyLoaded(skill))
      record(state, skill, at.turn)
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
    bodies.push({ skill: skill.name, text: text.text })
  }
  return { text: parts.join('\n\n'), loaded, failed, bodies }
}

const record = (state: RunState, skill: Skill, turn: number): void => {
  state.trajectory.push({ type: 'selected', turn, skill: skill.name, source: skill.source, by: 'model' })
}

/** What is said instead of a body that is in the conversation already. */
export const alreadyLoaded = (skill: Skill): string => `${skill.name} is already loaded; its instructions are above.`

/** Reads a body, marks the skill as loaded and says so on the trajectory. */
export const loadBody = (
  skill: Skill,
  state: RunState,
  skills: SkillSource,
  turn: number,
  by: 'model' | 'user',
): { readonly text: string } | { readonly problem: string } => {
  const body = skills.body(skill)
  if ('problem' in body) return body
  state.loaded.set(skill.name, skill)
  state.trajectory.push({ type: 'selected', turn, skill: skill.name, source: skill.source, by })
  state.trajectory.push({
    type: 'disclosed',
    turn,
    skill: skill.name,
    level: 'body',
    path: 'SKILL.md',
    bytes: body.bytes,
  })
  return { text: wrapBody(skill, body) }
}

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
