import type { SkillControls, SkillSource } from '../core/ports.ts'
import type { Skill, SkillProblem } from '../core/skill.ts'
import { visibleLine } from '../lib/visible.ts'
import { renderSkill } from './render-index.ts'

export type ControlledSkills = SkillSource & { readonly controls: SkillControls }

/**
 * The skills of one session, in which some can be turned off and all can be read anew: `load` gives the source as it is
 * now. One that is turned off is not visible, found, resolved or used; its body is not read.
 */
export const controlledSkills = (load: () => SkillSource): ControlledSkills => {
  let source = load()
  const off = new Map<string, 'model' | 'user'>()
  const isOn = (skill: Pick<Skill, 'name'>): boolean => !off.has(skill.name)
  const visible = () => source.visible().filter(isOn)
  // What the model was told last: the index of its system prompt, then each change.
  let told = source.visible()

  return {
    visible,
    resolve: (ref, by = 'model') => {
      const skill = source.resolve(ref, by)
      return 'problem' in skill || isOn(skill) ? skill : { problem: whyOff(skill.name, off.get(skill.name), by) }
    },
    byFile: (path) => source.byFile(path),
    body: (skill) => source.body(skill),
    resource: (skill, request) => source.resource(skill, request),
    search: async (query, limit) => (await source.search(query, limit + off.size)).filter(isOn).slice(0, limit),
    controls: {
      disable: (ref, by) => {
        const skill = source.resolve(ref, by)
        if ('problem' in skill) return skill
        // The user's word stands, whoever says it again.
        if (off.get(skill.name) !== 'user') off.set(skill.name, by)
        return skill
      },
      enable: (ref, by) => {
        const skill = source.resolve(ref, by)
        if ('problem' in skill) return skill
        if (off.get(skill.name) === 'user' && by === 'model') return refused(skill)
        off.delete(skill.name)
        return skill
      },
      disabled: () => [...off.keys()].sort(),
      known: () => source.visible(),
      reload: () => {
        source = load()
        const news = changesOf(told, source.visible())
        told = source.visible()
        return news
      },
    },
  }
}

const refused = ({ name }: Skill): SkillProblem => ({
  problem: `${visibleLine(name, 80)} was disabled by the user, who alone can enable it.`,
})

const whyOff = (name: string, by: 'model' | 'user' | undefined, asker: 'model' | 'user'): string => {
  const shown = visibleLine(name, 80)
  if (by === 'user') return `${shown} is disabled by the user.`
  return asker === 'user'
    ? `${shown} was disabled by the model in this session.`
    : `${shown} is disabled in this session; enable_skill brings it back.`
}

const changesOf = (before: readonly Skill[], after: readonly Skill[]): string => {
  const was = new Map(before.map((skill) => [skill.name, skill]))
  const is = new Set(after.map(({ name }) => name))
  const fresh = after.filter(({ name }) => !was.has(name))
  const changed = after.filter((skill) => {
    const old = was.get(skill.name)
    return old !== undefined && renderSkill(old) !== renderSkill(skill)
  })
  const gone = before.flatMap(({ name }) => (is.has(name) ? [] : [visibleLine(name, 80)]))
  if (fresh.length + changed.length + gone.length === 0) return ''
  return [
    'The skills have changed since you were told of them.',
    ...section('New:', fresh),
    ...section('Described otherwise now:', changed),
    ...(gone.length === 0 ? [] : [`Gone: ${gone.join(', ')}.`]),
  ].join('\n')
}

const section = (title: string, skills: readonly Skill[]): string[] =>
  skills.length === 0 ? [] : [title, ...skills.map((skill) => renderSkill(skill))]
